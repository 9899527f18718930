import { defineOperation, emailAddress, givenTime, z } from 'postrider';
import { errors } from '../errors.js';
import { presentSurvey, surveyResource } from '../schema.js';
import { insertSurvey } from '../store.js';
import type { SurveyRow } from '../tables.js';

export const createSurvey = defineOperation({
  id: 'surveys.create',
  summary: 'Create a survey',
  description: 'Invites one customer to answer one question. Emits survey.expired if nobody answers in time.',
  http: 'POST /v1/surveys',
  tool: 'create_survey',
  scopes: ['surveys:write'],
  idempotency: 'replay',
  input: {
    body: z.object({
      email: emailAddress.describe('Whom to ask.'),
      question: z.string().min(1).max(500).describe('What to ask, to be answered with a score from 0 to 10.'),
      expires_at: givenTime.optional().describe('Until when it may be answered; without it, at any time.'),
    }),
  },
  output: surveyResource,
  status: 201,
  errors: ['survey_expiry_past'],
  audit: { action: 'survey.create', target: ({ id }) => ({ kind: 'survey', id }) },
  fixture: async (kit) => ({
    body: { email: 'ada@example.com', question: kit.unique('How was it?'), expires_at: '2126-01-01T00:00:00Z' },
    errors: {
      survey_expiry_past: async () => ({
        body: { email: 'ada@example.com', question: 'How was it?', expires_at: '2020-01-01T00:00:00Z' },
      }),
    },
  }),

  async handler(ctx, { body }) {
    const expiresAt = body.expires_at ?? null;
    if (expiresAt !== null && expiresAt <= ctx.now) throw errors.survey_expiry_past();
    const row: SurveyRow = {
      id: ctx.newId('srv'),
      workspace_id: ctx.workspace.id,
      status: 'open',
      email: body.email,
      question: body.question,
      score: null,
      comment: null,
      expires_at: expiresAt,
      answered_at: null,
      created_at: ctx.now,
    };
    await insertSurvey(ctx.trx, row);
    if (expiresAt !== null) ctx.enqueue({ kind: 'surveys.expire', payload: { id: row.id }, runAt: expiresAt });
    return presentSurvey(row);
  },
});
