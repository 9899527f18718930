// Handles a confirmed address (the entry of `lists.confirmations`): the contact, its membership, the sequence, the lead
// magnet. Called by the plugin lists, in the transaction that confirms.
import { isPostriderError, type TransactionContext } from '../../../core/index.ts';
import { shortened } from '../../../core/unstable.ts';
import type { Confirmations, ListsService } from '../../lists/index.ts';
import type { SequenceEntrance } from '../../sequences/index.ts';
import { type PageSubmissionRow, submissionRows } from '../tables.ts';
import type { FormConfirmed } from './events.ts';
import { attributesOf } from './fields.ts';
import { giftOf } from './gift.ts';
import { mailGiftKind } from './kinds.ts';

const longestNote = 500;

/** The reason why the contact may receive mail, as the membership stores it. */
const consentNoteOf = ({ consent_text: consent, slug, form_id: form, created_at: at }: PageSubmissionRow): string => {
  const origin = ` (form ${form} of the page ${slug}, ${new Date(at).toISOString()})`;
  return `${shortened(consent ?? 'Sent a form and confirmed its address.', longestNote - origin.length)}${origin}`;
};

/** The name of the field that contained the address. */
const addressField = ({ fields, email_as_given: email }: PageSubmissionRow): string | undefined =>
  Object.keys(fields).find((name) => fields[name] === email);

/** Adds attributes that the contact does not have. Attributes that exceed the limits are left out. */
async function addFields(ctx: TransactionContext, contactId: string, row: PageSubmissionRow) {
  try {
    await ctx.services.contacts.addAttributes(ctx, contactId, attributesOf(addressField(row), row));
  } catch (error) {
    if (!isPostriderError(error)) throw error;
    ctx.log.warn({ contact: contactId, reason: error.message }, 'the fields of a form were not added to the contact');
  }
}

/** Adds the contact to the list. A list that was deleted meanwhile is skipped. */
async function joinList(ctx: TransactionContext, contactId: string, row: PageSubmissionRow) {
  const lists: ListsService | undefined = ctx.services.lists;
  if (row.list_id === null || lists === undefined) return;
  if ((await lists.find(ctx.trx, row.list_id, 'share')) === undefined) {
    ctx.log.warn({ list: row.list_id, submission: row.id }, 'a form was confirmed, but its list was deleted');
    return;
  }
  const options = { source: 'form', confirmed: true, consentNote: consentNoteOf(row) } as const;
  await lists.addMembers(ctx, row.list_id, [contactId], options);
}

/** Starts the sequence. A sequence that accepts no contacts is skipped. */
async function startSequence(ctx: TransactionContext, row: PageSubmissionRow, event: string, data: FormConfirmed) {
  const sequences: SequenceEntrance | undefined = ctx.services.sequenceEntrance;
  if (row.sequence_key === null || sequences === undefined) return;
  const confirmedEvent = { id: event, type: 'page.form_confirmed', data };
  const result = await sequences.begin(ctx, row.sequence_key, data.contact.id, confirmedEvent);
  if (result === 'closed')
    ctx.log.warn(
      { sequence: row.sequence_key, submission: row.id },
      'a form was confirmed, but its sequence accepts no contacts',
    );
}

export const createConfirmations = (): Confirmations => ({
  async confirmed(ctx, submissionId, email) {
    const { trx, now } = ctx;
    const row = await submissionRows.lock(trx, submissionId);
    if (row === undefined || row.confirmed) return;
    const { contacts } = ctx.services;
    const contact = await contacts.resolve(ctx, { email }, { create: true });
    await submissionRows.update(trx, row.id, {
      confirmed: true,
      confirmed_at: now,
      kept_from: now,
      contact_id: contact.id,
    });
    await addFields(ctx, contact.id, row);
    await joinList(ctx, contact.id, row);
    const data: FormConfirmed = {
      ...{ pageId: row.page_id, slug: row.slug, formId: row.form_id, submissionId: row.id, fields: row.fields },
      ...{ email, confirmed: true },
      contact: { id: contact.id, external_id: contact.external_id, email: contact.email },
    };
    const event = ctx.emit('page.form_confirmed', data, { subject: contact.id });
    await startSequence(ctx, row, event, data);
    if (row.lead_magnet_id !== null)
      ctx.enqueue({ kind: mailGiftKind, payload: { submissionId: row.id }, subject: contact.id });
  },
  async giftLinks(ctx, workspace, submissionId) {
    const row = await submissionRows.find(ctx.trx, submissionId);
    const gift = row?.confirmed ? await giftOf(ctx, workspace, row.lead_magnet_id) : undefined;
    return gift === undefined ? [] : [gift];
  },
});
