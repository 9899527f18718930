// Turns a batch of clicks into a row and writes it, with link.clicked for its subscribers and the job of the roll-up. The buffer
// calls it in one transaction of one side of a workspace.
import type { ReadContext, ServiceContext, TransactionContext } from '../../../core/index.ts';
import type { LinkClicked } from '../events.ts';
import type { LinksOptions } from '../options.ts';
import { batchRows, pendingRows } from '../tables.ts';
import { packClicks, type RecordedClick } from './batch.ts';
import type { Click } from './click.ts';
import { createLocationFinder, type LocationFinder } from './location.ts';
import { dayOf, type Salts, visitorOf } from './salts.ts';
import { type Client, type ClientHeaders, createClientReader } from './user-agent.ts';

/**
 * The interval at which roll-ups begin. A further request does not postpone a roll-up, however many processes make
 * requests.
 */
const rollUpMs = 2_000;

/** A batch to be written. */
export interface BatchToWrite {
  readonly id: string;
  readonly clicks: readonly Click[];
  /** Whether an earlier write of this batch was reported as failed. It may have succeeded all the same. */
  readonly isRetry: boolean;
}

/** Writes a batch and marks it as pending for the roll-up. */
export function writeBatch(
  { trx, now }: Pick<ReadContext, 'trx' | 'now'>,
  id: string,
  clicks: readonly RecordedClick[],
): void {
  batchRows.deferInsert(trx, { id, clicks: packClicks(clicks), created_at: now });
  pendingRows.deferInsert(trx, { id, clicks: clicks.length, created_at: now });
}

export interface ClickWriter {
  clientOf(headers: ClientHeaders): Client;
  readonly locationFinder: LocationFinder;
  write(ctx: TransactionContext, batch: BatchToWrite): Promise<void>;
}

export function createClickWriter(options: LinksOptions, { log }: ServiceContext, salts: Salts): ClickWriter {
  const clientOf = createClientReader();
  const locationFinder = createLocationFinder(options);

  function toRecordedClick(
    { target, at, client, location, referrer, qr, prefetch }: Click,
    salt: Uint8Array,
  ): RecordedClick {
    const { device, platform, browser, bot } = clientOf(client);
    const { country, city } = locationFinder.find(location);
    return {
      linkId: target.linkId,
      visitor: visitorOf(salt, target.linkId, location.address, client.userAgent),
      at,
      bot: bot || prefetch,
      qr,
      country: country ?? null,
      city: city ?? null,
      device,
      platform,
      browser,
      referrer: referrer ?? null,
      utm: target.utm,
    };
  }

  /** Skips a click that cannot be recorded, so that it does not hold up the others. */
  function recordOrSkip(click: Click, salt: Uint8Array): RecordedClick | undefined {
    try {
      return toRecordedClick(click, salt);
    } catch (cause) {
      log.error({ cause: String(cause), linkId: click.target.linkId }, 'a click of a short link was dropped');
      return undefined;
    }
  }

  return {
    clientOf,
    locationFinder,
    async write(ctx, { id, clicks, isRetry }) {
      if (isRetry && (await batchRows.find(ctx.trx, id)) !== undefined) return;
      const events: { readonly data: LinkClicked }[] = [];
      const batch: RecordedClick[] = [];
      for (const click of clicks) {
        const recordedClick = recordOrSkip(click, await salts.of(ctx, dayOf(click.at)));
        if (recordedClick === undefined) continue;
        batch.push(recordedClick);
        const { linkId, country, device, platform, referrer, bot } = recordedClick;
        events.push({ data: { linkId, slug: click.target.slug, country, device, platform, referrer, bot } });
      }
      if (batch.length === 0) return;
      writeBatch(ctx, id, batch);
      // Checks once for the whole batch whether a consumer subscribes to the event.
      await ctx.emitEach('link.clicked', events);
      const runAt = (Math.floor(ctx.now / rollUpMs) + 1) * rollUpMs;
      ctx.enqueue({ kind: 'links.roll_up', key: 'links.roll_up', payload: {}, runAt });
    },
  };
}
