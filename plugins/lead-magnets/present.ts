// Lead magnets as the API shows them.
import { presenter, type ServiceSurface, toIsoTime, type WorkspaceHandle } from '../../core/index.ts';
import { hashOf, type Look, lookFor } from './content.ts';
import { type LeadMagnetShown, type LeadMagnetSummary, summaryResourceObject } from './schema.ts';
import { type LeadMagnetHead, type LeadMagnetRow, leadMagnets } from './tables.ts';

const presentColumns = presenter(
  leadMagnets,
  summaryResourceObject.omit({ chapters: true, contentHash: true, lastExport: true }),
);

/** As lists and events show it. */
export function presentSummary(row: LeadMagnetHead, look: Look | undefined): LeadMagnetSummary {
  const { last_export: last } = row;
  return {
    ...presentColumns(row as never),
    chapters: [...row.outline],
    contentHash: hashOf(row, look),
    lastExport: last === null ? null : { ...last, at: toIsoTime(last.at) },
  };
}

/** The looks of these rows, by the brand that they name. */
export async function looksOf(
  surface: Pick<ServiceSurface, 'services'>,
  handle: WorkspaceHandle,
  rows: readonly Pick<LeadMagnetHead, 'brand_id'>[],
): Promise<ReadonlyMap<string | null, Look | undefined>> {
  const looks = new Map<string | null, Look | undefined>();
  for (const { brand_id } of rows)
    if (!looks.has(brand_id)) looks.set(brand_id, await lookFor(surface, handle, brand_id));
  return looks;
}

/** As events show it. */
export const showSummary = async (
  surface: Pick<ServiceSurface, 'services'>,
  handle: WorkspaceHandle,
  row: LeadMagnetHead,
): Promise<LeadMagnetSummary> => presentSummary(row, await lookFor(surface, handle, row.brand_id));

/** With the whole text. */
export const showLeadMagnet = async (
  surface: Pick<ServiceSurface, 'services'>,
  handle: WorkspaceHandle,
  row: LeadMagnetRow,
): Promise<LeadMagnetShown> => ({ ...(await showSummary(surface, handle, row)), chapters: [...row.chapters] });
