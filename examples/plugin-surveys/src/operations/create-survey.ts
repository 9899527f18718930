import { defineOperation, emailAddress, givenTime, z } from 'postrider';
import { errors } from '../errors.js';
import { asked, present, surveyResource, tags } from '../schema.js';
import { rows } from '../tables.js';

export const createSurvey = defineOperation({
  id: 'surveys.create',
  summary: 'Create a survey',
  description: 'Prepares one question for one customer. Emits survey.expired if the time ends without an answer.',
  http: 'POST /v1/surveys',
  tool: 'create_survey',
  scopes: ['surveys:write'],
  idempotency: 'replay',
  input: {
    body: z.object({
      email: emailAddress.describe('The customer to ask.'),
      question: z.string().min(1).max(500).describe('What to ask, to be answered with a score from 0 to 10.'),
      tags: tags.default([]),
      expires_at: givenTime.nullable().default(null).describe('Until when it may be answered; null for any time.'),
    }),
  },
  output: surveyResource,
  status: 201,
  errors: ['survey_expiry_past'],
  audit: { action: 'survey.create', target: ({ id }) => ({ kind: 'survey', id }) },
  fixture: async () => ({
    body: { ...asked, expires_at: '2126-01-01T00:00:00Z' },
    errors: { survey_expiry_past: async () => ({ body: { ...asked, expires_at: '2020-01-01T00:00:00Z' } }) },
  }),
  async handler(ctx, { body }) {
    if (body.expires_at !== null && body.expires_at <= ctx.now) throw errors.survey_expiry_past();
    const id = ctx.newId('srv');
    const unanswered = { status: 'open', score: null, comment: null, answered_at: null } as const;
    const survey = await rows.insert(ctx.trx, { id, ...body, ...unanswered, created_at: ctx.now, updated_at: ctx.now });
    if (body.expires_at !== null)
      ctx.enqueue({ kind: 'surveys.expire', key: id, payload: { id }, runAt: body.expires_at });
    return present(survey);
  },
});
