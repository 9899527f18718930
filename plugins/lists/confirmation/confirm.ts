// Confirms the request of a mail by its token, in one transaction. Called by the public route.
import { isPostriderError, type ReadContext, type TransactionContext, type Workspace } from '../../../core/index.ts';
import { listRows } from '../contact-lists.ts';
import { confirmMember, joinConfirmed } from '../members.ts';
import type { GiftLink } from '../service.ts';
import { type ConfirmationRow, confirmationRows } from '../tables.ts';
import { validMs } from './send-confirmations.ts';

/** Fills attributes that the contact does not have. Omits fields that would exceed the limits. */
async function addFields(
  ctx: TransactionContext,
  contactId: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const filledFields = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
  try {
    await ctx.services.contacts.addAttributes(ctx, contactId, filledFields);
  } catch (error) {
    if (!isPostriderError(error)) throw error;
    ctx.log.warn({ contact: contactId, reason: error.message }, 'the fields of a form were not added to the contact');
  }
}

/** Reports the confirmation to the plugin whose form asked. */
async function confirmSubject(
  ctx: TransactionContext,
  { id, asker, subject, address_as_given: email }: ConfirmationRow,
): Promise<void> {
  if (asker === null || subject === null) return;
  // There is no listener if the program no longer composes the plugin whose form asked.
  const listener = ctx.ports.contributions('lists.confirmations').get(asker);
  if (listener === undefined) return;
  await confirmationRows.update(ctx.trx, id, { confirmed_at: ctx.now });
  await ctx.services.suppressions.resubscribe(ctx, email);
  await listener.confirmed(ctx, subject, email);
}

/** The request of a confirmation mail, as the page of the confirmation shows it. */
export interface ConfirmationView {
  /** The name of the thing that the person signed up for. */
  readonly title: string;
  /** The address as it was given. */
  readonly email: string;
  /** The language of the mail. */
  readonly language: string | undefined;
}

/** The request of a confirmation mail; undefined if the mail is too old or no longer known. */
export async function viewOf({ trx, now }: ReadContext, confirmationId: string): Promise<ConfirmationView | undefined> {
  const confirmation = await confirmationRows.find(trx, confirmationId);
  if (confirmation === undefined || now - confirmation.created_at > validMs) return undefined;
  const { title, address_as_given: email, language } = confirmation;
  return { title, email, language: language ?? undefined };
}

/** The links that the page shows after the confirmation, even if its button is pressed again. */
export async function giftLinksFor(
  ctx: ReadContext,
  workspace: Workspace,
  confirmationId: string,
): Promise<readonly GiftLink[]> {
  const confirmation = await confirmationRows.find(ctx.trx, confirmationId);
  if (confirmation?.confirmed_at == null || confirmation.asker === null || confirmation.subject === null) return [];
  const listener = ctx.ports.contributions('lists.confirmations').get(confirmation.asker);
  return (await listener?.giftLinks(ctx, workspace, confirmation.subject)) ?? [];
}

/**
 * Carries out the confirmation of a mail. Changes nothing if it was already confirmed, if the mail is too old, if the membership
 * or the list no longer exists, or if no contact has the address any more.
 */
export async function confirm(ctx: TransactionContext, confirmationId: string): Promise<void> {
  const { trx, now } = ctx;
  const confirmation = await confirmationRows.lock(trx, confirmationId);
  if (confirmation === undefined || confirmation.confirmed_at !== null || now - confirmation.created_at > validMs)
    return;
  if (confirmation.requested_by === 'plugin') return confirmSubject(ctx, confirmation);
  const list =
    confirmation.list_id === null ? undefined : await listRows.findBy(trx, { id: confirmation.list_id }, 'share');
  if (list === undefined) return;
  // A form does not add members to a list that is no longer public.
  if (confirmation.requested_by === 'form' && list.visibility !== 'public') return;
  await confirmationRows.update(trx, confirmation.id, { confirmed_at: now });
  const { contacts, suppressions } = ctx.services;
  // A person who asks for this mail thereby removes their unsubscription.
  await suppressions.resubscribe(ctx, confirmation.email);
  if (confirmation.requested_by === 'member') {
    const contact = await contacts.byEmail(trx, confirmation.email);
    if (contact !== undefined) await confirmMember(ctx, list.id, contact);
    return;
  }
  const contact = await contacts.resolve(ctx, { email: confirmation.address_as_given }, { create: true });
  await addFields(ctx, contact.id, confirmation.fields);
  await joinConfirmed(ctx, list.id, contact.id, {
    source: 'form',
    consentNote: confirmation.consent_note ?? undefined,
  });
}
