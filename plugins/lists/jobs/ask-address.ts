// Sends the confirmation mail for a subscribe form. A job, so that the response to the form takes equally long for every address.
import { defineJob, normaliseAddress, z } from '../../../core/index.ts';
import { type Asked, askToConfirm } from '../confirmation/ask.ts';
import { listRows } from '../contact-lists.ts';
import { membersAmong } from '../store.ts';
import type { ListTextsByLanguage } from '../texts.ts';
import { askAddressKind } from './kinds.ts';

export const askAddress = (languages: ListTextsByLanguage) =>
  defineJob({
    kind: askAddressKind,
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
      const renewsAt = await ctx.checkpoint(async (effects) => {
        const list = await listRows.findBy(effects.trx, { id: listId }, 'share');
        if (list?.visibility !== 'public') return undefined;
        const contact = await ctx.services.contacts.byEmail(effects.trx, email);
        const members = contact === undefined ? undefined : await membersAmong(effects.trx, listId, [contact.id]);
        if (contact !== undefined && members?.get(contact.id)?.status === 'confirmed') return undefined;
        const name = fields['name'] ?? '';
        const one: Asked = {
          email,
          addressAsGiven,
          name,
          askedBy: 'form',
          consentNote,
          fields: { locale: language, ...fields },
          language,
        };
        return askToConfirm(effects, list, [one], languages);
      });
      if (renewsAt !== undefined) return ctx.retryAt(renewsAt, 'the budget of the month is used up');
      return ctx.complete();
    },
  });
