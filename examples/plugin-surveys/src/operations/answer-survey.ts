import { defineErrors, defineOperation, z } from 'postrider';
import { errors } from '../errors.js';
import { score, surveys } from '../surveys.js';

export const answerErrors = defineErrors({
  survey_answered: {
    status: 409,
    type: 'conflict_error',
    description: 'A survey can be answered only once, and this survey has an answer.',
    message: (details: { id: string }) => `Survey ${details.id} was answered before. To ask again, create another one.`,
  },
  survey_expired: {
    status: 409,
    type: 'conflict_error',
    description: 'The time to answer the survey is over.',
    message: (details: { id: string }) => `Survey ${details.id} has expired. To ask again, create another one.`,
  },
});

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
  output: surveys.item,
  errors: ['survey_not_found', 'survey_answered', 'survey_expired'],
  emits: ['survey.answered'],
  audit: { action: 'survey.answer', target: ({ id }) => ({ kind: 'survey', id }) },
  fixture: async (kit) => ({
    params: { id: await surveys.createExample(kit, kit.workspaceId) },
    body: { score: 9, comment: 'Quick.' },
    foreign: { id: await surveys.createExample(kit, kit.foreignWorkspaceId) },
    errors: {
      survey_answered: async () => {
        const id = await surveys.createExample(kit, kit.workspaceId);
        await kit.call('surveys.answer', { id, score: 7 });
        return { params: { id } };
      },
      survey_expired: 'unreachable here: shown in test/expiry.test.ts',
    },
  }),

  async handler(ctx, { params: { id }, body: { score, comment = null } }) {
    // Locked, so that the second of two simultaneous answers sees the first.
    const survey = await surveys.rows.lock(ctx.trx, id);
    if (survey === undefined) throw errors.survey_not_found({ id });
    if (survey.status === 'answered') throw answerErrors.survey_answered({ id });
    if (survey.expires_at !== null && survey.expires_at <= ctx.now) throw answerErrors.survey_expired({ id });
    const answer = { status: 'answered', score, comment, answered_at: ctx.now, updated_at: ctx.now } as const;
    await surveys.rows.update(ctx.trx, id, answer);
    await ctx.cancelJob({ kind: 'surveys.expire', key: id });
    ctx.emit('survey.answered', { id, score }, { subject: survey.email });
    return surveys.present({ ...survey, ...answer });
  },
});
