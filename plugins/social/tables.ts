// The tables of the social plugin. The live and sandbox sides of a workspace share accounts; each post and its rows belong to one side.
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
import type { AccountOption, PostMetrics } from './port/index.ts';
import type { PostProblem, SocialPostContent, TargetError } from './schema.ts';

export type AccountStatus = 'connected' | 'expired' | 'revoked';
export type SocialPostMode = 'copy' | 'compose' | 'hold';
export type SocialPostStatus =
  | 'draft'
  | 'ready'
  | 'scheduled'
  | 'pending_approval'
  | 'publishing'
  | 'published'
  | 'partially_published'
  | 'failed'
  | 'deleting'
  | 'deleted';
export type TargetStatus = 'pending' | 'publishing' | 'published' | 'failed' | 'unknown' | 'deleted';

/** Company accounts, as the last refresh found them. */
export const socialAccounts = defineTable('social_accounts', {
  id: column.id('soa'),
  /** The connector whose credentials reach the account. */
  connector_id: column.id('con'),
  channel_id: column.word<string>(),
  /** The network's own id. Unique in the workspace and channel. */
  external_id: column.key(),
  transport: column.word<string>(),
  display_name: column.text(),
  handle: column.text(),
  avatar_url: column.text().nullable(),
  status: column.word<AccountStatus>(),
  /** Allowed values of settings: boards, TikTok's privacy. */
  options: column.json<Readonly<Record<string, readonly AccountOption[]>>>(),
  connected_at: column.time(),
  last_synced_at: column.time(),
});

/** The result of the last refresh: one row per workspace. */
export const socialRefreshes = defineTable('social_refreshes', {
  id: column.id('srf'),
  failures: column.json<readonly RefreshFailure[]>(),
  synced_at: column.time(),
});

/** The reason why a provider did not return its accounts. */
export interface RefreshFailure {
  readonly channelId: string;
  readonly accountRef: string | null;
  readonly code: string;
  readonly message: string;
}

export const socialPosts = defineTable(
  'social_posts',
  {
    id: column.id('soc'),
    sandbox: column.flag(),
    status: column.word<SocialPostStatus>(),
    mode: column.word<SocialPostMode>(),
    planning_kind: column.word<'post' | 'hold'>(),
    group_id: column.id(),
    /** Texts, media, link, settings and chosen accounts. */
    content: column.json<SocialPostContent>(),
    problems: column.json<readonly PostProblem[]>(),
    planned_at: column.time().nullable(),
    scheduled_at: column.time().nullable(),
    published_at: column.time().nullable(),
    assignee_uid: column.key().nullable(),
    brief: column.text().nullable(),
    /** The credit hold of a publication that has not ended. */
    hold_id: column.id().nullable(),
    /** The held credits. */
    held: column.integer(),
    price: column.integer(),
    charged: column.integer(),
    creation_id: column.id().nullable(),
    /** The approval request that the post waits for, while its status is pending_approval. */
    approval_id: column.id().nullable(),
    /** The outcome that a sandbox publication simulates; null on the live side. */
    scenario: column.word<string>().nullable(),
    /** The time at which a caller last had the metrics fetched from the networks. */
    figures_polled_at: column.time().nullable(),
    deleted_at: column.time().nullable(),
    ...timestamps,
  },
  // An erasure removes the address from texts that are not public yet.
  { sides: true, personal: { columns: { content: 'mentions', brief: 'mentions' }, rows: 'plugin' } },
);

/** One channel of a post. */
export const socialTargets = defineTable(
  'social_targets',
  {
    id: column.id('sot'),
    post_id: column.id('soc'),
    /** The place among the channels, from 0. */
    position: column.integer(),
    channel_id: column.word<string>(),
    /** Null while the account is missing or ambiguous. */
    account_ref: column.id('soa').nullable(),
    status: column.word<TargetStatus>(),
    external_id: column.text().nullable(),
    url: column.text().nullable(),
    /** Ids of the parts of a thread. */
    parts: column.json<readonly string[]>(),
    attempts: column.integer(),
    error: column.json<TargetError>().nullable(),
    /** Passed to the adapter as `SocialTarget.key`. */
    publish_key: column.key(),
    /** The time at which the first attempt began. */
    started_at: column.time().nullable(),
    /** The number of unclear probes since the last step. */
    probes: column.integer(),
    /** Since when the target has waited for a limit of the network. */
    limited_since: column.time().nullable(),
    published_at: column.time().nullable(),
    /** The time at which the metrics are collected next; null for never. */
    figures_due_at: column.time().nullable(),
    /** Copied from the post, to sort lists of a channel. */
    created_at: column.time(),
  },
  { sides: true, personal: { columns: { error: 'mentions' }, rows: 'plugin' } },
);

/** The recorded steps of publications. */
export const socialSteps = defineTable(
  'social_steps',
  {
    id: column.id('sst'),
    target_id: column.id('sot'),
    name: column.key(),
    note: column.json<Readonly<Record<string, unknown>>>(),
    /** Null while the network's response is not known. */
    result: column.json<Readonly<Record<string, unknown>>>().nullable(),
    at: column.time(),
  },
  { sides: true },
);

/** The metrics of a target at one time. */
export const socialMetrics = defineTable(
  'social_figures',
  {
    id: column.id('sfi'),
    target_id: column.id('sot'),
    collected_at: column.time(),
    figures: column.json<PostMetrics>(),
  },
  { sides: true },
);

export interface AccountRow extends RowOf<typeof socialAccounts> {}
export interface RefreshRow extends RowOf<typeof socialRefreshes> {}
export interface SocialPostRow extends RowOf<typeof socialPosts> {}
export interface TargetRow extends RowOf<typeof socialTargets> {}
export interface SocialStepRow extends RowOf<typeof socialSteps> {}
export interface SocialMetricsRow extends RowOf<typeof socialMetrics> {}

declare module '../../core/contract/open.ts' {
  interface Tables {
    social_accounts: StoredRow<typeof socialAccounts>;
    social_refreshes: StoredRow<typeof socialRefreshes>;
    social_posts: StoredRow<typeof socialPosts>;
    social_targets: StoredRow<typeof socialTargets>;
    social_steps: StoredRow<typeof socialSteps>;
    social_figures: StoredRow<typeof socialMetrics>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  social_accounts: socialAccounts,
  social_refreshes: socialRefreshes,
  social_posts: socialPosts,
  social_targets: socialTargets,
  social_steps: socialSteps,
  social_figures: socialMetrics,
};

export const accountRows: TenantRows<AccountRow> = tenantRows(socialAccounts, { time: 'connected_at' });
export const refreshRows: TenantRows<RefreshRow> = tenantRows(socialRefreshes, { time: 'synced_at' });
export const postRows: TenantRows<SocialPostRow> = tenantRows(socialPosts);
export const targetRows: TenantRows<TargetRow> = tenantRows(socialTargets);
export const stepRows: TenantRows<SocialStepRow> = tenantRows(socialSteps, { time: 'at' });
export const metricsRows: TenantRows<SocialMetricsRow> = tenantRows(socialMetrics, { time: 'collected_at' });
