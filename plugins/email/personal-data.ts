// The sends of a person: address, content and server responses. An erased send keeps its counts, its template and its
// times. A pseudonym replaces the address.
import {
  type AddressFinder,
  type CursorPosition,
  createAddressFinder,
  type PersonalData,
  pseudonymOf,
  type TransactionContext,
} from '../../core/index.ts';
import { presentSend } from './present.ts';
import type { SendTimelineDetails } from './schema.ts';
import { listUnfinished, removeContents, replaceTags, rewriteEvent, sendRows, timelinesOf } from './store.ts';
import type { SendEventRow, SendRow } from './tables.ts';
import { recordOnTimeline, withoutPath } from './timeline/record.ts';

/** The maximum number of sends that one transaction erases. */
const batch = 200;
/** The maximum number of sends that one statement reads for an export. */
const page = 100;

const erasedReason =
  "The recipient's personal data was erased before the message was sent. A hand-over that had begun may still arrive.";

const withoutAddress = (row: SendRow, finder: AddressFinder, pseudonym: string) => ({
  to_address: pseudonym,
  to_normalised: pseudonym,
  subject: '',
  tags: row.tags.map((tag) => finder.erase(tag)),
  metadata: null,
  why_not_sent: row.why_not_sent === null ? null : finder.erase(row.why_not_sent),
});

async function eraseEvents(
  { trx }: TransactionContext,
  events: readonly SendEventRow[],
  finder: AddressFinder,
): Promise<void> {
  for (const event of events) {
    const before = JSON.stringify(event.details);
    const keptDetails = JSON.stringify(withoutPath(event.details));
    const after = keptDetails.includes('@') ? finder.eraseJson(keptDetails) : keptDetails;
    if (after !== before) await rewriteEvent(trx, { ...event, details: JSON.parse(after) as SendTimelineDetails });
  }
}

async function eraseSends(ctx: TransactionContext, email: string): Promise<'done' | 'more'> {
  const { trx } = ctx;
  const sends = await sendRows.page(trx, { where: { to_normalised: email }, limit: batch + 1 });
  const batchOfSends = sends.slice(0, batch);
  if (batchOfSends.length === 0) return 'done';
  const events = await timelinesOf(trx, batchOfSends);
  const ids = batchOfSends.map(({ id }) => id);
  const unfinished = new Set(await listUnfinished(trx, ids));
  await removeContents(trx, ids);
  const finder = createAddressFinder(trx.workspaceId, [email]);
  for (const row of batchOfSends) {
    const changes = withoutAddress(row, finder, pseudonymOf(trx.workspaceId, email));
    await sendRows.update(trx, row.id, changes);
    await replaceTags(trx, row, changes.tags);
    await eraseEvents(ctx, events.get(row.id) ?? [], finder);
    // A send that has not gone out yet fails, because its content and its recipient are erased.
    if (unfinished.has(row.id))
      await recordOnTimeline(
        ctx,
        { ...row, ...changes },
        {
          type: 'send.failed',
          status: 'failed',
          details: { reason: erasedReason },
          whyNotSent: erasedReason,
          isServiceText: true,
          finished: false,
        },
      );
  }
  return sends.length > batch ? 'more' : 'done';
}

export const personalData: PersonalData = {
  async export({ trx: handle }, { emails }, limit) {
    const sends: unknown[] = [];
    for (const email of emails)
      for (let after: CursorPosition | undefined, hasMore = true; hasMore && sends.length < limit; ) {
        const rows = await sendRows.page(handle, { where: { to_normalised: email }, after, limit: page });
        const events = await timelinesOf(handle, rows);
        sends.push(...rows.map((row) => presentSend(row, events.get(row.id) ?? [])));
        const last = rows.at(-1);
        hasMore = rows.length === page && last !== undefined;
        if (last !== undefined) after = sendRows.position(last);
      }
    return { sends: sends.slice(0, limit) };
  },

  async erase(ctx, { emails }) {
    let outcome: 'done' | 'more' = 'done';
    for (const email of emails) if ((await eraseSends(ctx, email)) === 'more') outcome = 'more';
    return outcome;
  },
};
