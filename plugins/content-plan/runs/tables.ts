// Plans of a week. Each belongs to one side of a workspace, as the posts that come of it.
import {
  column,
  defineTable,
  type RowOf,
  type StoredRow,
  type TenantRows,
  tenantRows,
  timestamps,
} from '../../../core/index.ts';
import type { GoneAccount } from '../../social/index.ts';

export type RunStatus =
  | 'queued'
  | 'planning'
  | 'awaiting_decision'
  | 'applying'
  | 'completed'
  | 'failed'
  | 'rejected'
  | 'expired';

export type GateName = 'themes' | 'slots' | 'captions';

/** A subject of the week. */
export interface Theme {
  readonly id: string;
  readonly title: string;
  readonly reason: string;
  /** The market news that it comes from. */
  readonly newsId: string | null;
}

/** A place in the plan. */
export interface Slot {
  readonly id: string;
  readonly channel: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly theme: string;
  readonly idea: string;
}

/** The text of a slot, which has the same id. */
export interface Caption {
  readonly id: string;
  readonly channel: string;
  readonly caption: string;
  /** Written without a model: for people to rewrite. */
  readonly isBrief: boolean;
}

/** What people decide on, one after the other. */
export interface Gate<Entry> {
  readonly status: 'pending' | 'approved' | 'revised';
  /** Null before it is planned. */
  readonly proposal: readonly Entry[] | null;
  /** Why it is to be planned anew, or what its approval says. */
  readonly comment: string | null;
  /** How often it was sent back. */
  readonly revisions: number;
}

export interface Gates {
  readonly themes: Gate<Theme>;
  readonly slots: Gate<Slot>;
  /** Null where the caller wanted no captions. */
  readonly captions: Gate<Caption> | null;
}

export const planRuns = defineTable(
  'plan_runs',
  {
    id: column.id('plan'),
    sandbox: column.flag(),
    /** A Monday: YYYY-MM-DD. */
    week_of: column.key(),
    timezone: column.key(),
    status: column.word<RunStatus>(),
    channels: column.json<readonly string[]>(),
    /** The accounts that the caller named, by channel. */
    accounts: column.json<Readonly<Record<string, string>>>(),
    /** Those that the caller named. */
    themes: column.json<readonly string[]>(),
    brief: column.text(8_000).nullable(),
    posts_per_channel: column.integer(),
    gates: column.json<Gates>(),
    /** Texts that are written already, while captions are planned. */
    drafted: column.json<readonly Caption[]>(),
    results: column.json<readonly { readonly kind: string; readonly id: string }[]>(),
    /** The accounts for which no post was made; null where that has not been looked at. */
    left_out: column.json<readonly GoneAccount[]>().nullable(),
    error: column.text().nullable(),
    hold_id: column.id().nullable(),
    /** What the captions cost. */
    price: column.integer(),
    charged: column.integer(),
    /** When a decision is due; null where none is. */
    expires_at: column.time().nullable(),
    ended_at: column.time().nullable(),
    ...timestamps,
  },
  {
    sides: true,
    // Texts of the company, so an export has none of them. An address that one mentions goes when the person is erased.
    personal: {
      columns: { brief: 'mentions', error: 'mentions', themes: 'mentions', gates: 'mentions', drafted: 'mentions' },
      searched: true,
      changed: { time: 'updated_at' },
    },
  },
);

export interface RunRow extends RowOf<typeof planRuns> {}

declare module '../../../core/contract/open.ts' {
  interface Tables {
    plan_runs: StoredRow<typeof planRuns>;
  }
}

export const runRows: TenantRows<RunRow> = tenantRows(planRuns);
