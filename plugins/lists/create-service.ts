// Creates `ctx.services.lists`, which has no state.
import { normaliseAddress, type ServiceContext, type WorkspaceHandle } from '../../core/index.ts';
import { chooseTexts } from '../../core/unstable.ts';
import { sendGift } from './confirmation/gift-mail.ts';
import { type ConfirmationRecipient, sendConfirmations } from './confirmation/send-confirmations.ts';
import { listRows } from './contact-lists.ts';
import { errors } from './errors.ts';
import { addMembers, removeMembers } from './members.ts';
import type { ListsService } from './service.ts';
import { subscribeFormHtml } from './subscribe-form.ts';
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
    addMembers: (ctx, listId, contactIds, options) => addMembers(ctx, listId, contactIds, options),
    async subscribeForm(handle, listId, page) {
      const list = await listRows.find(handle, listId);
      return list?.visibility === 'public'
        ? subscribeFormHtml(context.ports.keyring, list, chooseTexts(languages, page.language), page)
        : undefined;
    },
    async sendConfirmations(
      ctx,
      { asker, subject, form, email: addressAsGiven, name, title, language, unlessMemberOf },
    ) {
      const email = normaliseAddress(addressAsGiven);
      if (unlessMemberOf !== undefined) {
        const contact = await context.services.contacts.byEmail(ctx.trx, email);
        if (contact !== undefined && (await isMember(ctx.trx, unlessMemberOf, contact.id))) return undefined;
      }
      const request = { name: title, listId: null, asker, form, subject };
      const recipient: ConfirmationRecipient = {
        email,
        addressAsGiven,
        name,
        language,
        requestedBy: 'plugin',
        consentNote: null,
        fields: {},
      };
      return sendConfirmations(ctx, request, [recipient], languages);
    },
    sendGift: (ctx, mail) => sendGift(ctx, mail, languages),
    removeMembers: (ctx, listId, contactIds) => removeMembers(ctx, listId, contactIds),
  });
