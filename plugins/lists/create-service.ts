// Creates `ctx.services.lists`, which has no state.
import { normaliseAddress, type ServiceContext, type WorkspaceHandle } from '../../core/index.ts';
import { type Asked, ask } from './confirmation/ask.ts';
import { sendGiven } from './confirmation/give.ts';
import { listRows } from './contact-lists.ts';
import { errors } from './errors.ts';
import { addMembers, removeMembers } from './members.ts';
import type { ListsService } from './service.ts';
import { memberRows } from './tables.ts';
import type { ListTextsByLanguage } from './texts.ts';

async function isMember(handle: WorkspaceHandle, listId: string, contactId: string): Promise<boolean> {
  const row = await memberRows.findBy(handle, { list_id: listId, contact_id: contactId });
  return row?.status === 'confirmed';
}

export const createListsService =
  (languages: ListTextsByLanguage) =>
  (context: ServiceContext): ListsService => ({
    async find(handle, listId, lock) {
      const row = await listRows.findBy(handle, { id: listId }, lock);
      if (row === undefined) return undefined;
      const { id, name, optin, visibility } = row;
      return { id, name, optin, visibility };
    },
    notFound: (listId) => errors.list_not_found({ id: listId }),
    isMember,
    addMembers: (effects, listId, contactIds, options) => addMembers(effects, listId, contactIds, options),
    async askToConfirm(
      effects,
      { asker, subject, form, email: addressAsGiven, name, title, language, unlessMemberOf },
    ) {
      const email = normaliseAddress(addressAsGiven);
      if (unlessMemberOf !== undefined) {
        const contact = await context.services.contacts.byEmail(effects.trx, email);
        if (contact !== undefined && (await isMember(effects.trx, unlessMemberOf, contact.id))) return undefined;
      }
      const about = { name: title, listId: null, asker, form, subject };
      const one: Asked = { email, addressAsGiven, name, language, askedBy: 'plugin', consentNote: null, fields: {} };
      return ask(effects, about, [one], languages);
    },
    sendGiven: (effects, given) => sendGiven(effects, given, languages),
    removeMembers: (effects, listId, contactIds) => removeMembers(effects, listId, contactIds),
  });
