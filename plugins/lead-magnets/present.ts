// The API's representation of lead magnets.
import { presenter, type ReadContext, toIsoTime } from '../../core/index.ts';
import { type BookStyle, bookStyleFor, hashOf } from './content.ts';
import { type LeadMagnetSummary, type LeadMagnetView, summaryResourceObject } from './schema.ts';
import { type LeadMagnetHead, type LeadMagnetRow, leadMagnets } from './tables.ts';

const presentColumns = presenter(
  leadMagnets,
  summaryResourceObject.omit({ chapters: true, contentHash: true, lastExport: true }),
);

/** A lead magnet, as lists and events show it. */
export function presentSummary(row: LeadMagnetHead, style: BookStyle | undefined): LeadMagnetSummary {
  const { last_export: last } = row;
  return {
    ...presentColumns(row as never),
    chapters: [...row.outline],
    contentHash: hashOf(row, style),
    lastExport: last === null ? null : { ...last, at: toIsoTime(last.at) },
  };
}

/** The brand styles of these rows, by brand id. */
export async function bookStylesOf(
  ctx: ReadContext,
  rows: readonly Pick<LeadMagnetHead, 'brand_id'>[],
): Promise<ReadonlyMap<string | null, BookStyle | undefined>> {
  const styles = new Map<string | null, BookStyle | undefined>();
  for (const { brand_id } of rows) if (!styles.has(brand_id)) styles.set(brand_id, await bookStyleFor(ctx, brand_id));
  return styles;
}

/** A lead magnet, as events show it. */
export const showSummary = async (ctx: ReadContext, row: LeadMagnetHead): Promise<LeadMagnetSummary> =>
  presentSummary(row, await bookStyleFor(ctx, row.brand_id));

/** A lead magnet with its whole text. */
export const showLeadMagnet = async (ctx: ReadContext, row: LeadMagnetRow): Promise<LeadMagnetView> => ({
  ...(await showSummary(ctx, row)),
  chapters: [...row.chapters],
});
