// The tables of the links plugin. A click contains no address and no person, only a hash. The salt of the hash is destroyed every
// day.
import {
  column,
  defineTable,
  type RowOf,
  type StoredRow,
  type TableDeclaration,
  type TenantRows,
  tenantRows,
  timestamps,
} from '../../core/index.ts';
import type { StoredClicks } from './clicks/batch.ts';
import type { RouteRule, Utm } from './schema.ts';

/** The result of abuse checks. Flagged links still redirect; held and disabled links do not. */
export type AbuseState = 'none' | 'flagged' | 'held' | 'disabled';

export const links = defineTable(
  'links',
  {
    id: column.id('lnk'),
    sandbox: column.flag(),
    /** Lower-case ASCII (IDNA), without a port. */
    domain: column.address(),
    /**
     * The owner of the domain's slugs: the workspace, or empty on the default domain, where slugs are unique across all
     * workspaces.
     */
    slug_owner: column.id(),
    slug: column.key(),
    destination_url: column.text(2_048),
    label: column.text(200).nullable(),
    campaign_id: column.key().nullable(),
    tags: column.json<string[]>(),
    utm: column.json<Utm>(),
    route_rules: column.json<RouteRule[]>(),
    /** Salt and key of scrypt. */
    password: column.bytes().nullable(),
    go_live_at: column.time().nullable(),
    expires_at: column.time().nullable(),
    archived_at: column.time().nullable(),
    abuse: column.word<AbuseState>('none', 'flagged', 'held', 'disabled'),
    /** The origin of the state. A later check replaces only a state that a check set. */
    abuse_by: column.word<'check' | 'program'>().nullable(),
    abuse_reason: column.text(500).nullable(),
    ...timestamps,
  },
  { sides: true },
);

/** The counts of a link's clicks. The row exists from the first click on. */
export const linkTotals = defineTable(
  'link_totals',
  {
    link_id: column.id('lnk'),
    clicks: column.integer(),
    uniques: column.integer(),
    bots: column.integer(),
    last_at: column.time().nullable(),
    created_at: column.time(),
  },
  { sides: true, key: 'link_id' },
);

/** Clicks that were written together. Rows are inserted and deleted, never updated. */
export const linkClickBatches = defineTable(
  'link_click_batches',
  {
    id: column.id('clb'),
    clicks: column.json<StoredClicks>(),
    created_at: column.time(),
  },
  { sides: true },
);

/** The batches that are not in the sums yet. */
export const linkPendingBatches = defineTable(
  'link_pending_batches',
  {
    /** The id of the batch. */
    id: column.id('clb'),
    clicks: column.integer(),
    created_at: column.time(),
  },
  { sides: true },
);

/** The batches that a roll-up adds to the sums, part by part. There is one row for each side while a roll-up is in progress. */
export const linkRollupSets = defineTable(
  'link_rollup_sets',
  {
    id: column.id('lrs'),
    batches: column.json<string[]>(),
    /** The number of clicks in the batches. */
    clicks: column.integer(),
    /** The number of clicks that are already in the sums. Clicks are added link by link. */
    done: column.integer(),
    created_at: column.time(),
  },
  { sides: true },
);

/** The visitors of a day, kept until the day is over. A visitor's first click of the day counts as unique. */
export const linkVisitors = defineTable(
  'link_visitors',
  {
    /** Link and hash of the visitor. */
    visitor: column.key(),
    created_at: column.time(),
  },
  { sides: true, key: 'visitor' },
);

/** Clicks of a day by the values of a dimension. `link_id` is `all` in the sum over all links of a side. */
export const linkRollups = defineTable(
  'link_rollups',
  {
    link_id: column.id(),
    dimension: column.word<string>(),
    /** YYYY-MM-DD in UTC. */
    day: column.id(),
    value: column.key(),
    clicks: column.integer(),
    uniques: column.integer(),
    bots: column.integer(),
    created_at: column.time(),
  },
  { sides: true, key: 'value' },
);

/** The salts of the visitors' hashes, one for each day. The live and sandbox sides share them. */
export const linkSalts = defineTable(
  'link_salts',
  {
    /** YYYY-MM-DD in UTC. */
    day: column.id(),
    /** Sealed with the keyring. */
    salt: column.bytes(),
    created_at: column.time(),
  },
  { key: 'day' },
);

/** The number of links that use a UTM value. */
export const linkUtmValues = defineTable(
  'link_utm_values',
  {
    /** The key: the field, such as `source`, a colon and the value. */
    name: column.key(),
    field: column.word<string>(),
    value: column.key(),
    uses: column.integer(),
    created_at: column.time(),
  },
  { sides: true, key: 'name' },
);

/** Short domains that the program verified for a workspace. The live and sandbox sides share them. */
export const linkDomains = defineTable('link_domains', {
  id: column.id('ldm'),
  domain: column.address(),
  created_at: column.time(),
});

export interface LinkRow extends RowOf<typeof links> {}
export interface TotalsRow extends RowOf<typeof linkTotals> {}
export interface RollupRow extends RowOf<typeof linkRollups> {}
export interface LinkDomainRow extends RowOf<typeof linkDomains> {}

declare module '../../core/contract/open.ts' {
  interface Tables {
    links: StoredRow<typeof links>;
    link_totals: StoredRow<typeof linkTotals>;
    link_click_batches: StoredRow<typeof linkClickBatches>;
    link_pending_batches: StoredRow<typeof linkPendingBatches>;
    link_rollup_sets: StoredRow<typeof linkRollupSets>;
    link_visitors: StoredRow<typeof linkVisitors>;
    link_rollups: StoredRow<typeof linkRollups>;
    link_salts: StoredRow<typeof linkSalts>;
    link_utm_values: StoredRow<typeof linkUtmValues>;
    link_domains: StoredRow<typeof linkDomains>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  links,
  link_totals: linkTotals,
  link_click_batches: linkClickBatches,
  link_pending_batches: linkPendingBatches,
  link_rollup_sets: linkRollupSets,
  link_visitors: linkVisitors,
  link_rollups: linkRollups,
  link_salts: linkSalts,
  link_utm_values: linkUtmValues,
  link_domains: linkDomains,
};

export const linkRows: TenantRows<LinkRow> = tenantRows(links);
export const totalsRows: TenantRows<TotalsRow> = tenantRows(linkTotals);
export const visitorRows: TenantRows<RowOf<typeof linkVisitors>> = tenantRows(linkVisitors);
export const rollupRows: TenantRows<RollupRow> = tenantRows(linkRollups);
export const utmRows: TenantRows<RowOf<typeof linkUtmValues>> = tenantRows(linkUtmValues);
export const domainRows: TenantRows<LinkDomainRow> = tenantRows(linkDomains);
export const saltRows: TenantRows<RowOf<typeof linkSalts>> = tenantRows(linkSalts);
export const batchRows: TenantRows<RowOf<typeof linkClickBatches>> = tenantRows(linkClickBatches);
export const pendingRows: TenantRows<RowOf<typeof linkPendingBatches>> = tenantRows(linkPendingBatches);
export const setRows: TenantRows<RowOf<typeof linkRollupSets>> = tenantRows(linkRollupSets);
