// Records an open or a click: classifies it, puts it on the timeline, and counts it unless a bot made it. Called by the public routes
// and for provider reports. The client's address is only passed to the classifier.
import { type Logger, onSide, type TransactionContext } from '../../../core/index.ts';
import { countHit, listEvents, rewriteEvent, sendRows } from '../store.ts';
import type { SendEventRow, SendRow } from '../tables.ts';
import { recordOnTimeline } from '../timeline.ts';
import type { TrackingClassifier, TrackingHit, TrackingVerdict } from './classify.ts';

/** One open or click. */
export interface Hit {
  readonly kind: 'open' | 'click';
  /** The target of a clicked link. */
  readonly url?: string;
  readonly client: Pick<TrackingHit, 'userAgent' | 'address' | 'headers'>;
  /** How many different links are tracked; undefined if not known. */
  readonly links?: number | undefined;
  /** The id of the timeline item, so that a second report of the same hit finds it. (Default: a new id) */
  readonly id?: string;
}

/** The classifier of hits, and a log for its failures. */
export interface Judge {
  readonly classify: TrackingClassifier;
  readonly log: Logger;
}

/**
 * The maximum number of opens and clicks on one timeline. Further hits are only counted, so that a loop in a client cannot fill the
 * database. Further hits that a provider reports are not counted, because a repeated report cannot be distinguished from a new one.
 */
const longestTimeline = 100;
/** Clicks within this time count as simultaneous, in milliseconds. */
const onceMs = 3_000;

const isHit = ({ type }: SendEventRow): boolean => type === 'send.opened' || type === 'send.clicked';
const beforeHandOver: ReadonlySet<string> = new Set(['send.queued', 'send.scheduled', 'send.delivery_delayed']);

/** When the message was handed over, or its delivery simulated. */
const handedOverAt = (events: readonly SendEventRow[]): number | undefined =>
  events.find((event) => !beforeHandOver.has(event.type) && !isHit(event))?.ts;

const recentClicks = (events: readonly SendEventRow[], now: number): SendEventRow[] =>
  events.filter(({ type, ts }) => type === 'send.clicked' && now - ts <= onceMs);

function judge({ classify, log }: Judge, hit: TrackingHit): TrackingVerdict {
  try {
    return classify(hit);
  } catch (cause) {
    log.error({ cause: String(cause) }, 'the classifier of opens and clicks failed');
    return { verdict: 'unknown', reason: 'classifier_failed' };
  }
}

/** Marks earlier simultaneous clicks as made by a bot, and no longer counts them. */
async function takeBack(
  { trx }: TransactionContext,
  send: SendRow,
  clicks: readonly SendEventRow[],
  bot: TrackingVerdict,
) {
  const counted = clicks.filter(({ details }) => details.bot?.verdict !== 'bot');
  for (const click of counted) await rewriteEvent(trx, { ...click, details: { ...click.details, bot } });
  if (counted.length > 0) await sendRows.update(trx, send.id, { clicks: Math.max(0, send.clicks - counted.length) });
}

/** Records a hit. Returns false if the send does not exist, or the timeline already has the hit. */
export async function recordHit(
  effects: TransactionContext,
  sendId: string,
  hit: Hit,
  judging: Judge,
): Promise<boolean> {
  const send = await sendRows.lock(effects.trx.bothSides('a token names a send, whichever side it is on'), sendId);
  if (send === undefined) return false;
  const sided = onSide(effects, send.sandbox);
  const events = await listEvents(sided.trx, sendId);
  const { kind, url, id } = hit;
  if (id !== undefined && events.some((event) => event.id === id)) return false;
  const clicks = kind === 'click' ? recentClicks(events, effects.now) : [];
  const handedOver = handedOverAt(events);
  const bot = judge(judging, {
    kind,
    ...hit.client,
    sinceHandOverMs: handedOver === undefined ? undefined : effects.now - handedOver,
    linksAtOnce: kind === 'click' ? new Set([url, ...clicks.map(({ details }) => details.click?.url)]).size : 0,
    links: hit.links,
  });
  if (bot.reason === 'every_link_at_once') await takeBack(sided, send, clicks, bot);
  if (events.filter(isHit).length >= longestTimeline) {
    if (bot.verdict !== 'bot' && id === undefined)
      await countHit(sided.trx, sendId, kind === 'open' ? 'opens' : 'clicks');
    return true;
  }
  await recordOnTimeline(id === undefined ? sided : { ...sided, newId: () => id }, send, {
    type: kind === 'open' ? 'send.opened' : 'send.clicked',
    details: { ...(url === undefined ? {} : { click: { url } }), bot },
    finished: false,
  });
  return true;
}
