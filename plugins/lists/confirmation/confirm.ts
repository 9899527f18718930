// Confirms the request of a mail by its token, in one transaction. Called by the public route.
import { isPostriderError, type ReadContext, type TransactionContext, type Workspace } from '../../../core/index.ts';
import { listRows } from '../contact-lists.ts';
import { confirmMember, joinConfirmed } from '../members.ts';
import type { GivenLink } from '../service.ts';
import { type ConfirmationRow, confirmationRows } from '../tables.ts';
import { validMs } from './ask.ts';

/** Fills attributes that the contact does not have. Omits fields that would exceed the limits. */
async function addFields(
  ctx: TransactionContext,
  contactId: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
  try {
    await ctx.services.contacts.addAttributes(ctx, contactId, given);
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
  // Undefined if the plugin that asked is no longer composed.
  const told = ctx.ports.contributions('lists.confirmations').get(asker);
  if (told === undefined) return;
  await confirmationRows.update(ctx.trx, id, { confirmed_at: ctx.now });
  await ctx.services.suppressions.resubscribe(ctx, email);
  await told.confirmed(ctx, subject, email);
}

/** The links that the page shows after the confirmation, also if its button is pressed again. */
export async function givenFor(
  ctx: ReadContext,
  workspace: Workspace,
  confirmationId: string,
): Promise<readonly GivenLink[]> {
  const asked = await confirmationRows.find(ctx.trx, confirmationId);
  if (asked?.confirmed_at == null || asked.asker === null || asked.subject === null) return [];
  const told = ctx.ports.contributions('lists.confirmations').get(asked.asker);
  return (await told?.given(ctx, workspace, asked.subject)) ?? [];
}

/**
 * Confirms what the mail asked. Changes nothing if it was already confirmed, if the mail is too old, if the membership or the list no
 * longer exists, or if no contact has the address any more.
 */
export async function confirm(ctx: TransactionContext, confirmationId: string): Promise<void> {
  const { trx, now } = ctx;
  const asked = await confirmationRows.lock(trx, confirmationId);
  if (asked === undefined || asked.confirmed_at !== null || now - asked.created_at > validMs) return;
  if (asked.asked_by === 'plugin') return confirmSubject(ctx, asked);
  const list = asked.list_id === null ? undefined : await listRows.findBy(trx, { id: asked.list_id }, 'share');
  if (list === undefined) return;
  // A form does not add members to a list that is no longer public.
  if (asked.asked_by === 'form' && list.visibility !== 'public') return;
  await confirmationRows.update(trx, asked.id, { confirmed_at: now });
  const { contacts, suppressions } = ctx.services;
  // A person who asks for this mail thereby removes their unsubscription.
  await suppressions.resubscribe(ctx, asked.email);
  if (asked.asked_by === 'member') {
    const contact = await contacts.byEmail(trx, asked.email);
    if (contact !== undefined) await confirmMember(ctx, list.id, contact);
    return;
  }
  const contact = await contacts.resolve(ctx, { email: asked.address_as_given }, { create: true });
  await addFields(ctx, contact.id, asked.fields);
  await joinConfirmed(ctx, list.id, contact.id, {
    source: 'form',
    consentNote: asked.consent_note ?? undefined,
  });
}
