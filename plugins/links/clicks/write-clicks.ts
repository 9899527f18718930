// Makes rows of clicks and writes them, with link.clicked for its subscribers and the job of the roll-up. Called by the buffer, in
// one transaction of one side of a workspace.
import type { Effects, ServiceSurface, WorkspaceHandle } from '../../../core/index.ts';
import { filledList, tenantRows } from '../../../core/index.ts';
import type { LinkClicked } from '../events.ts';
import type { LinksOptions } from '../options.ts';
import type { ClickRow } from '../tables.ts';
import { linkClicks } from '../tables.ts';
import type { Click } from './click.ts';
import type { PlaceFinder } from './place.ts';
import { createPlaceFinder } from './place.ts';
import type { Salts } from './salts.ts';
import { dayOf, visitorOf } from './salts.ts';
import type { Client, ClientHeaders } from './user-agent.ts';
import { createClientReader } from './user-agent.ts';

export const clickRows = tenantRows(linkClicks);

/** Roll-ups begin at the end of such a span: however many processes ask, the time does not move away. */
const rollUpMs = 2_000;

/** A click on its way to the database. */
export interface ClickToWrite {
  readonly id: string;
  readonly click: Click;
  /** A write of it failed before: it may be there all the same. */
  readonly tried: boolean;
}

/** Those of the clicks that are not stored yet. */
async function missingOf({ db }: WorkspaceHandle, clicks: readonly ClickToWrite[]): Promise<readonly ClickToWrite[]> {
  const tried = clicks.filter((one) => one.tried).map(({ id }) => id);
  if (tried.length === 0) return clicks;
  const rows = await db.selectFrom('link_clicks').select('id').where('id', 'in', filledList(tried)).execute();
  const stored = new Set(rows.map(({ id }) => id));
  return clicks.filter(({ id }) => !stored.has(id));
}

/** Writes clicks. */
export interface ClickWriter {
  clientOf(headers: ClientHeaders): Client;
  readonly places: PlaceFinder;
  write(effects: Effects, clicks: readonly ClickToWrite[]): Promise<void>;
}

export function createClickWriter(options: LinksOptions, { log }: ServiceSurface, salts: Salts): ClickWriter {
  const clientOf = createClientReader();
  const places = createPlaceFinder(options);

  function rowOf(id: string, click: Click, salt: Uint8Array): ClickRow {
    const { target, at, client, place, referrer, qr, prefetch } = click;
    const { device, platform, browser, bot } = clientOf(client);
    const { country, city } = places.find(place);
    return {
      id,
      link_id: target.linkId,
      visitor: visitorOf(salt, target.linkId, place.address, client.userAgent),
      bot: bot || prefetch,
      qr,
      country: country ?? null,
      city: city ?? null,
      device,
      platform,
      browser,
      referrer: referrer ?? null,
      utm: target.utm,
      pending: target.linkId,
      created_at: at,
    };
  }

  /** One click that no row can be made of does not hold up the others. */
  function made(id: string, click: Click, salt: Uint8Array): ClickRow | undefined {
    try {
      return rowOf(id, click, salt);
    } catch (cause) {
      log.error({ cause: String(cause), linkId: click.target.linkId }, 'a click of a short link was dropped');
      return undefined;
    }
  }

  return {
    clientOf,
    places,
    async write(effects, clicks) {
      const events: { readonly data: LinkClicked }[] = [];
      for (const { id, click } of await missingOf(effects.trx, clicks)) {
        const salt = await salts.of(effects, dayOf(click.at));
        const row = made(id, click, salt);
        if (row === undefined) continue;
        clickRows.deferInsert(effects.trx, row);
        const { link_id: linkId, country, device, platform, referrer, bot } = row;
        events.push({ data: { linkId, slug: click.target.slug, country, device, platform, referrer, bot } });
      }
      // Asks once for the whole batch whether a consumer subscribes to it.
      await effects.emitEach('link.clicked', events);
      const runAt = (Math.floor(effects.now / rollUpMs) + 1) * rollUpMs;
      effects.enqueue({ kind: 'links.roll_up', key: 'links.roll_up', payload: {}, runAt });
    },
  };
}
