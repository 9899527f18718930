// The jobs of forms. Each sends one mail through the plugin lists in the transaction that ends the job, so that a crash
// does not repeat the mail.
import { defineJob, z } from '../../../core/index.ts';
import type { ListsService } from '../../lists/index.ts';
import { submissionRows } from '../tables.ts';
import { greetingOf } from './fields.ts';
import { giftOf } from './gift.ts';
import { askKind, giveKind } from './kinds.ts';
import { formOf, titleOf } from './submission.ts';

const payload = z.object({ submissionId: z.string() });

/** Asks the address of a submission to confirm, within the limits for confirmation mails. */
export const askJob = defineJob({
  kind: askKind,
  payload,
  async handler(ctx, { submissionId }) {
    await ctx.complete(async (effects) => {
      const lists: ListsService | undefined = ctx.services.lists;
      const row = await submissionRows.find(effects.trx, submissionId);
      if (lists === undefined || row === undefined || row.confirmed || row.email_as_given === null) return;
      const { list_id: listId, sequence_key: key, lead_magnet_id: magnet } = row;
      const renewsAt = await lists.askToConfirm(effects, {
        ...{ asker: 'pages', subject: row.id, form: formOf(row) },
        ...{ email: row.email_as_given, name: greetingOf(row.fields), language: row.language },
        title: await titleOf(effects, row),
        // If the form only joins a list, nobody who is already a member is asked.
        unlessMemberOf: key === null && magnet === null ? (listId ?? undefined) : undefined,
      });
      // The link in the mail is valid for 30 days, and the submission is kept for as long.
      await submissionRows.update(effects.trx, row.id, { kept_from: renewsAt ?? effects.now });
      if (renewsAt !== undefined)
        effects.enqueue({ kind: askKind, payload: { submissionId }, runAt: renewsAt, subject: row.email_as_given });
    });
  },
});

/** Mails the lead magnet of a form. */
export const giveJob = defineJob({
  kind: giveKind,
  payload,
  async handler(ctx, { submissionId }) {
    await ctx.complete(async (effects) => {
      const lists: ListsService | undefined = ctx.services.lists;
      const row = await submissionRows.find(effects.trx, submissionId);
      if (lists === undefined || row === undefined || row.email_as_given === null) return;
      const gift = await giftOf(effects, ctx.workspace, row.lead_magnet_id);
      if (gift === undefined) return;
      const { email_as_given: email, language } = row;
      const renewsAt = await lists.sendGiven(effects, { ...gift, email, language });
      if (renewsAt !== undefined)
        effects.enqueue({ kind: giveKind, payload: { submissionId }, runAt: renewsAt, subject: email });
    });
  },
});
