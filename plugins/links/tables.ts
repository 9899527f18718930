// The tables of the links plugin. A click holds no address and no person, only a hash whose salt is destroyed every day.
import type { RowOf, StoredRow } from '../../core/index.ts';
import { column, defineTable, tenantRows, timestamps } from '../../core/index.ts';
import type { RouteRule, Utm } from './schema.ts';

/** What abuse checks say: flagged links still lead on, held and disabled ones do not. */
export type AbuseState = 'none' | 'flagged' | 'held' | 'disabled';

export const links = defineTable(
  'links',
  {
    id: column.id('lnk'),
    sandbox: column.flag(),
    /** Lower-case ASCII (IDNA), without a port. */
    domain: column.address(),
    /** The owner of the domain's slugs: the workspace; empty on the default domain, where they are unique over all. */
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
    /** Whose word it is: a later check takes back only what a check said. */
    abuse_by: column.word<'check' | 'program'>().nullable(),
    abuse_reason: column.text(500).nullable(),
    ...timestamps,
  },
  { sides: true },
);

/** The counts of a link's clicks. A row is there from the first click on. */
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

/** One request to a short link. */
export const linkClicks = defineTable(
  'link_clicks',
  {
    id: column.id('clk'),
    link_id: column.id('lnk'),
    visitor: column.key(),
    bot: column.flag(),
    qr: column.flag(),
    country: column.key().nullable(),
    city: column.key().nullable(),
    device: column.key().nullable(),
    platform: column.key().nullable(),
    browser: column.key().nullable(),
    referrer: column.key().nullable(),
    utm: column.json<Utm>(),
    /** The link again until the click is rolled up: those that wait are read link by link, and an index has them alone. */
    pending: column.id('lnk').nullable(),
    created_at: column.time(),
  },
  { sides: true },
);

/** Which visitors a day has had, until the day is over: the first click of each counts as unique. */
export const linkVisitors = defineTable(
  'link_visitors',
  {
    /** Link and hash of the visitor. */
    visitor: column.key(),
    /** The first click, or `old` where a recount found it in the clicks. */
    click_id: column.id('clk'),
    created_at: column.time(),
  },
  { sides: true, key: 'visitor' },
);

/** Clicks of a day by the values of a dimension; `link_id` is `all` for the sum over the links of a side. */
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

/** The salts of the visitors' hashes, one a day. Both sides share it. */
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

/** How many links use a UTM value. */
export const linkUtmValues = defineTable(
  'link_utm_values',
  {
    /** `source`, a colon and the value: what tells rows apart. */
    name: column.key(),
    field: column.word<string>(),
    value: column.key(),
    uses: column.integer(),
    created_at: column.time(),
  },
  { sides: true, key: 'name' },
);

/** Short domains that the program verified for a workspace. Both sides share them. */
export const linkDomains = defineTable('link_domains', {
  id: column.id('ldm'),
  domain: column.address(),
  created_at: column.time(),
});

export type LinkRow = RowOf<typeof links>;
export type TotalsRow = RowOf<typeof linkTotals>;
export type ClickRow = RowOf<typeof linkClicks>;
export type RollupRow = RowOf<typeof linkRollups>;
export type LinkDomainRow = RowOf<typeof linkDomains>;

declare module '../../core/contract/open.ts' {
  interface Tables {
    links: StoredRow<typeof links>;
    link_totals: StoredRow<typeof linkTotals>;
    link_clicks: StoredRow<typeof linkClicks>;
    link_visitors: StoredRow<typeof linkVisitors>;
    link_rollups: StoredRow<typeof linkRollups>;
    link_salts: StoredRow<typeof linkSalts>;
    link_utm_values: StoredRow<typeof linkUtmValues>;
    link_domains: StoredRow<typeof linkDomains>;
  }
}

export const tables = {
  links,
  link_totals: linkTotals,
  link_clicks: linkClicks,
  link_visitors: linkVisitors,
  link_rollups: linkRollups,
  link_salts: linkSalts,
  link_utm_values: linkUtmValues,
  link_domains: linkDomains,
};

export const linkRows = tenantRows(links);
export const totalsRows = tenantRows(linkTotals);
export const domainRows = tenantRows(linkDomains);
export const saltRows = tenantRows(linkSalts);
