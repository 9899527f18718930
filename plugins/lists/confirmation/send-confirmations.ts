// Sends confirmation mails to addresses, within the limits. Called by the jobs that send such mail, inside their transaction.
import type { TransactionContext } from '../../../core/index.ts';
import { chooseTexts, contentUrl, lockWorkspace } from '../../../core/unstable.ts';
import type { BrandsService } from '../../brand/index.ts';
import type { ListRow } from '../contact-lists.ts';
import { confirmationsByMailbox, confirmationsSince, lockCounts } from '../store.ts';
import { type ConfirmationRow, confirmationRows } from '../tables.ts';
import type { ListTextsByLanguage } from '../texts.ts';
import { builtInConfirmation, confirmationTemplate, nameFromForm } from './built-in-mails.ts';
import { mailboxOf } from './mailbox.ts';
import { confirmationToken } from './tokens.ts';

const day = 86_400_000;
/** The time for which a token is valid, in milliseconds. The limits use the same period. */
export const validMs = 30 * day;
const maxIn30Days = 3;
/** The maximum number of confirmation mails from forms per mailbox in 24 hours, over all lists and forms of the workspace. */
const maxFromFormsPerDay = 5;

/** The request that people confirm: membership in a list, or the request of another plugin's form. */
export interface ConfirmationRequest {
  /** The name that the mail shows. */
  readonly name: string;
  readonly listId: string | null;
  readonly asker: ConfirmationRow['asker'];
  readonly form: string | null;
  readonly subject: string | null;
}

/** A person who is asked to confirm. */
export interface ConfirmationRecipient {
  /** The normalised address. */
  readonly email: string;
  readonly addressAsGiven: string;
  /** The person's name in the mail; may be empty. */
  readonly name: string;
  readonly requestedBy: ConfirmationRow['requested_by'];
  readonly consentNote: string | null;
  readonly fields: ConfirmationRow['fields'];
  /** A BCP 47 tag. */
  readonly language: string | undefined;
}

/**
 * The people who may be asked now. Excludes people whose mail bounced or who complained. The limits are one mail in 24 hours and three
 * in 30 days. For forms, the limits apply to the mailbox without its tags, because a visitor may enter any address.
 */
async function allowedRecipients(
  { services, trx, now }: TransactionContext,
  { listId, form, subject }: ConfirmationRequest,
  people: readonly ConfirmationRecipient[],
): Promise<ConfirmationRecipient[]> {
  const byAddress = new Map(people.map((one) => [one.email, one]));
  const emails = [...byAddress.keys()];
  const suppressed = await services.suppressions.findAmong(trx, emails, now);
  const earlierTimes =
    listId === null ? new Map<string, number[]>() : await confirmationsSince(trx, listId, emails, now - validMs);
  const mailboxes = [...byAddress.values()]
    .filter(({ requestedBy }) => requestedBy !== 'member')
    .map(({ email }) => mailboxOf(email));
  const byMailbox = await confirmationsByMailbox(trx, mailboxes, now - validMs);
  return [...byAddress.values()].filter(({ email, requestedBy }) => {
    // A person who unsubscribed may still be asked: confirming removes the unsubscription.
    const suppressionReason = suppressed.get(email)?.reason;
    if (suppressionReason !== undefined && suppressionReason !== 'unsubscribe') return false;
    const ofMailbox = requestedBy === 'member' ? undefined : (byMailbox.get(mailboxOf(email)) ?? []);
    // Prevents a second mail if the job runs twice.
    if (subject !== null && ofMailbox?.some((row) => row.subject === subject)) return false;
    const today =
      ofMailbox?.filter(({ requested_by, created_at }) => requested_by !== 'member' && now - created_at < day) ?? [];
    if (today.length >= maxFromFormsPerDay) return false;
    const ofForm = ofMailbox?.filter((row) => row.list_id === listId && row.form === form);
    const times = ofForm?.map(({ created_at }) => created_at) ?? earlierTimes.get(email) ?? [];
    return times.length < maxIn30Days && now - Math.max(0, ...times) >= day;
  });
}

/** Sends confirmation mails for a list. */
export const sendListConfirmations = (
  ctx: TransactionContext,
  { id, name }: Pick<ListRow, 'id' | 'name'>,
  people: readonly ConfirmationRecipient[],
  languages: ListTextsByLanguage,
): Promise<number | undefined> =>
  sendConfirmations(ctx, { name, listId: id, asker: null, form: null, subject: null }, people, languages);

/**
 * Sends the mail to the people who may be asked. If the monthly budget does not have room for all, returns when the others can be
 * asked, in milliseconds since the epoch.
 */
export async function sendConfirmations(
  ctx: TransactionContext,
  request: ConfirmationRequest,
  people: readonly ConfirmationRecipient[],
  languages: ListTextsByLanguage,
): Promise<number | undefined> {
  const { services, ports, log } = ctx;
  const { trx, workspace, now } = ctx;
  const { name: title, listId, asker, form, subject } = request;
  // The limit of a mailbox covers all forms, so forms must wait for each other. The workspace is locked before its lists.
  if (people.some(({ requestedBy }) => requestedBy !== 'member')) await lockWorkspace(trx);
  // Without the lock, two jobs could both find that the same address may be asked for the same list.
  if (listId !== null) await lockCounts(trx, listId);
  const recipients = await allowedRecipients(ctx, request, people);
  if (recipients.length === 0) return undefined;
  const mails = recipients.map((one) => {
    const id = ctx.newId('lcf');
    return { id, one, url: contentUrl(ports.service, workspace, `/c/${confirmationToken(ports.keyring, id)}`) };
  });
  if (mails.some(({ url }) => url === undefined)) {
    log.warn(
      listId === null ? { form } : { list: listId },
      'nobody is asked to confirm: the service has no publicUrl, and the workspace no contentHost',
    );
    return undefined;
  }
  const brands: BrandsService | undefined = services.brands;
  const style = await brands?.style(trx);
  const sender = { name: style?.name ?? (workspace.defaultFrom.name || workspace.name), style };
  for (const [locale, group] of byLanguage(mails)) {
    const { sendIds, renewsAt: budgetRenewsAt } = await services.systemMail.accept(ctx, {
      template: confirmationTemplate,
      ...(locale === undefined ? {} : { locale }),
      builtIn: builtInConfirmation(sender, chooseTexts(languages, locale)),
      lane: 'bulk',
      despiteUnsubscribe: true,
      recipients: group.map(({ one, url }) => ({
        email: one.addressAsGiven,
        variables: { name: one.requestedBy === 'member' ? one.name : nameFromForm(one.name), list: title, url },
      })),
    });
    for (const { id, one } of group.slice(0, sendIds.length))
      confirmationRows.deferInsert(trx, {
        id,
        list_id: listId,
        asker,
        form,
        subject,
        title,
        language: one.language ?? null,
        email: one.email,
        mailbox: mailboxOf(one.email),
        address_as_given: one.addressAsGiven,
        requested_by: one.requestedBy,
        consent_note: one.consentNote,
        fields: one.fields,
        created_at: now,
        confirmed_at: null,
      });
    if (budgetRenewsAt !== undefined) return budgetRenewsAt;
  }
  return undefined;
}

/** Groups the mails by language. */
function byLanguage<Mail extends { readonly one: ConfirmationRecipient }>(
  mails: readonly Mail[],
): Map<string | undefined, Mail[]> {
  const groups = new Map<string | undefined, Mail[]>();
  for (const mail of mails) groups.set(mail.one.language, [...(groups.get(mail.one.language) ?? []), mail]);
  return groups;
}
