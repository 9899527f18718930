// `ctx.services.broadcastSends`: decides whether the mails of a broadcast may be handed over, and counts what happens to them. Called by
// the email plugin, in the transaction of each change.
import { defineStatement, isPseudonym, type TransactionContext } from '../../core/index.ts';
import type { BroadcastGate, BroadcastSends, SendChange } from '../email/index.ts';
import { isStillMember } from './audience.ts';
import { type BroadcastRow, broadcastHeads } from './broadcasts.ts';
import { type Audience, type Exclusion, exclusions, type Fact } from './schema.ts';
import { type RecipientRow, type RecipientState, recipientRows } from './tables.ts';
import { addCounts, type CountChanges } from './tallies.ts';

function gateIn(status: BroadcastRow['status'] | undefined): BroadcastGate {
  if (status === 'canceled') return 'canceled';
  return status === 'paused' ? 'paused' : 'open';
}

/** All columns that decide on a mail of a broadcast. One statement reads them for each mail. */
const recipientOf = defineStatement((db, p: { send_id: string }) =>
  db
    .selectFrom('broadcast_recipients as recipient')
    .innerJoin('broadcasts as sent', 'sent.id', 'recipient.broadcast_id')
    .select(['recipient.basis', 'recipient.contact_id', 'sent.status', 'sent.audience'])
    .where('recipient.send_id', '=', p.send_id),
);

/** The events that show that a mail was handed over. In the sandbox, no send.sent precedes a simulated outcome. */
const handedOver: ReadonlySet<string> = new Set([
  ...['send.sent', 'send.delivered', 'send.bounced', 'send.complained', 'send.opened', 'send.clicked'],
]);

const pendingStates: ReadonlySet<RecipientState> = new Set(['queued', 'parked']);

const knownReasons: ReadonlySet<string> = new Set(exclusions);

/** The reason why an accepted mail was not sent. For a suppression, `text` is a sentence and not a code. */
const reasonOf = (text: string | null): Exclusion =>
  text !== null && knownReasons.has(text) ? (text as Exclusion) : 'suppressed';

/** The new state of a recipient whose mail had not left, and its counts. */
function stateAfter({
  after,
  type,
}: SendChange): { state: RecipientState; reason: string | null; counts: CountChanges } | undefined {
  if (type === undefined) return undefined;
  if (handedOver.has(type)) return { state: 'handed_over', reason: null, counts: {} };
  if (type === 'send.failed') {
    // An erasure ends sends that were not handed over.
    if (isPseudonym(after.to_normalised))
      return { state: 'excluded', reason: 'erased', counts: { accepted: -1, 'excluded.erased': 1 } };
    const reason = after.why_not_sent === 'expired' ? 'expired' : 'failed';
    return { state: 'failed', reason, counts: { accepted: -1, failed: 1 } };
  }
  if (type === 'send.canceled') return { state: 'canceled', reason: null, counts: { accepted: -1, canceled: 1 } };
  if (type !== 'transactional.suppressed') return undefined;
  const reason = reasonOf(after.why_not_sent);
  return { state: 'excluded', reason, counts: { accepted: -1, [`excluded.${reason}`]: 1 } };
}

const factsByType: Readonly<Record<string, Fact>> = {
  'send.delivered': 'delivered',
  'send.bounced': 'bounced',
  'send.complained': 'complained',
  'send.unsubscribed': 'unsubscribed',
};

/** The facts that the change adds to a recipient (`holds`), and the facts that it removes. */
function factsOf({ before, after, type }: SendChange): { readonly fact: Fact; readonly holds: boolean }[] {
  const changedFacts: { fact: Fact; holds: boolean }[] = [];
  const byType = factsByType[type ?? ''];
  if (byType !== undefined) changedFacts.push({ fact: byType, holds: true });
  for (const [fact, was, is] of [
    ['opened', before.opens, after.opens],
    ['clicked', before.clicks, after.clicks],
  ] as const)
    if (was > 0 !== is > 0) changedFacts.push({ fact, holds: is > 0 });
  return changedFacts;
}

async function recordFacts(ctx: TransactionContext, recipient: RecipientRow, change: SendChange): Promise<void> {
  const counts: CountChanges = {};
  const changes: { -readonly [K in keyof RecipientRow]?: RecipientRow[K] } = {};
  const next = pendingStates.has(recipient.state) ? stateAfter(change) : undefined;
  if (next !== undefined) {
    Object.assign(counts, next.counts);
    Object.assign(changes, { state: next.state, reason: next.reason, at: change.at, due_at: null });
  }
  for (const { fact, holds } of factsOf(change)) {
    const column = `${fact}_at` as const;
    if ((recipient[column] !== null) === holds) continue;
    changes[column] = holds ? change.at : null;
    counts[fact] = holds ? 1 : -1;
  }
  if (Object.keys(changes).length === 0) return;
  recipientRows.deferUpdate(ctx.trx, recipient.id, changes);
  addCounts(ctx, recipient.broadcast_id, counts);
}

/** Creates the service. It has no state. */
export const createBroadcastSends = (): BroadcastSends => ({
  async gateOf(ctx, { id, broadcast_id: broadcastId, to_normalised: address }, moment) {
    const { trx } = ctx;
    const recipient = await trx.one(recipientOf, { send_id: id });
    // The recipients of an old broadcast no longer exist.
    if (recipient === undefined) return gateIn((await broadcastHeads.find(trx, broadcastId ?? ''))?.status);
    const gate = gateIn(recipient.status);
    if (gate !== 'open' || moment === 'begins' || recipient.basis !== 'list') return gate;
    const audience = JSON.parse(String(recipient.audience)) as Audience;
    return (await isStillMember(ctx, audience, { address, contactId: recipient.contact_id })) ? gate : 'no_consent';
  },

  async park(ctx, send) {
    if (send.broadcast_id === null) return 'open';
    // A shared lock, because other deliveries share it. A call that resumes or cancels waits for them, and then finds the mails that they
    // have parked.
    const row = await broadcastHeads.findBy(ctx.trx, { id: send.broadcast_id }, 'share');
    const gate = gateIn(row?.status);
    if (gate !== 'paused') return gate;
    const recipient = await recipientRows.findBy(ctx.trx, { send_id: send.id }, 'update');
    if (recipient !== undefined && pendingStates.has(recipient.state))
      await recipientRows.update(ctx.trx, recipient.id, { state: 'parked' });
    ctx.ports.phase('broadcasts.parking', send.id);
    return 'paused';
  },

  async sendChanged(ctx, change) {
    const recipient = await recipientRows.findBy(ctx.trx, { send_id: change.before.id }, 'update');
    if (recipient !== undefined) await recordFacts(ctx, recipient, change);
  },
});
