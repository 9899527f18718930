import { defineOperation, z } from 'postrider';
import { errors } from '../errors.js';
import { presentSurvey, score, surveyResource } from '../schema.js';
import { findSurvey, takeAnswer } from '../store.js';
import { surveyRow } from './fixture-rows.js';

export const answerSurvey = defineOperation({
  id: 'surveys.answer',
  summary: 'Answer a survey',
  description: 'Once, and before it expires. Emits survey.answered.',
  http: 'POST /v1/surveys/{id}/answer',
  tool: 'answer_survey',
  scopes: ['surveys:write'],
  idempotency: 'replay',
  input: {
    params: z.object({ id: z.string() }),
    body: z.object({
      score: score.describe('From 0, the worst, to 10, the best.'),
      comment: z.string().max(5000).optional().describe('In the words of the customer.'),
    }),
  },
  output: surveyResource,
  errors: ['survey_not_found', 'survey_answered', 'survey_expired'],
  audit: { action: 'survey.answer', target: ({ id }) => ({ kind: 'survey', id }) },
  fixture: async (kit) => ({
    params: { id: await surveyRow(kit) },
    body: { score: 9, comment: 'Quick.' },
    foreign: { id: await surveyRow(kit, kit.foreignWorkspaceId) },
    errors: {
      survey_answered: async () => {
        const id = await surveyRow(kit);
        await kit.call('surveys.answer', { id, score: 7 });
        return { params: { id } };
      },
      survey_expired: 'unreachable here: shown in test/expiry.test.ts',
    },
  }),

  async handler(ctx, { params: { id }, body }) {
    const taken = await takeAnswer(ctx.trx, id, {
      score: body.score,
      comment: body.comment ?? null,
      answered_at: ctx.now,
    });
    const survey = await findSurvey(ctx.trx, id);
    if (survey === undefined) throw errors.survey_not_found({ id });
    if (!taken) throw survey.status === 'answered' ? errors.survey_answered({ id }) : errors.survey_expired({ id });
    ctx.emit('survey.answered', { id, score: body.score });
    return presentSurvey(survey);
  },
});
