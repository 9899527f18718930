import { defineJob, z } from 'postrider';
import { markExpired } from '../store.js';

export const expireSurvey = defineJob({
  kind: 'surveys.expire',
  payload: z.object({ id: z.string() }),

  async handler(ctx, { id }) {
    await ctx.complete(async (effects) => {
      if (await markExpired(effects.trx, id)) effects.emit('survey.expired', { id });
    });
  },
});
