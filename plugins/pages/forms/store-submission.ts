// Receives a form: stores the submission and emits its event, in one transaction. A job processes the address later, so
// that the response does not depend on it. Called by the public route.
import { parseAddress, type TransactionContext } from '../../../core/index.ts';
import type { FormValues } from '../../../core/unstable.ts';
import { asksToConfirm, type PageForm } from '../sections/form.ts';
import { type PageHead, type PageSubmissionRow, type SubmissionStatus, submissionRows } from '../tables.ts';
import { emailField } from './fields.ts';
import { askToConfirmKind } from './kinds.ts';

/** A form that a visitor sent. */
export interface SentForm {
  readonly page: Pick<PageHead, 'id'>;
  /** The slug of the page when the visitor opened it. */
  readonly slug: string;
  readonly form: PageForm;
  readonly values: FormValues;
  /** A BCP 47 tag. */
  readonly language: string;
}

/** The row of a submission. */
function rowOf(
  ctx: TransactionContext,
  { page, slug, form, values, language }: SentForm,
  status: SubmissionStatus,
): PageSubmissionRow {
  const { now, sandbox } = ctx;
  const address = emailField(form)?.name;
  const typedAddress = address === undefined ? '' : (values[address] ?? '');
  const email = parseAddress(typedAddress) === undefined ? null : typedAddress;
  return {
    ...{ id: ctx.newId('sub'), sandbox, page_id: page.id, slug, form_id: form.formId, status, fields: values },
    ...{ email, email_as_given: email, consent_text: form.consentText ?? null },
    list_id: form.listId ?? null,
    sequence_key: form.sequenceKey ?? null,
    lead_magnet_id: form.leadMagnetId ?? null,
    ...{ language, contact_id: null, confirmed: false, confirmed_at: null, kept_from: now, created_at: now },
  };
}

/** Stores a submission and returns its id. */
export async function submit(ctx: TransactionContext, sent: SentForm): Promise<string> {
  const { page, slug, form, values } = sent;
  const row = rowOf(ctx, sent, 'received');
  const { id, email } = row;
  await submissionRows.insert(ctx.trx, row);
  const data = { pageId: page.id, slug, formId: form.formId, submissionId: id, fields: values, email };
  const person = email === null ? {} : { subject: email };
  ctx.emit('page.form_submitted', { ...data, confirmed: false }, person);
  if (email !== null && asksToConfirm(form))
    ctx.enqueue({ kind: askToConfirmKind, payload: { submissionId: id }, subject: email });
  return id;
}

/**
 * Stores a submission in which the honeypot field was filled, so that people can look at it. No event is emitted, and no mail is sent.
 */
export async function storeTrapped(ctx: TransactionContext, sent: SentForm): Promise<void> {
  await submissionRows.insert(ctx.trx, rowOf(ctx, sent, 'trapped'));
}
