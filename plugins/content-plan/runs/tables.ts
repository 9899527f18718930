// The table of plans of a week. Each run belongs to one side of a workspace, like its posts.
import {
  column,
  defineTable,
  type RowOf,
  type StoredRow,
  type TenantRows,
  tenantRows,
  timestamps,
} from '../../../core/index.ts';
import type { UnavailableAccount } from '../../social/index.ts';

export type PlanRunStatus =
  | 'queued'
  | 'planning'
  | 'awaiting_decision'
  | 'applying'
  | 'completed'
  | 'failed'
  | 'rejected'
  | 'expired';

export type GateName = 'themes' | 'slots' | 'captions';

/** A theme of the week. */
export interface Theme {
  readonly id: string;
  readonly title: string;
  readonly reason: string;
  /** The market news from which the theme comes. */
  readonly newsId: string | null;
}

/** A planned post. */
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
}

/** A step of a run that people decide on. The gates are decided one after the other. */
export interface PlanGate<Entry> {
  readonly status: 'pending' | 'approved' | 'revised';
  /** Null before the gate is planned. */
  readonly proposal: readonly Entry[] | null;
  /** The comment of the last revision or of the approval. */
  readonly comment: string | null;
  /** The number of revisions of the gate. */
  readonly revisions: number;
}

export interface PlanGates {
  readonly themes: PlanGate<Theme>;
  readonly slots: PlanGate<Slot>;
  /** Null if the caller did not request captions. */
  readonly captions: PlanGate<Caption> | null;
}

export const planRuns = defineTable(
  'plan_runs',
  {
    id: column.id('plan'),
    sandbox: column.flag(),
    /** A Monday: YYYY-MM-DD. */
    week_of: column.key(),
    timezone: column.key(),
    status: column.word<PlanRunStatus>(),
    channels: column.json<readonly string[]>(),
    /** The accounts that the caller named, by channel. */
    accounts: column.json<Readonly<Record<string, string>>>(),
    /** The themes that the caller named. */
    themes: column.json<readonly string[]>(),
    brief: column.text(8_000).nullable(),
    posts_per_channel: column.integer(),
    gates: column.json<PlanGates>(),
    /** The texts that are written so far, while the captions are planned. */
    drafted: column.json<readonly Caption[]>(),
    results: column.json<readonly { readonly kind: string; readonly id: string }[]>(),
    /** The accounts for which no post was made; null before the posts are made. */
    left_out: column.json<readonly UnavailableAccount[]>().nullable(),
    error: column.text().nullable(),
    hold_id: column.id().nullable(),
    /** The price of the captions, in credits. */
    price: column.integer(),
    charged: column.integer(),
    /** The time at which a decision is due; null if the run does not wait for one. */
    expires_at: column.time().nullable(),
    ended_at: column.time().nullable(),
    ...timestamps,
  },
  {
    sides: true,
    // These are texts of the company, so an export does not contain them. An address in them is removed when the person is erased.
    personal: {
      columns: { brief: 'mentions', error: 'mentions', themes: 'mentions', gates: 'mentions', drafted: 'mentions' },
      searched: true,
      onChange: { timeColumn: 'updated_at' },
    },
  },
);

export interface PlanRunRow extends RowOf<typeof planRuns> {}

declare module '../../../core/contract/open.ts' {
  interface Tables {
    plan_runs: StoredRow<typeof planRuns>;
  }
}

export const runRows: TenantRows<PlanRunRow> = tenantRows(planRuns);
