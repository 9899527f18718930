// Simulates a sandbox message: no carrier is called. Records one synthetic outcome and puts the text into the development inbox.
import { defineJob, z } from '../../../core/index.ts';
import { openText } from '../content.ts';
import { contentRows, smsRows } from '../tables.ts';
import { failed, recordOnTimeline, suppressed } from '../timeline.ts';
import { withdrawnSince } from '../withdrawn.ts';

export const simulateSms = defineJob({
  kind: 'sms.simulate',
  payload: z.object({ smsId: z.string() }),

  async handler(ctx, { smsId }) {
    const sms = await ctx.read(({ trx }) => smsRows.find(trx, smsId));
    if (sms === undefined || (sms.status !== 'queued' && sms.status !== 'scheduled')) return ctx.complete();
    const withdrawn = await withdrawnSince(ctx, sms);
    const content = await ctx.read(({ trx }) => contentRows.find(trx, smsId));
    await ctx.complete(async (effects) => {
      if (withdrawn !== undefined) {
        await recordOnTimeline(effects, sms, suppressed(withdrawn));
        return;
      }
      await recordOnTimeline(effects, sms, { type: 'sms.delivered', status: 'delivered', finished: true });
      if (content === undefined) return;
      const body = openText(ctx.ports.keyring, content);
      await ctx.services.inbox?.keepSms(effects, { sms, body, origin: 'sandbox' });
    });
  },

  async exhausted(effects, { smsId }, reason) {
    const sms = await smsRows.find(effects.trx, smsId);
    if (sms?.status === 'queued' || sms?.status === 'scheduled')
      await recordOnTimeline(effects, sms, failed(`The simulation was given up: ${reason}`));
  },
});
