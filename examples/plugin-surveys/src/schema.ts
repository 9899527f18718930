import { isoTime, toIsoTime, toIsoTimeOrNull, z } from 'postrider';
import type { SurveyRow } from './tables.js';
import { statuses } from './tables.js';

export const status = z.enum(statuses);
export const score = z.int().min(0).max(10);

export const surveyResource = z
  .object({
    id: z.string().describe('Prefix srv_.'),
    status: status.describe('A survey becomes expired when its time has come, unless it was answered.'),
    email: z.string(),
    question: z.string(),
    score: score.nullable().describe('Null until it is answered.'),
    comment: z.string().nullable(),
    expires_at: isoTime.nullable().describe('Null if it may be answered at any time.'),
    answered_at: isoTime.nullable(),
    created_at: isoTime,
  })
  .meta({ id: 'Survey' });

export const presentSurvey = (row: SurveyRow): z.input<typeof surveyResource> => ({
  id: row.id,
  status: row.status,
  email: row.email,
  question: row.question,
  score: row.score,
  comment: row.comment,
  expires_at: toIsoTimeOrNull(row.expires_at),
  answered_at: toIsoTimeOrNull(row.answered_at),
  created_at: toIsoTime(row.created_at),
});
