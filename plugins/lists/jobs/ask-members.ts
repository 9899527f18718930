// Sends confirmation mails to unconfirmed members.
import { defineJob, z } from '../../../core/index.ts';
import type { KnownContact } from '../../contacts/index.ts';
import { type Asked, askToConfirm } from '../confirmation/ask.ts';
import { listRows } from '../contact-lists.ts';
import { membersAmong } from '../store.ts';
import type { ListTextsByLanguage } from '../texts.ts';
import { askMembersKind } from './kinds.ts';

/** The person's name in the mail, from the attribute `name` or `first_name`. */
function nameOf({ name, first_name: first }: KnownContact['attributes']): string {
  const found = [name, first].find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found.slice(0, 200) : '';
}

const askedOf = (contact: KnownContact): Asked[] => {
  const { email, addressAsGiven, attributes } = contact;
  if (email === null) return [];
  const { locale } = attributes;
  const language = typeof locale === 'string' ? locale : undefined;
  const name = nameOf(attributes);
  const given = { addressAsGiven: addressAsGiven ?? email, name, language };
  return [{ email, ...given, askedBy: 'member', consentNote: null, fields: {} }];
};

export const askMembers = (languages: ListTextsByLanguage) =>
  defineJob({
    kind: askMembersKind,
    payload: z.object({ listId: z.string(), contactIds: z.array(z.string()) }),
    lane: 'bulk',

    async handler(ctx, { listId, contactIds }) {
      const renewsAt = await ctx.checkpoint(async (effects) => {
        const list = await listRows.findBy(effects.trx, { id: listId }, 'share');
        if (list === undefined) return undefined;
        const members = await membersAmong(effects.trx, listId, contactIds);
        const waiting = [...members.values()].filter(({ status }) => status === 'unconfirmed');
        const ids = waiting.map(({ contact_id: id }) => id);
        const people = await ctx.services.contacts.read(effects.trx, ids);
        return askToConfirm(effects, list, people.flatMap(askedOf), languages);
      });
      // The remaining members are asked next month. Members who were already asked are not asked again.
      if (renewsAt !== undefined) return ctx.retryAt(renewsAt, 'the budget of the month is used up');
      return ctx.complete();
    },
  });
