// The tables that the pipeline writes, and their rows. Owned by the core (migration namespace `core`); the plugins
// workspace, keys and audit only read them. Times are milliseconds, flags 0 or 1.
import type { ColumnType } from 'kysely';
import type { TableDeclaration } from '../contract/declaration/plugin.ts';

export interface WorkspaceRow {
  id: string;
  name: string;
  plan: string;
  default_from: string;
  sending_domains: string;
  settings: string;
  suspended_at: number | null;
  created_at: number;
}

/** The host of a workspace's public pages. */
export interface ContentHostRow {
  host: string;
  workspace_id: string;
  created_at: number;
}

export interface ApiKeyRow {
  id: string;
  workspace_id: string;
  name: string;
  mode: 'live' | 'test' | 'mcp';
  sandbox: number;
  prefix: string;
  secret_hash: string;
  scopes: string;
  preset: string | null;
  /** The uids, as JSON, of the members on whose behalf the key may act; null for none. */
  members: string | null;
  /** The leash of the key, as JSON; null for no limits. */
  leash: string | null;
  /**
   * The counter of the leash's usage, which several keys may share; null if the key has its own counter, whose name is
   * the key's id.
   */
  leash_counter: string | null;
  /** The OAuth grant that the key represents; null for a key with a secret of its own. */
  grant_id: string | null;
  /** The OAuth client of the grant, as JSON: id, name, host; null without a grant. */
  client: string | null;
  created_by: string | null;
  created_at: number;
  last_used_at: number | null;
  expires_at: number | null;
  revoked_at: number | null;
}

/** The usage of leashed keys. */
export interface LeashUsageRow {
  workspace_id: string;
  /** The id of the key, or the counter that several keys share. */
  counter: string;
  /** The amounts in the windows of its leash, as JSON. */
  used: string;
  /** After this time, nothing is in any window. */
  expires_at: number;
}

export interface AuditRow {
  id: string;
  workspace_id: string;
  /** The side on which the call worked. */
  sandbox: number;
  ts: number;
  actor_kind: string;
  actor_key_id: string | null;
  actor: string;
  action: string;
  target_kind: string;
  target_id: string;
  request_id: string;
  metadata: string;
  idempotency_key: string | null;
}

export interface IdempotencyRow {
  workspace_id: string;
  endpoint: string;
  key: string;
  fingerprint: string;
  /** The side of the call: 1 sandbox, 0 live. A key identifies one record over both sides. */
  sandbox: number;
  /** Set while a prepared operation holds the key; null once the answer is stored. */
  lease_token: string | null;
  status: number | null;
  answer: string | null;
  sealed: Uint8Array | null;
  /** For an answer in bytes, as JSON: its media type, its file name, and the location of bytes that are not in this row. */
  representation: string | null;
  bytes: Uint8Array | null;
  expires_at: number;
}

/** A piece of the bytes of an idempotency record that do not fit into its row. */
export interface StoredBytesRow {
  workspace_id: string;
  id: string;
  /** From 0 up. */
  position: number;
  content: Uint8Array;
  /** When the record expires. */
  expires_at: number;
}

export interface CreditRow {
  id: string;
  workspace_id: string;
  /** `granted`, or `month:2026-11` for the credits that the plan grants that month. */
  pool: string;
  kind: 'grant' | 'charge' | 'refund' | 'hold' | 'settle' | 'release';
  amount: number;
  reason: string;
  /** The hold that the entry belongs to. */
  hold_id: string | null;
  created_at: number;
}

/**
 * Credits that are reserved until the work that they pay for has ended. The row is deleted when they are settled or
 * released.
 */
export interface CreditHoldRow {
  id: string;
  workspace_id: string;
  /** The month's pool in which the credits count as spent. */
  pool: string;
  from_month: number;
  from_granted: number;
  reason: string;
  created_at: number;
  /** After this time, a schedule releases the hold. */
  expires_at: number;
}

export interface BudgetRow {
  id: string;
  workspace_id: string;
  budget: string;
  /** `2026-11`, in UTC. */
  period: string;
  amount: number;
  /** The reservation that the amount was taken from. */
  lease: string | null;
}

/** The amount that one process may count against a budget without another query. */
export interface BudgetReservationRow {
  id: string;
  workspace_id: string;
  budget: string;
  period: string;
  amount: number;
  expires_at: number;
}

/**
 * The row that is locked for the budgets of a workspace, if the database has no other lock that ends with a
 * transaction.
 */
export interface BudgetLockRow {
  workspace_id: string;
  /** The state of each budget as the last holder of the lock saw it, as JSON. */
  seen: string;
}

/** A share of a budget for which `budget.reached` was emitted. */
export interface BudgetMarkRow {
  workspace_id: string;
  budget: string;
  period: string;
  percent: number;
  reached_at: number;
}

export interface JobRow {
  id: string;
  workspace_id: string;
  kind: string;
  lane: number;
  /** The key of the request, or the workspace's id. */
  concurrency_key: string;
  /** `queued`: an external queue has a reference to the job. */
  state: 'waiting' | 'ready' | 'queued' | 'running' | 'done' | 'failed';
  payload: string;
  sandbox: number;
  /**
   * The key under which the job can be replaced and canceled. Null after the claim. Unique among the jobs with a
   * key.
   */
  waiting_key: string | null;
  /** The person whose data the job contains: a person's id, or the hash of an address. */
  subject: string | null;
  /** How often the job was claimed for an attempt. */
  attempt: number;
  /** How often in a row the job's lease expired while it ran. */
  crashes: number;
  run_at: number;
  /**
   * When `run_at` was planned, if it is a delay from that time: a clock that is set back moves both. Null if `run_at`
   * is an absolute time.
   */
  planned_at: number | null;
  created_at: number;
  /**
   * The token of the last claim. It is kept when the job ends: a process that lost the answer to a COMMIT can then
   * check it.
   */
  lease_token: string | null;
  lease_until: number | null;
  /** The time after which the reference in an external queue counts as lost. */
  handed_until: number | null;
  /** The W3C traceparent of the call that wrote the job; null if the call was not traced. */
  traceparent: string | null;
  finished_at: number | null;
  /**
   * When the last attempt failed, if the job has failed or waits for another attempt. Null if that attempt did not count, and
   * after a success.
   */
  failed_at: number | null;
  reason: string | null;
}

