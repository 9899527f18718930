import { type FixtureKit, isoTime, personal, presenter, z } from 'postrider';
import { statuses, surveys } from './tables.js';

export const status = z.enum(statuses);
export const score = z.int().min(0).max(10);
export const tags = z.array(z.string().min(1).max(40)).max(10).describe('Words of your own to tell surveys apart.');

export const surveyResource = z
  .object({
    id: z.string().describe('Prefix srv_.'),
    status: status.describe('A survey becomes expired when its time has come, unless it was answered.'),
    email: z.string(),
    question: z.string(),
    tags: z.array(z.string()),
    score: score.nullable().describe('Null until it is answered.'),
    comment: personal('words', z.string().nullable()),
    expires_at: isoTime.nullable().describe('Null if it may be answered at any time.'),
    answered_at: isoTime.nullable(),
    created_at: isoTime,
    updated_at: isoTime,
  })
  .meta({ id: 'Survey' });

export const present = presenter(surveys, surveyResource);

export const asked = { email: 'ada@example.com', question: 'How was it?' };

/** Makes a survey for the generated tests and answers its id. */
export const someSurvey = async (kit: FixtureKit, workspaceId: string): Promise<string> =>
  String((await kit.call('surveys.create', asked, workspaceId))['id']);
