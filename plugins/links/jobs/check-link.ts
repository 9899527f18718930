import { type CursorPosition, defineJob, type JobContext, z } from '../../../core/index.ts';
import { checkLater } from '../abuse/check-later.ts';
import { applyCheck } from '../abuse/set-abuse.ts';
import { destinationsOf } from '../choose-rule.ts';
import type { BlockListEntry } from '../port/block-list.ts';
import { type LinkRow, linkRows } from '../tables.ts';

/** The timeout of one call of the block list. */
const listMs = 15_000;
/** The number of links in one read. */
const pageSize = 50;
/** The maximum number of URLs in one call of the block list. */
const maxUrls = 100;

/** Queries the block list for the destinations of links. */
async function queryBlockList(ctx: JobContext, rows: readonly LinkRow[]): Promise<ReadonlyMap<string, BlockListEntry>> {
  const list = await ctx.ports.linkBlockList.of(ctx.workspace.id);
  const urls = [...new Set(rows.flatMap((row) => destinationsOf(row.destination_url, row.route_rules)))];
  const entries = new Map<string, BlockListEntry>();
  for (let from = 0; from < urls.length; from += maxUrls) {
    const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(listMs)]);
    for (const [url, entry] of await list.check(urls.slice(from, from + maxUrls), signal)) entries.set(url, entry);
  }
  return entries;
}

/** Applies the entries to links. A link whose destinations changed meanwhile is checked again; other changes do not matter. */
async function applyEntries(ctx: JobContext, links: readonly LinkRow[], entries: ReadonlyMap<string, BlockListEntry>) {
  for (const link of links) {
    const earlierDestinations = new Set(destinationsOf(link.destination_url, link.route_rules));
    await ctx.checkpoint(async (tx) => {
      const row = await linkRows.lock(tx.trx.onSide(ctx.sandbox), link.id);
      if (row === undefined || row.archived_at !== null) return;
      const isKnown = destinationsOf(row.destination_url, row.route_rules).every((url) => earlierDestinations.has(url));
      if (isKnown) await applyCheck(tx, row, entries);
      else checkLater(tx, row);
    });
  }
}

/** Checks one link, after it was created or changed. */
export const checkLink = defineJob({
  kind: 'links.check',
  payload: z.object({ linkId: z.string() }),
  lane: 'outbound',
  async handler(ctx, { linkId }) {
    const row = await ctx.read(({ trx }) => linkRows.find(trx.onSide(ctx.sandbox), linkId));
    if (row === undefined || row.archived_at !== null) return;
    await applyEntries(ctx, [row], await queryBlockList(ctx, [row]));
  },
});

/** Checks all links of one side of a workspace again, because block lists change. */
export const checkLinks = defineJob({
  kind: 'links.check_all',
  payload: z.object({}),
  lane: 'outbound',
  timeoutMs: 600_000,
  async handler(ctx) {
    for (let after: CursorPosition | undefined, more = true; more; ) {
      if (ctx.signal.aborted) throw ctx.signal.reason;
      const range = { where: { archived_at: null }, after, limit: pageSize };
      const page = await ctx.read(({ trx }) => linkRows.page(trx.onSide(ctx.sandbox), range));
      const entries = await queryBlockList(ctx, page);
      const isAffected = (row: LinkRow) =>
        row.abuse !== 'none' || destinationsOf(row.destination_url, row.route_rules).some((url) => entries.has(url));
      await applyEntries(ctx, page.filter(isAffected), entries);
      const last = page.at(-1);
      after = last === undefined ? undefined : linkRows.position(last);
      more = page.length === pageSize;
    }
  },
});
