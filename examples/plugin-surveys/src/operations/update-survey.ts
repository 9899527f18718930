import { defineOperation, z } from 'postrider';
import { errors } from '../errors.js';
import { present, someSurvey, surveyResource, tags } from '../schema.js';
import { rows } from '../tables.js';

export const updateSurvey = defineOperation({
  id: 'surveys.update',
  summary: 'Change the tags of a survey',
  http: 'PATCH /v1/surveys/{id}',
  tool: 'update_survey',
  scopes: ['surveys:write'],
  idempotency: 'natural',
  input: { params: z.object({ id: z.string() }), body: z.object({ tags }) },
  output: surveyResource,
  errors: ['survey_not_found'],
  audit: { action: 'survey.update', target: ({ id }) => ({ kind: 'survey', id }) },
  fixture: async (kit) => ({
    params: { id: await someSurvey(kit, kit.workspaceId) },
    body: { tags: ['delivery'] },
    foreign: { id: await someSurvey(kit, kit.foreignWorkspaceId) },
  }),
  async handler(ctx, { params: { id }, body }) {
    await rows.update(ctx.trx, id, { tags: body.tags, updated_at: ctx.now });
    const survey = await rows.find(ctx.trx, id);
    if (survey === undefined) throw errors.survey_not_found({ id });
    return present(survey);
  },
});
