import {
  defineCreate,
  defineDelete,
  defineList,
  defineMigration,
  defineRead,
  defineResource,
  defineUpdate,
  emailAddress,
  field,
  type RowOf,
  timeInput,
  z,
} from 'postrider';
import { errors } from './errors.js';

const status = z.enum(['open', 'answered', 'expired']).describe('Expired if the time ended without an answer.');
export const score = z.int().min(0).max(10);
const tags = z.array(z.string().min(1).max(40)).max(10).describe('Words of your own to distinguish surveys.');

const asked = { email: 'ada@example.com', question: 'How was it?' };

export const surveys = defineResource('surveys', {
  title: 'Survey',
  name: 'survey',
  scopes: { read: 'surveys:read', write: 'surveys:write' },
  sides: true,
  notFoundError: errors.survey_not_found,
  example: { operation: 'surveys.create', body: () => asked },
  fields: {
    id: field.ownId('srv'),
    status: field.word(status).readOnly('open').indexed(),
    email: field.address(emailAddress.describe('The customer to ask.')).immutable().personal('address').indexed(),
    question: field.text(z.string().min(1).max(500).describe('To be answered from 0 to 10.')).immutable(),
    tags: field.json(tags).default([]),
    score: field.integer(score).nullable().described('Null until it is answered.').readOnly(null),
    comment: field.text(z.string()).nullable().readOnly(null).personal('text'),
    expires_at: field.time(timeInput.describe('The end of the time to answer.')).nullable().default(null).immutable(),
    answered_at: field.time().nullable().readOnly(null).purged(),
    created_at: field.createdAt(),
    updated_at: field.updatedAt(),
  },
});
export type SurveyRow = RowOf<typeof surveys.table>;

export const migration0001 = defineMigration({ id: '0001-surveys', changes: surveys.createTable });

const listSurveys = defineList({
  resource: surveys,
  id: 'surveys.list',
  http: 'GET /v1/surveys',
  tool: 'list_surveys',
  filters: { status: status.optional(), email: emailAddress.optional().describe('Only surveys of this customer.') },
});

const readSurvey = defineRead({
  resource: surveys,
  id: 'surveys.read',
  http: 'GET /v1/surveys/{id}',
  tool: 'read_survey',
});

const createSurvey = defineCreate({
  resource: surveys,
  id: 'surveys.create',
  description: 'Prepares one question for one customer. Emits survey.expired if the time ends without an answer.',
  http: 'POST /v1/surveys',
  tool: 'create_survey',
  errorCases: {
    survey_expiry_past: async () => ({ body: { ...asked, expires_at: '2020-01-01T00:00:00Z' } }),
  },
  async before(ctx, { expires_at: end }) {
    if (end !== null && end <= ctx.now) throw errors.survey_expiry_past();
  },
  async after(ctx, { id, expires_at: runAt }) {
    if (runAt !== null) ctx.enqueue({ kind: 'surveys.expire', key: id, payload: { id }, runAt });
  },
});

const updateSurvey = defineUpdate({
  resource: surveys,
  id: 'surveys.update',
  summary: 'Change the tags of a survey',
  http: 'PATCH /v1/surveys/{id}',
  tool: 'update_survey',
  body: async () => ({ tags: ['delivery'] }),
});

const deleteSurvey = defineDelete({
  resource: surveys,
  id: 'surveys.delete',
  http: 'DELETE /v1/surveys/{id}',
  tool: { name: 'delete_survey', destructive: true },
  before: async (ctx, { id }) => void (await ctx.cancelJob({ kind: 'surveys.expire', key: id })),
});

export const resourceOperations = [listSurveys, readSurvey, createSurvey, updateSurvey, deleteSurvey] as const;
