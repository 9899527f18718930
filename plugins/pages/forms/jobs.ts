// The jobs of forms. Each sends one mail through the plugin lists in the transaction that ends the job, so that a crash
// does not repeat the mail.
import { defineJob, z } from '../../../core/index.ts';
import type { ListsService } from '../../lists/index.ts';
import { submissionRows } from '../tables.ts';
import { greetingOf } from './fields.ts';
import { giftOf } from './gift.ts';
import { askToConfirmKind, mailGiftKind } from './kinds.ts';
import { formOf, titleOf } from './submission.ts';

const payload = z.object({ submissionId: z.string() });

/** Asks the address of a submission to confirm, within the limits for confirmation mails. */
export const askToConfirmJob = defineJob({
  kind: askToConfirmKind,
  payload,
  async handler(ctx, { submissionId }) {
    await ctx.complete(async (tx) => {
      const lists: ListsService | undefined = ctx.services.lists;
      const row = await submissionRows.find(tx.trx, submissionId);
      if (lists === undefined || row === undefined || row.confirmed || row.email_as_given === null) return;
      const { list_id: listId, sequence_key: key, lead_magnet_id: magnet } = row;
      const renewsAt = await lists.sendConfirmations(tx, {
        ...{ asker: 'pages', subject: row.id, form: formOf(row) },
        ...{ email: row.email_as_given, name: greetingOf(row.fields), language: row.language },
        title: await titleOf(tx, row),
        // If the form only adds people to a list, existing members get no mail.
        unlessMemberOf: key === null && magnet === null ? (listId ?? undefined) : undefined,
      });
      // The link in the mail is valid for 30 days, so the submission is stored for another 30 days.
      await submissionRows.update(tx.trx, row.id, { kept_from: renewsAt ?? tx.now });
      if (renewsAt !== undefined)
        tx.enqueue({
          kind: askToConfirmKind,
          payload: { submissionId },
          runAt: renewsAt,
          subject: row.email_as_given,
        });
    });
  },
});

/** Mails the lead magnet of a form. */
export const mailGiftJob = defineJob({
  kind: mailGiftKind,
  payload,
  async handler(ctx, { submissionId }) {
    await ctx.complete(async (tx) => {
      const lists: ListsService | undefined = ctx.services.lists;
      const row = await submissionRows.find(tx.trx, submissionId);
      if (lists === undefined || row === undefined || row.email_as_given === null) return;
      const gift = await giftOf(tx, ctx.workspace, row.lead_magnet_id);
      if (gift === undefined) return;
      const { email_as_given: email, language } = row;
      const renewsAt = await lists.sendGift(tx, { ...gift, email, language });
      if (renewsAt !== undefined)
        tx.enqueue({ kind: mailGiftKind, payload: { submissionId }, runAt: renewsAt, subject: email });
    });
  },
});
