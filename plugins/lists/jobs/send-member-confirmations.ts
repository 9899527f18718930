// Sends confirmation mails to unconfirmed members.
import { defineJob, z } from '../../../core/index.ts';
import type { KnownContact } from '../../contacts/index.ts';
import { type ConfirmationRecipient, sendListConfirmations } from '../confirmation/send-confirmations.ts';
import { listRows } from '../contact-lists.ts';
import { membersAmong } from '../store.ts';
import type { ListTextsByLanguage } from '../texts.ts';
import { sendMemberConfirmationsKind } from './kinds.ts';

/** The person's name in the mail, from the attribute `name` or `first_name`. */
function nameOf({ name, first_name: first }: KnownContact['attributes']): string {
  const memberName = [name, first].find((value) => typeof value === 'string' && value !== '');
  return typeof memberName === 'string' ? memberName.slice(0, 200) : '';
}

const recipientsOf = (contact: KnownContact): ConfirmationRecipient[] => {
  const { email, addressAsGiven, attributes } = contact;
  if (email === null) return [];
  const { locale } = attributes;
  const language = typeof locale === 'string' ? locale : undefined;
  const name = nameOf(attributes);
  const recipient = { addressAsGiven: addressAsGiven ?? email, name, language };
  return [{ email, ...recipient, requestedBy: 'member', consentNote: null, fields: {} }];
};

export const sendMemberConfirmations = (languages: ListTextsByLanguage) =>
  defineJob({
    kind: sendMemberConfirmationsKind,
    payload: z.object({ listId: z.string(), contactIds: z.array(z.string()) }),
    lane: 'bulk',

    async handler(ctx, { listId, contactIds }) {
      const budgetRenewsAt = await ctx.checkpoint(async (tx) => {
        const list = await listRows.findBy(tx.trx, { id: listId }, 'share');
        if (list === undefined) return undefined;
        const members = await membersAmong(tx.trx, listId, contactIds);
        const unconfirmed = [...members.values()].filter(({ status }) => status === 'unconfirmed');
        const ids = unconfirmed.map(({ contact_id: id }) => id);
        const people = await ctx.services.contacts.read(tx.trx, ids);
        return sendListConfirmations(tx, list, people.flatMap(recipientsOf), languages);
      });
      // The remaining members get their mail next month. Members who already have a mail get no second one.
      if (budgetRenewsAt !== undefined) return ctx.retryAt(budgetRenewsAt, 'the budget of the month is used up');
      return ctx.complete();
    },
  });
