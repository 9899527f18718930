// What happens to a send after it was accepted: the status that it moves to, the timeline, the event.
import type { Effects } from '../../core/index.ts';
import type { SendEventType } from './events.ts';
import type { TimelineFacts } from './present.ts';
import { presentEvent, presentSend } from './present.ts';
import { addEvent, findSend, listEvents, saveState } from './store.ts';
import type { SendEventRow, SendRow, SendStatus } from './tables.ts';

/** Later facts never move a status backwards (10-email.md). */
const rank: Readonly<Record<SendStatus, number>> = {
  scheduled: 0,
  sent: 1,
  delivery_delayed: 2,
  delivered: 3,
  bounced: 4,
  complained: 5,
  failed: 9,
  suppressed: 9,
  canceled: 9,
};

const final: ReadonlySet<SendStatus> = new Set(['failed', 'suppressed', 'canceled']);

/** The status after a fact. */
export function moveStatus(from: SendStatus, to: SendStatus): SendStatus {
  if (final.has(from)) return from;
  return rank[to] > rank[from] ? to : from;
}

/** One fact about a send. */
export interface SendFact {
  readonly type: SendEventType;
  /** The status that the fact asks for; left out where it moves none. */
  readonly status?: SendStatus;
  /** An open or a click of a `bot` stands on the timeline and is not counted; those of whom nobody knows are. */
  readonly facts?: TimelineFacts;
  readonly whyNotSent?: string;
  readonly provider?: string;
  /** Nothing more will happen by our own doing: the content may be erased after its time. */
  readonly finished: boolean;
}

/**
 * Writes the fact: status, timeline and event commit together. The row is read again, for others may have changed it
 * since; of `send`, only what a delivery itself changes counts: `provider` and `handed_over_at`.
 */
export async function recordFact(effects: Effects, send: SendRow, fact: SendFact): Promise<void> {
  const stored = (await findSend(effects.trx, send.id)) ?? send;
  const counted = fact.facts?.bot?.verdict === 'bot' ? 0 : 1;
  const next: SendRow = {
    ...stored,
    status: fact.status === undefined ? stored.status : moveStatus(stored.status, fact.status),
    provider: fact.provider ?? send.provider,
    handed_over_at: send.handed_over_at,
    why_not_sent: fact.whyNotSent ?? stored.why_not_sent,
    opens: stored.opens + (fact.type === 'send.opened' ? counted : 0),
    clicks: stored.clicks + (fact.type === 'send.clicked' ? counted : 0),
  };
  // The send's own flag: a live key's test send is as synthetic as all that a sandbox key causes.
  const synthetic = send.sandbox === 1;
  const item: SendEventRow = {
    id: effects.newId('evt'),
    workspace_id: send.workspace_id,
    send_id: send.id,
    type: fact.type,
    ts: effects.now,
    facts: JSON.stringify({ ...(synthetic ? { synthetic: true } : {}), ...fact.facts }),
  };
  const events = await listEvents(effects.trx, send.id);
  saveState(effects.trx, next, fact.finished ? effects.now : undefined);
  addEvent(effects.trx, item);
  const data = { ...presentSend(next, [...events, item]), event: presentEvent(item) };
  // One fact, one id; and erasing the recipient finds the event.
  effects.emit(fact.type, data, { synthetic, id: item.id, subject: stored.to_normalised });
}
