// The tables that the pipeline writes, and their rows. Owned by the core (migration namespace `core`);
// the plugins workspace, keys and audit only show them. Times are milliseconds, flags 0 or 1.
import { defineMigration } from '../contract/migration.ts';
import type { TableDeclaration } from '../contract/plugin.ts';

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
  created_by: string | null;
  created_at: number;
  last_used_at: number | null;
  expires_at: number | null;
  revoked_at: number | null;
}

export interface AuditRow {
  id: string;
  workspace_id: string;
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
  /** Set while a prepared operation holds the key; null once the answer is stored. */
  lease_token: string | null;
  status: number | null;
  answer: string | null;
  sealed: Uint8Array | null;
  expires_at: number;
}

export interface CreditRow {
  id: string;
  workspace_id: string;
  /** `granted`, or `month:2026-11` for what the plan grants that month. */
  pool: string;
  kind: 'grant' | 'charge' | 'refund';
  amount: number;
  reason: string;
  created_at: number;
}

export interface BudgetRow {
  id: string;
  workspace_id: string;
  budget: string;
  /** `2026-11`, in UTC. */
  period: string;
  amount: number;
}

export interface JobRow {
  id: string;
  workspace_id: string;
  kind: string;
  lane: number;
  state: 'waiting' | 'ready' | 'running' | 'done' | 'failed';
  payload: string;
  sandbox: number;
  /** How often the job was claimed for a try. */
  attempt: number;
  /** How often in a row its lease ran out while it ran. */
  crashes: number;
  run_at: number;
  created_at: number;
  /** Of the last claim; it stays when the job ends, so that whoever lost the answer to a COMMIT can look it up. */
  lease_token: string | null;
  lease_until: number | null;
  finished_at: number | null;
  reason: string | null;
}

export interface OutboxRow {
  id: string;
  workspace_id: string;
  type: string;
  source: 'service' | 'custom';
  synthetic: number;
  data: string;
  created_at: number;
}

export interface ScheduleSlotRow {
  id: string;
  next_at: number;
  last_started_at: number | null;
}

export interface RateLimitRow {
  workspace_id: string;
  /** Empty for what all keys of the workspace share. */
  key_id: string;
  amount: number;
  counted_at: number;
  whole_at: number;
  grants: string | null;
  /** Some time after `whole_at`. It moves every ten minutes at most: an index that moves with every request is costly. */
  expires_at: number;
}

declare module '../contract/open.ts' {
  interface Tables {
    workspaces: WorkspaceRow;
    api_keys: ApiKeyRow;
    audit: AuditRow;
    idempotency: IdempotencyRow;
    credits: CreditRow;
    budgets: BudgetRow;
    jobs: JobRow;
    outbox: OutboxRow;
    schedule_slots: ScheduleSlotRow;
    rate_limits: RateLimitRow;
  }
}

export const coreTables: Readonly<Record<string, TableDeclaration>> = {
  workspaces: { tenant: false },
  api_keys: { tenant: true },
  audit: { tenant: true },
  idempotency: { tenant: true },
  credits: { tenant: true },
  budgets: { tenant: true },
  jobs: { tenant: true },
  outbox: { tenant: true },
  schedule_slots: { tenant: false },
  rate_limits: { tenant: true },
};

export const coreMigrations = [
  defineMigration({
    id: '0001-core',
    changes: [
      {
        create: 'workspaces',
        columns: {
          id: 'id',
          name: 'text',
          plan: 'id',
          default_from: 'json',
          sending_domains: 'json',
          settings: 'json',
          suspended_at: 'time?',
          created_at: 'time',
        },
        primaryKey: ['id'],
      },
      {
        create: 'api_keys',
        columns: {
          id: 'id',
          workspace_id: 'id',
          name: 'text',
          mode: 'id',
          sandbox: 'flag',
          prefix: 'key',
          secret_hash: 'key',
          scopes: 'json',
          preset: 'id?',
          created_by: 'text?',
          created_at: 'time',
          last_used_at: 'time?',
          expires_at: 'time?',
          revoked_at: 'time?',
        },
        primaryKey: ['id'],
      },
      { index: 'api_keys_secret', on: 'api_keys', columns: ['secret_hash'], unique: true },
      { index: 'api_keys_list', on: 'api_keys', columns: ['workspace_id', 'created_at', 'id'] },
      {
        create: 'audit',
        columns: {
          id: 'id',
          workspace_id: 'id',
          ts: 'time',
          actor_kind: 'id',
          actor_key_id: 'id?',
          actor: 'json',
          action: 'key',
          target_kind: 'id',
          target_id: 'address',
          request_id: 'id',
          metadata: 'json',
          idempotency_key: 'key?',
        },
        primaryKey: ['workspace_id', 'ts', 'id'],
        clustered: true,
      },
      {
        create: 'idempotency',
        columns: {
          workspace_id: 'id',
          endpoint: 'key',
          key: 'key',
          fingerprint: 'key',
          lease_token: 'id?',
          status: 'integer?',
          answer: 'text?',
          sealed: 'bytes?',
          expires_at: 'time',
        },
        primaryKey: ['workspace_id', 'endpoint', 'key'],
        clustered: true,
      },
      { index: 'idempotency_expiry', on: 'idempotency', columns: ['expires_at'] },
      {
        create: 'credits',
        columns: {
          id: 'id',
          workspace_id: 'id',
          pool: 'id',
          kind: 'id',
          amount: 'integer',
          reason: 'text',
          created_at: 'time',
        },
        primaryKey: ['id'],
      },
      { index: 'credits_pool', on: 'credits', columns: ['workspace_id', 'pool', 'amount'] },
      {
        create: 'budgets',
        columns: { id: 'id', workspace_id: 'id', budget: 'id', period: 'id', amount: 'integer' },
        primaryKey: ['workspace_id', 'budget', 'period', 'id'],
        clustered: true,
      },
      {
        create: 'jobs',
        columns: {
          id: 'id',
          workspace_id: 'id',
          kind: 'id',
          lane: 'integer',
          state: 'id',
          payload: 'json',
          sandbox: 'flag',
          attempt: 'integer',
          crashes: 'integer',
          run_at: 'time',
          created_at: 'time',
          lease_token: 'id?',
          lease_until: 'time?',
          finished_at: 'time?',
          reason: 'text?',
        },
        primaryKey: ['id'],
      },
      { index: 'jobs_claim', on: 'jobs', columns: ['state', 'lane', 'workspace_id', 'run_at', 'id'] },
      { index: 'jobs_due', on: 'jobs', columns: ['state', 'run_at', 'id'] },
      {
        create: 'outbox',
        columns: {
          id: 'id',
          workspace_id: 'id',
          type: 'key',
          source: 'id',
          synthetic: 'flag',
          data: 'json',
          created_at: 'time',
        },
        primaryKey: ['id'],
      },
      { index: 'outbox_age', on: 'outbox', columns: ['created_at'] },
      {
        create: 'schedule_slots',
        columns: { id: 'key', next_at: 'time', last_started_at: 'time?' },
        primaryKey: ['id'],
      },
    ],
  }),
  defineMigration({
    id: '0002-rate-limits',
    changes: [
      {
        create: 'rate_limits',
        columns: {
          workspace_id: 'id',
          key_id: 'id',
          amount: 'integer',
          counted_at: 'time',
          whole_at: 'time',
          grants: 'text?',
          expires_at: 'time',
        },
        primaryKey: ['workspace_id', 'key_id'],
        clustered: true,
      },
      { index: 'rate_limits_expiry', on: 'rate_limits', columns: ['expires_at'] },
    ],
  }),
];
