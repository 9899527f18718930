// Sends the confirmation mail for a subscribe form. A job, so that the response to the form takes equally long for every address.
import { defineJob, normaliseAddress, z } from '../../../core/index.ts';
import { type ConfirmationRecipient, sendListConfirmations } from '../confirmation/send-confirmations.ts';
import { listRows } from '../contact-lists.ts';
import { membersAmong } from '../store.ts';
import type { ListTextsByLanguage } from '../texts.ts';
import { sendFormConfirmationKind } from './kinds.ts';

export const sendFormConfirmation = (languages: ListTextsByLanguage) =>
  defineJob({
    kind: sendFormConfirmationKind,
    payload: z.object({
      listId: z.string(),
      email: z.string(),
      consentNote: z.string(),
      fields: z.record(z.string(), z.string()),
      /** The language of the form. */
      language: z.string(),
    }),
    lane: 'normal',

    async handler(ctx, { listId, email: addressAsGiven, consentNote, fields, language }) {
      const email = normaliseAddress(addressAsGiven);
      const budgetRenewsAt = await ctx.checkpoint(async (tx) => {
        const list = await listRows.findBy(tx.trx, { id: listId }, 'share');
        if (list?.visibility !== 'public') return undefined;
        const contact = await ctx.services.contacts.byEmail(tx.trx, email);
        const members = contact === undefined ? undefined : await membersAmong(tx.trx, listId, [contact.id]);
        if (contact !== undefined && members?.get(contact.id)?.status === 'confirmed') return undefined;
        const name = fields['name'] ?? '';
        const recipient: ConfirmationRecipient = {
          email,
          addressAsGiven,
          name,
          requestedBy: 'form',
          consentNote,
          fields: { locale: language, ...fields },
          language,
        };
        return sendListConfirmations(tx, list, [recipient], languages);
      });
      if (budgetRenewsAt !== undefined) return ctx.retryAt(budgetRenewsAt, 'the budget of the month is used up');
      return ctx.complete();
    },
  });
