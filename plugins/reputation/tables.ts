// The tables of the guard. All rows are on the live side, because mail of the sandbox reaches nobody. A handle on the
// sandbox side finds nothing here.
import {
  column,
  defineTable,
  type RowOf,
  type StoredRow,
  type TableDeclaration,
  tenantRows,
} from '../../core/index.ts';

/** `warned`: the rates are high, and mail goes on. `held`: marketing mail waits until somebody releases it. */
export type ReputationState = 'ok' | 'warned' | 'held';

/** The kinds of faults that the guard counts. */
export type FaultKind = 'hard_bounce' | 'complaint';

/** The state of a workspace: one row. It is locked while the state changes, and while rows of hand-overs are merged. */
export const reputationStates = defineTable(
  'reputation_states',
  {
    category: column.word('marketing'),
    state: column.word<ReputationState>(),
    /** Only mail that was handed over since then counts: the time of the last release, or 0. */
    counted_since: column.time(),
    /** The time until which rows of hand-overs are merged. */
    merged_until: column.time(),
    /** The time of the last report that showed a rate above the warning limit. */
    warned_at: column.time().nullable(),
    changed_at: column.time(),
  },
  { sides: true, key: 'category' },
);

/**
 * The number of mails that were handed over in a minute. Each mail inserts its own row, so that no two transactions
 * wait for each other. Rows of the same minute, domain and receiver are merged later.
 */
export const reputationHandOvers = defineTable(
  'reputation_hand_overs',
  {
    id: column.id('rho'),
    /** The beginning of the minute. */
    minute: column.time(),
    /** The sending domain. */
    domain: column.address(),
    /** The group of the recipient's domain: not the domain itself. */
    receiver: column.word<string>(),
    mails: column.integer(),
  },
  { sides: true },
);

/** Hard bounces and complaints, at the time when their mail was handed over. */
export const reputationFaults = defineTable(
  'reputation_faults',
  {
    id: column.id('rfl'),
    handed_over_at: column.time(),
    /** The beginning of the minute of the hand-over. */
    minute: column.time(),
    domain: column.address(),
    receiver: column.word<string>(),
    kind: column.word<FaultKind>(),
  },
  { sides: true },
);

/** The changes of the state. */
export const reputationHistory = defineTable(
  'reputation_history',
  {
    id: column.id('rhi'),
    state: column.word<ReputationState>(),
    /** The uid of the member who released; `service`: the embedding program; `system`: the guard. */
    changed_by: column.key(),
    note: column.text(2_000),
    created_at: column.time(),
  },
  { sides: true, personal: { columns: { note: 'mentions' }, searched: true } },
);

export interface StateRow extends RowOf<typeof reputationStates> {}
export interface HandOverRow extends RowOf<typeof reputationHandOvers> {}
export interface FaultRow extends RowOf<typeof reputationFaults> {}
export interface HistoryRow extends RowOf<typeof reputationHistory> {}

export const stateRows = tenantRows(reputationStates, { time: 'changed_at' });
export const handOverRows = tenantRows(reputationHandOvers, { time: 'minute' });
export const faultRows = tenantRows(reputationFaults, { time: 'minute' });
export const historyRows = tenantRows(reputationHistory);

declare module '../../core/contract/open.ts' {
  interface Tables {
    reputation_states: StoredRow<typeof reputationStates>;
    reputation_hand_overs: StoredRow<typeof reputationHandOvers>;
    reputation_faults: StoredRow<typeof reputationFaults>;
    reputation_history: StoredRow<typeof reputationHistory>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  reputation_states: reputationStates,
  reputation_hand_overs: reputationHandOvers,
  reputation_faults: reputationFaults,
  reputation_history: reputationHistory,
};
