// The messages, consents and opt-outs of a person, by number. An erased message keeps its counts, its template and its times. The
// ledger of consents stays under a pseudonym: it proves the agreement, and a lookup of the same number still finds it.
import {
  type CursorPosition,
  type PersonalData,
  pseudonymOf,
  type TransactionContext,
  type WorkspaceHandle,
} from '../../core/index.ts';
import { giveBackBudget } from '../../core/unstable.ts';
import { presentConsent, presentSms } from './present.ts';
import {
  findSuppressed,
  listUnfinished,
  removeContents,
  removeSuppression,
  rewriteEvent,
  timelinesOf,
} from './store.ts';
import { consentRows, type SmsRow, smsRows, suppressionRows } from './tables.ts';
import { failed, recordOnTimeline } from './timeline/record.ts';

/** The maximum number of messages that one transaction erases. */
const messagesPerTransaction = 200;
/** The maximum number of messages that one statement reads for an export. */
const messagesPerStatement = 100;

const erasedReason =
  "The recipient's personal data was erased before the message was sent. A hand-over that had begun may still arrive.";

/** The numbers among the addresses of a person. */
const numbersOf = (addresses: readonly string[]): string[] => addresses.filter((address) => address.startsWith('+'));

/** Matches a number in a text in any provider's spelling: with or without the country code, with spaces, dots or brackets. */
const spellingsOf = (number: string): RegExp =>
  new RegExp(`(?:[+\\d(][\\d\\s().-]{0,20})?${[...number.slice(1).slice(-7)].join('[\\s().-]{0,3}')}(?!\\d)`, 'g');

async function exportMessages(handle: WorkspaceHandle, number: string, limit: number): Promise<unknown[]> {
  const messages: unknown[] = [];
  for (let after: CursorPosition | undefined, more = true; more && messages.length < limit; ) {
    const smsPage: SmsRow[] = await smsRows.page(handle, {
      where: { to_number: number },
      after,
      limit: messagesPerStatement,
    });
    const events = await timelinesOf(handle, smsPage);
    messages.push(...smsPage.map((row) => presentSms(row, events.get(row.id) ?? [])));
    const last = smsPage.at(-1);
    more = smsPage.length === messagesPerStatement && last !== undefined;
    if (last !== undefined) after = smsRows.position(last);
  }
  return messages.slice(0, limit);
}

async function eraseMessages(ctx: TransactionContext, number: string): Promise<'done' | 'more'> {
  const { trx } = ctx;
  const matchingSms = await smsRows.page(trx, { where: { to_number: number }, limit: messagesPerTransaction + 1 });
  const smsBatch = matchingSms.slice(0, messagesPerTransaction);
  if (smsBatch.length === 0) return 'done';
  const ids = smsBatch.map(({ id }) => id);
  const unfinished = new Set(await listUnfinished(trx, ids));
  await removeContents(trx, ids);
  const events = await timelinesOf(trx, smsBatch);
  const pseudonym = pseudonymOf(trx.workspaceId, number);
  const erase = (text: string): string => text.replace(spellingsOf(number), pseudonym);
  for (const row of smsBatch) {
    const changes = {
      to_number: pseudonym,
      number_range: pseudonym,
      body: '',
      why_not_sent: row.why_not_sent === null ? null : erase(row.why_not_sent),
    };
    await smsRows.update(trx, row.id, changes);
    for (const event of events.get(row.id) ?? []) {
      const { reason } = event.details;
      if (reason !== undefined && erase(reason) !== reason)
        await rewriteEvent(trx, { ...event, details: { ...event.details, reason: erase(reason) } });
    }
    if (!unfinished.has(row.id)) continue;
    const erased = { ...row, ...changes };
    await recordOnTimeline(ctx, erased, { ...failed(erasedReason), ownWords: true, finished: false });
    // The message was not handed over, so its budget is refunded. Sandbox messages do not use the budget.
    const isWaiting = row.status === 'queued' || row.status === 'scheduled';
    if (!row.sandbox && isWaiting && row.handed_over_at === null)
      giveBackBudget(ctx, 'sms', row.created_at, row.segments);
  }
  return matchingSms.length > messagesPerTransaction ? 'more' : 'done';
}

/** Keeps the number on the suppression list, under its pseudonym. */
async function eraseSuppression({ trx }: TransactionContext, number: string): Promise<void> {
  const row = await findSuppressed(trx, number);
  const pseudonym = pseudonymOf(trx.workspaceId, number);
  if (row === undefined || row.to_number === pseudonym) return;
  await removeSuppression(trx, number);
  await suppressionRows.insert(trx, {
    to_number: pseudonym,
    reason: row.reason,
    sms_id: row.sms_id,
    created_at: Number(row.created_at),
  });
}

export const personalData: PersonalData = {
  async export({ trx: handle }, { emails }, limit) {
    const numbers = numbersOf(emails);
    const [sms, consents, suppressed] = await Promise.all([
      Promise.all(numbers.map((number) => exportMessages(handle, number, limit))),
      Promise.all(numbers.map((number) => consentRows.page(handle, { where: { to_number: number }, limit }))),
      Promise.all(numbers.map((number) => findSuppressed(handle, number))),
    ]);
    return {
      sms: sms.flat(),
      consents: consents.flat().map(presentConsent),
      opt_outs: suppressed.flatMap((row) =>
        row === undefined ? [] : [{ to: row.to_number, since: new Date(Number(row.created_at)).toISOString() }],
      ),
    };
  },

  async erase(ctx, { emails }) {
    let outcome: 'done' | 'more' = 'done';
    for (const number of numbersOf(emails)) {
      if ((await eraseMessages(ctx, number)) === 'more') outcome = 'more';
      await eraseSuppression(ctx, number);
    }
    return outcome;
  },
};
