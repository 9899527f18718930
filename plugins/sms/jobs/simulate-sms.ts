// Simulates the delivery of a sandbox message, without calling a carrier. Records one synthetic result and stores the text in the
// development inbox.
import { defineJob, z } from '../../../core/index.ts';
import { withdrawalReason } from '../consent/check-withdrawal.ts';
import { openText } from '../delivery/sms-content.ts';
import { contentRows, smsRows } from '../tables.ts';
import { failed, recordOnTimeline, suppressed } from '../timeline/record.ts';

export const simulateSms = defineJob({
  kind: 'sms.simulate',
  payload: z.object({ smsId: z.string() }),

  async handler(ctx, { smsId }) {
    const sms = await ctx.read(({ trx }) => smsRows.find(trx, smsId));
    if (sms === undefined || (sms.status !== 'queued' && sms.status !== 'scheduled')) return ctx.complete();
    const withdrawn = await withdrawalReason(ctx, sms);
    const content = await ctx.read(({ trx }) => contentRows.find(trx, smsId));
    await ctx.complete(async (tx) => {
      if (withdrawn !== undefined) {
        await recordOnTimeline(tx, sms, suppressed(withdrawn));
        return;
      }
      await recordOnTimeline(tx, sms, { type: 'sms.delivered', status: 'delivered', finished: true });
      if (content === undefined) return;
      const body = openText(ctx.ports.keyring, content);
      await ctx.services.inbox?.storeSms(tx, { sms, body, origin: 'sandbox' });
    });
  },

  async exhausted(ctx, { smsId }, reason) {
    const sms = await smsRows.find(ctx.trx, smsId);
    if (sms?.status === 'queued' || sms?.status === 'scheduled')
      await recordOnTimeline(ctx, sms, failed(`The simulation was given up: ${reason}`));
  },
});
