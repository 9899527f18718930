// Links as the API shows them.
import { toIsoTime, toIsoTimeOrNull, type WorkspaceHandle, type z } from '../../core/index.ts';
import type { ShortDomains } from './domains.ts';
import type { LinkResource, linkStatus } from './schema.ts';
import { type LinkRow, type TotalsRow, totalsRows } from './tables.ts';

/** The status of a link at this time. */
export function statusOf(
  row: Pick<LinkRow, 'archived_at' | 'abuse' | 'expires_at' | 'go_live_at'>,
  now: number,
): z.output<typeof linkStatus> {
  if (row.archived_at !== null) return 'archived';
  if (row.abuse === 'disabled' || row.abuse === 'held') return 'disabled';
  if (row.expires_at !== null && row.expires_at <= now) return 'expired';
  return row.go_live_at !== null && row.go_live_at > now ? 'scheduled' : 'active';
}

/** A link with the counts of its clicks. */
export function presentLink(
  row: LinkRow,
  totals: TotalsRow | undefined,
  domains: ShortDomains,
  now: number,
): LinkResource {
  return {
    linkId: row.id,
    slug: row.slug,
    domain: domains.visibleDomain(row.domain),
    redirectUrl: domains.urlOf(row),
    destinationUrl: row.destination_url,
    label: row.label,
    campaignId: row.campaign_id,
    tags: row.tags,
    expiresAt: toIsoTimeOrNull(row.expires_at),
    scheduledGoLiveAt: toIsoTimeOrNull(row.go_live_at),
    routeRules: row.route_rules.map(({ match: { kind, values }, destinationUrl }) => ({
      match: { kind, values: [...values] },
      destinationUrl,
    })),
    utm: row.utm,
    status: statusOf(row, now),
    hasPassword: row.password !== null,
    sandbox: row.sandbox,
    clicks: {
      total: totals?.clicks ?? 0,
      unique: totals?.uniques ?? 0,
      bots: totals?.bots ?? 0,
      lastAt: toIsoTimeOrNull(totals?.last_at ?? null),
    },
    createdAt: toIsoTime(row.created_at),
    updatedAt: toIsoTime(row.updated_at),
  };
}

/** The counts of these links, by id. */
export async function totalsOf(
  handle: WorkspaceHandle,
  linkIds: readonly string[],
): Promise<ReadonlyMap<string, TotalsRow>> {
  const rows = await totalsRows.findIn(handle, 'link_id', linkIds);
  return new Map(rows.map((row) => [row.link_id, row]));
}
