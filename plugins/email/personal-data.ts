// What sends hold of a person: their address, what was written to them, what servers said about them. Erased, a send
// keeps its figures, its template and its times, under a pseudonym in place of the address.
import type { AddressFinder, Effects, PersonalData } from '../../core/index.ts';
import { createAddressFinder, pseudonymOf } from '../../core/index.ts';
import { presentSend } from './present.ts';
import { listSends, listUnfinished, removeContents, rewriteEvent, rewriteSend } from './store.ts';
import type { SendEventRow, SendRow } from './tables.ts';
import { recordOnTimeline } from './timeline.ts';

/** So many sends are erased in one transaction. */
const batch = 200;
/** So many are read at a time for an export. */
const page = 100;

const noTimes = { since: undefined, until: undefined };

const abandoned = "The recipient's personal data was erased before the message was handed over.";

function erased(row: SendRow, finder: AddressFinder, pseudonym: string): SendRow {
  return {
    ...row,
    to_address: pseudonym,
    to_normalised: pseudonym,
    subject: '',
    metadata: null,
    why_not_sent: row.why_not_sent === null ? null : finder.erase(row.why_not_sent),
  };
}

async function eraseEvents({ trx }: Effects, events: readonly SendEventRow[], finder: AddressFinder): Promise<void> {
  for (const event of events) {
    const details = event.details.includes('@') ? finder.eraseJson(event.details) : event.details;
    if (details !== event.details) await rewriteEvent(trx, { ...event, details });
  }
}

async function eraseSends(effects: Effects, email: string): Promise<'done' | 'more'> {
  const { trx } = effects;
  const { rows, events } = await listSends(trx, { to_normalised: email }, noTimes, batch, undefined);
  const shown = rows.slice(0, batch);
  if (shown.length === 0) return 'done';
  const pseudonym = pseudonymOf(trx.workspaceId, email);
  const ids = shown.map(({ id }) => id);
  const unfinished = new Set(await listUnfinished(trx, ids));
  await removeContents(trx, ids);
  const finder = createAddressFinder(trx.workspaceId, [email]);
  for (const row of shown) {
    const next = erased(row, finder, pseudonym);
    await rewriteSend(trx, next);
    await eraseEvents(effects, events.get(row.id) ?? [], finder);
    // What has not gone out never will: there is nothing left to write, and nobody to write to.
    if (unfinished.has(row.id))
      await recordOnTimeline(effects, next, {
        type: 'send.failed',
        status: 'failed',
        details: { reason: abandoned },
        whyNotSent: abandoned,
        finished: false,
      });
  }
  return rows.length > batch ? 'more' : 'done';
}

export const personalData: PersonalData = {
  async export(handle, { emails }, _, limit) {
    const sends: unknown[] = [];
    for (const email of emails) {
      let after: { createdAt: number; id: string } | undefined;
      do {
        const { rows, events } = await listSends(handle, { to_normalised: email }, noTimes, page, after);
        const shown = rows.slice(0, page);
        sends.push(...shown.map((row) => presentSend(row, events.get(row.id) ?? [])));
        const last = shown.at(-1);
        after = rows.length > page && last !== undefined ? { createdAt: last.created_at, id: last.id } : undefined;
      } while (after !== undefined && sends.length < limit);
    }
    return { sends: sends.slice(0, limit) };
  },

  async erase(effects, { emails }) {
    let left: 'done' | 'more' = 'done';
    for (const email of emails) if ((await eraseSends(effects, email)) === 'more') left = 'more';
    return left;
  },
};