export interface OutboxRow {
  id: string;
  workspace_id: string;
  /**
   * The side of the record that the event is about. A test event of a live subscription is synthetic and belongs to the
   * live side.
   */
  sandbox: number;
  type: string;
  source: 'service' | 'custom';
  synthetic: number;
  data: string;
  /** The person whose data the event contains: the id of a person's record, or a normalised address. */
  subject: string | null;
  created_at: number;
}

/**
 * The interests of consumers in events of one side of a workspace. An event in which no consumer has an interest is not
 * written.
 */
export interface EventInterestRow {
  workspace_id: string;
  sandbox: number;
  /** A type, a family (`send.*`), or `*`. */
  pattern: string;
  /** The consumer's id. */
  consumer: string;
  /** The id of the consumer's object with the interest, such as a webhook. */
  subject: string;
}

export interface ScheduleSlotRow {
  id: string;
  next_at: number;
  last_started_at: number | null;
}

export interface RateLimitRow {
  workspace_id: string;
  /** Empty for the limit that all keys of the workspace share. */
  key_id: string;
  amount: number;
  counted_at: number;
  whole_at: number;
  grants: string | null;
  /**
   * Some time after `whole_at`. It changes at most every ten minutes, because an index that changes with every request
   * is costly.
   */
  expires_at: number;
}

/** The deprecations that were announced to a workspace. */
export interface DeprecationNoticeRow {
  workspace_id: string;
  /** The deprecated thing, and the date since which it is deprecated. */
  subject: string;
  announced_at: number;
}

/** An entry of the changelog, and the progress of its announcement to the workspaces. */
export interface ChangelogRow {
  /** Derived from title and date, so that an entry is published once. */
  id: string;
  title: string;
  /** YYYY-MM-DD. */
  published_on: string;
  link: string | null;
  changes: string;
  created_at: number;
  /** The id of the last workspace to which the entry was announced. */
  announced_until: string;
  /** When the entry was announced to the last workspace; null until then. */
  finished_at: number | null;
}

/** A request with a key. Of the data that its caller sent, only the id of the request is stored. */
export interface RequestLogRow {
  workspace_id: string;
  sandbox: number;
  ts: number;
  id: string;
  request_id: string;
  key_id: string;
  method: string;
  /** The path as it is declared, with parameters in braces. */
  route: string;
  status: number;
  /** How long the answer took, in milliseconds. */
  ms: number;
}

/** A value sealed under a key that is, or was, the first of the keyring. */
export interface KeyringCheckRow {
  /** Differs for each key and secret. */
  id: string;
  sealed: Uint8Array;
  created_at: number;
}

/** A row whose workspace and side the handle fills in. */
type OneSided<Row> = Omit<Row, 'workspace_id' | 'sandbox'> & {
  workspace_id: ColumnType<string, string | undefined, never>;
  sandbox: ColumnType<number, number | undefined, never>;
};

declare module '../contract/open.ts' {
  interface Tables {
    workspaces: WorkspaceRow;
    api_keys: ApiKeyRow;
    leash_usage: LeashUsageRow;
    audit: OneSided<AuditRow>;
    idempotency: IdempotencyRow;
    stored_bytes: StoredBytesRow;
    credits: CreditRow;
    credit_holds: CreditHoldRow;
    budgets: BudgetRow;
    budget_leases: BudgetReservationRow;
    budget_locks: BudgetLockRow;
    budget_marks: BudgetMarkRow;
    jobs: JobRow;
    outbox: OneSided<OutboxRow>;
    event_interests: OneSided<EventInterestRow>;
    schedule_slots: ScheduleSlotRow;
    rate_limits: RateLimitRow;
    deprecation_notices: DeprecationNoticeRow;
    changelog: ChangelogRow;
    content_hosts: ContentHostRow;
    request_log: OneSided<RequestLogRow>;
    keyring_checks: KeyringCheckRow;
  }
}

export const coreTables: Readonly<Record<string, TableDeclaration>> = {
  workspaces: { tenant: false, workspaceColumn: 'id' },
  api_keys: { tenant: true },
  leash_usage: { tenant: true },
  content_hosts: { tenant: true },
  audit: { tenant: true, sides: true },
  idempotency: { tenant: true },
  stored_bytes: { tenant: true },
  credits: { tenant: true },
  credit_holds: { tenant: true },
  budgets: { tenant: true },
  budget_leases: { tenant: true },
  budget_locks: { tenant: true },
  budget_marks: { tenant: true },
  jobs: { tenant: true },
  outbox: { tenant: true, sides: true },
  event_interests: { tenant: true, sides: true },
  schedule_slots: { tenant: false },
  rate_limits: { tenant: true },
  deprecation_notices: { tenant: true },
  changelog: { tenant: false },
  request_log: { tenant: true, sides: true },
  keyring_checks: { tenant: false },
};
