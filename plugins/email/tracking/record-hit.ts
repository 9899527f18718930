// Records an open or a click: classifies it, puts it on the timeline, and counts it unless a bot made it. Called by the public routes
// and for provider reports. The client's address is only passed to the classifier.
import { type Logger, onSide, type TransactionContext } from '../../../core/index.ts';
import { reportChange } from '../delivery/broadcast-sends.ts';
import { countHit, listEvents, rewriteEvent, sendRows } from '../store.ts';
import type { SendEventRow, SendRow } from '../tables.ts';
import { believableTime, happenedAt } from '../timeline/occurred-at.ts';
import { recordOnTimeline } from '../timeline/record.ts';
import type { TrackingClassifier, TrackingHit, TrackingVerdict } from './classify.ts';

/** One open or click. */
export interface Hit {
  readonly kind: 'open' | 'click';
  /** The target of a clicked link. */
  readonly url?: string;
  readonly client: Pick<TrackingHit, 'userAgent' | 'address' | 'headers'>;
  /** The number of different links that are tracked; undefined if not known. */
  readonly links?: number | undefined;
  /** The id of the timeline item, so that a second report of the same hit finds it. (Default: a new id) */
  readonly id?: string;
  /** The time of the hit by the provider's clock, in milliseconds since the epoch. (Default: now) */
  readonly at?: number | undefined;
  /** Whether the provider considers the client a program. (Default: false) */
  readonly isBot?: boolean;
}

/** The classifier of hits, and a log for its failures. */
export interface HitClassifier {
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

const namedByProvider: TrackingVerdict = { verdict: 'bot', reason: 'named_by_provider' };

const isHit = ({ type }: SendEventRow): boolean => type === 'send.opened' || type === 'send.clicked';
const beforeHandOver: ReadonlySet<string> = new Set(['send.queued', 'send.scheduled', 'send.delivery_delayed']);

/** The time at which the message was handed over, or its delivery simulated. */
const handedOverAt = (events: readonly SendEventRow[]): number | undefined =>
  events.find((event) => !beforeHandOver.has(event.type) && !isHit(event))?.ts;

const simultaneousClicks = (events: readonly SendEventRow[], time: number): SendEventRow[] =>
  events.filter((event) => event.type === 'send.clicked' && Math.abs(time - happenedAt(event)) <= onceMs);

/**
 * Providers report minutes later, and many hits at once. The provider's time counts, unless its clock is behind this service's
 * clock.
 */
function timeSince(handedOver: number | undefined, occurredAt: number | undefined, now: number): number | undefined {
  if (handedOver === undefined) return undefined;
  return (occurredAt !== undefined && occurredAt > handedOver ? occurredAt : now) - handedOver;
}

function judge({ classify, log }: HitClassifier, hit: TrackingHit): TrackingVerdict {
  try {
    return classify(hit);
  } catch (cause) {
    log.error({ cause: String(cause) }, 'the classifier of opens and clicks failed');
    return { verdict: 'unknown', reason: 'classifier_failed' };
  }
}

/** Marks earlier simultaneous clicks as made by a bot, and no longer counts them. */
async function uncountClicks(
  ctx: TransactionContext,
  send: SendRow,
  clicks: readonly SendEventRow[],
  bot: TrackingVerdict,
) {
  const counted = clicks.filter(({ details }) => details.bot?.verdict !== 'bot');
  const { trx } = ctx;
  for (const click of counted) await rewriteEvent(trx, { ...click, details: { ...click.details, bot } });
  if (counted.length === 0) return;
  const remainingClicks = Math.max(0, send.clicks - counted.length);
  await sendRows.update(trx, send.id, { clicks: remainingClicks });
  await reportChange(ctx, { before: send, after: { ...send, clicks: remainingClicks }, at: ctx.now });
}

/** Records a hit. Returns false if the send does not exist, or the timeline already has the hit. */
export async function recordHit(
  ctx: TransactionContext,
  sendId: string,
  hit: Hit,
  classifier: HitClassifier,
): Promise<boolean> {
  const send = await sendRows.lock(ctx.trx.bothSides('a token names a send, whichever side it is on'), sendId);
  if (send === undefined) return false;
  const sideCtx = onSide(ctx, send.sandbox);
  const events = await listEvents(sideCtx.trx, sendId);
  const { kind, url, id } = hit;
  if (id !== undefined && events.some((event) => event.id === id)) return false;
  const occurredAt = believableTime(hit.at, send, ctx.now);
  const clicks = kind === 'click' ? simultaneousClicks(events, occurredAt ?? ctx.now) : [];
  const classified = judge(classifier, {
    kind,
    ...hit.client,
    sinceHandOverMs: timeSince(handedOverAt(events), occurredAt, ctx.now),
    linksAtOnce: kind === 'click' ? new Set([url, ...clicks.map(({ details }) => details.click?.url)]).size : 0,
    links: hit.links,
  });
  const bot = hit.isBot === true && classified.verdict !== 'bot' ? namedByProvider : classified;
  if (bot.reason === 'every_link_at_once') await uncountClicks(sideCtx, send, clicks, bot);
  if (events.filter(isHit).length >= longestTimeline) {
    if (bot.verdict !== 'bot' && id === undefined)
      await countHit(sideCtx.trx, sendId, kind === 'open' ? 'opens' : 'clicks');
    return true;
  }
  await recordOnTimeline(id === undefined ? sideCtx : { ...sideCtx, newId: () => id }, send, {
    type: kind === 'open' ? 'send.opened' : 'send.clicked',
    details: { ...(url === undefined ? {} : { click: { url } }), bot },
    occurredAt,
    finished: false,
  });
  return true;
}
