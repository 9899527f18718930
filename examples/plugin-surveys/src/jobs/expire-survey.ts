import { defineJob, z } from 'postrider';
import { surveys } from '../surveys.js';

export const expireSurvey = defineJob({
  kind: 'surveys.expire',
  payload: z.object({ id: z.string() }),

  async handler(ctx, { id }) {
    await ctx.complete(async ({ trx, now, emit }) => {
      const expired = await surveys.rows.update(trx, id, { status: 'expired', updated_at: now }, { status: 'open' });
      if (expired) emit('survey.expired', { id });
    });
  },
});
