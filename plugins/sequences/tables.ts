// Sequences and their versions are shared by both sides of a workspace; runs and all that belongs to them lie on one side.
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
import type { Definition } from './definition/schema.ts';
import type { RunState, StepStatus } from './interpreter/types.ts';

export type SequenceStatus = 'draft' | 'published' | 'paused' | 'archived';
export type RunStatus = 'active' | 'completed' | 'cancelled' | 'failed' | 'exited';

/** The working copy of a sequence, and which version runs. */
export const sequences = defineTable('sequences', {
  id: column.id('seq'),
  /** Unique in its workspace and never used again. */
  key: column.key(),
  name: column.text(200),
  status: column.word<SequenceStatus>(),
  /** The number of the published version; 0 before the first. */
  version: column.integer(),
  /** Whether the working copy differs from the published version. */
  draft: column.flag(),
  source: column.word<'api' | 'code'>(),
  definition: column.json<Definition>(),
  trigger: column.json<Definition['trigger']>(),
  node_count: column.integer(),
  edge_count: column.integer(),
  /** What starts runs of the published version: `event:<type>`, `list:<id>`, `form:<page>`; null for calls alone. */
  start_key: column.key().nullable(),
  /** The published version. */
  version_id: column.id('sqv').nullable(),
  /** The key that published it. */
  published_by: column.id('key').nullable(),
  /** The member for whom it was published. */
  published_member: column.key().nullable(),
  ...timestamps,
});

/** A definition as runs use it: a published version, or the draft that a sandbox run began with. Never changed. */
export const sequenceVersions = defineTable('sequence_versions', {
  id: column.id('sqv'),
  sequence_id: column.id('seq'),
  /** 0 for a draft. */
  version: column.integer(),
  /** SHA-256 of the definition: tells versions of code and of drafts apart. */
  hash: column.key(),
  definition: column.json<Definition>(),
  /** Those that its nodes need and its publisher held. */
  scopes: column.json<readonly string[]>(),
  created_at: column.time(),
});

/** One way of one contact through a version. */
export const sequenceRuns = defineTable(
  'sequence_runs',
  {
    id: column.id('run'),
    sandbox: column.flag(),
    sequence_id: column.id('seq'),
    version_id: column.id('sqv'),
    contact_id: column.id('con').nullable(),
    /** The enrolment of a list that began it. */
    enrollment_id: column.id('enr').nullable(),
    status: column.word<RunStatus>(),
    /** The node at which it is; null after its end. */
    node_id: column.key().nullable(),
    /** When its next step is due; null while only an event moves it, and after its end. */
    due_at: column.time().nullable(),
    /** Grows with every change: a job for an earlier state does nothing. */
    revision: column.integer(),
    /** Whether the history has a row for the present node. */
    step_open: column.flag(),
    /** As the interpreter keeps it; null after the end. */
    state: column.json<RunState>().nullable(),
    variables: column.json<Readonly<Record<string, unknown>>>().nullable(),
    started_at: column.time(),
    completed_at: column.time().nullable(),
    exit_reason: column.text(500).nullable(),
    /** When variables and outputs are emptied; null once they are, and while it runs. */
    empty_at: column.time().nullable(),
  },
  {
    sides: true,
    personal: { columns: { contact_id: 'person', state: 'words', variables: 'words' }, rows: 'plugin' },
  },
);

/** The history of a run, one row a node. */
export const sequenceSteps = defineTable(
  'sequence_steps',
  {
    run_id: column.id('run'),
    /** How many nodes the run had left before. */
    number: column.integer(),
    node_id: column.key(),
    kind: column.id(),
    status: column.word<StepStatus>(),
    at: column.time(),
    due_at: column.time().nullable(),
    output: column.json<Readonly<Record<string, unknown>>>().nullable(),
    reason: column.text(500).nullable(),
  },
  { sides: true, key: 'run_id' },
);

/** Which events would move which run: found by contact and type, never by looking through runs. */
export const sequenceWaits = defineTable(
  'sequence_waits',
  {
    contact_id: column.id('con'),
    event_type: column.key(),
    run_id: column.id('run'),
    node_id: column.key(),
  },
  // The rows of an erased person go with their runs.
  { sides: true, key: 'run_id', personal: { columns: { contact_id: 'person' }, rows: 'plugin' } },
);

/** That a contact has entered a sequence. Every call that enters a contact locks the row first. */
export const sequenceEntries = defineTable(
  'sequence_entries',
  {
    sequence_id: column.id('seq'),
    contact_id: column.id('con'),
    /** Entries ever, also those whose runs are deleted. */
    entries: column.integer(),
    last_at: column.time(),
  },
  { sides: true, key: 'contact_id', personal: { columns: { contact_id: 'person' }, rows: 'remove' } },
);

/** Messages that sequences sent to a contact, for frequency caps. Kept for as long as the longest cap looks back. */
export const sequenceMessages = defineTable(
  'sequence_messages',
  {
    contact_id: column.id('con'),
    channel: column.word<'email' | 'sms'>(),
    sent_at: column.time(),
    run_id: column.id('run'),
    /** The step of the run. */
    number: column.integer(),
  },
  { sides: true, key: 'run_id', personal: { columns: { contact_id: 'person' }, rows: 'remove' } },
);

/** Values of the attribute `timezone` that name no zone, one row a contact and value: what its timeline shows. */
export const sequenceUnknownZones = defineTable(
  'sequence_unknown_zones',
  {
    id: column.id('sqz'),
    contact_id: column.id('con'),
    /** The value, shortened. */
    zone: column.key(),
    /** When a run met it first. */
    seen_at: column.time(),
  },
  { sides: true, personal: { columns: { contact_id: 'person' }, rows: 'remove' } },
);

/**
 * Changes of the counts of a sequence (`node_id` is empty) and its nodes. Rows are only added, so that steps never wait for one
 * another, and summed up now and then.
 */
export const sequenceTallies = defineTable(
  'sequence_tallies',
  {
    id: column.id('sqt'),
    sequence_id: column.id('seq'),
    node_id: column.key(),
    /** Of skipped steps: why. Empty for all other changes. */
    reason: column.key(),
    enrolled: column.integer(),
    active: column.integer(),
    reached: column.integer(),
    waiting: column.integer(),
    skipped: column.integer(),
    failed: column.integer(),
  },
  { sides: true },
);

export type EnrollmentStatus = 'running' | 'completed' | 'canceled' | 'failed';

/** The enrolment of a list. */
export const sequenceEnrollments = defineTable(
  'sequence_enrollments',
  {
    id: column.id('enr'),
    sequence_id: column.id('seq'),
    list_id: column.id('lst'),
    version_id: column.id('sqv'),
    status: column.word<EnrollmentStatus>(),
    variables: column.json<Readonly<Record<string, unknown>>>(),
    total: column.integer(),
    enrolled: column.integer(),
    already_enrolled: column.integer(),
    error: column.text(500).nullable(),
    /** The last contact that was looked at. */
    after_contact: column.id('con').nullable(),
    created_at: column.time(),
    finished_at: column.time().nullable(),
  },
  { sides: true },
);

export interface SequenceRow extends RowOf<typeof sequences> {}
export interface VersionRow extends RowOf<typeof sequenceVersions> {}
export interface RunRow extends RowOf<typeof sequenceRuns> {}
export interface StepRow extends RowOf<typeof sequenceSteps> {}
export interface WaitRow extends RowOf<typeof sequenceWaits> {}
export interface TallyRow extends RowOf<typeof sequenceTallies> {}
export interface EnrollmentRow extends RowOf<typeof sequenceEnrollments> {}

export const sequenceRows: TenantRows<SequenceRow> = tenantRows(sequences);
/** Without the definition, which may be large. */
export const sequenceHeads = tenantRows(sequences, {
  columns: [
    'id',
    'key',
    'name',
    'status',
    'version',
    'draft',
    'source',
    'trigger',
    'node_count',
    'edge_count',
    'version_id',
    'published_by',
    'published_member',
    'created_at',
    'updated_at',
  ],
});
export type SequenceHead = Omit<SequenceRow, 'definition' | 'start_key'>;
export const versionRows: TenantRows<VersionRow> = tenantRows(sequenceVersions);
export const runRows: TenantRows<RunRow> = tenantRows(sequenceRuns, { time: 'started_at' });
export const stepRows: TenantRows<StepRow> = tenantRows(sequenceSteps, { time: 'at' });
export const waitRows: TenantRows<WaitRow> = tenantRows(sequenceWaits, { time: 'event_type' });
export const entryRows: TenantRows<RowOf<typeof sequenceEntries>> = tenantRows(sequenceEntries, { time: 'last_at' });
export const messageRows: TenantRows<RowOf<typeof sequenceMessages>> = tenantRows(sequenceMessages, {
  time: 'sent_at',
});
export const unknownZoneRows: TenantRows<RowOf<typeof sequenceUnknownZones>> = tenantRows(sequenceUnknownZones, {
  time: 'seen_at',
});
export const tallyRows: TenantRows<TallyRow> = tenantRows(sequenceTallies, { time: 'reached' });
export const enrollmentRows: TenantRows<EnrollmentRow> = tenantRows(sequenceEnrollments);

declare module '../../core/contract/open.ts' {
  interface Tables {
    sequences: StoredRow<typeof sequences>;
    sequence_versions: StoredRow<typeof sequenceVersions>;
    sequence_runs: StoredRow<typeof sequenceRuns>;
    sequence_steps: StoredRow<typeof sequenceSteps>;
    sequence_waits: StoredRow<typeof sequenceWaits>;
    sequence_entries: StoredRow<typeof sequenceEntries>;
    sequence_messages: StoredRow<typeof sequenceMessages>;
    sequence_unknown_zones: StoredRow<typeof sequenceUnknownZones>;
    sequence_tallies: StoredRow<typeof sequenceTallies>;
    sequence_enrollments: StoredRow<typeof sequenceEnrollments>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  sequences,
  sequence_versions: sequenceVersions,
  sequence_runs: sequenceRuns,
  sequence_steps: sequenceSteps,
  sequence_waits: sequenceWaits,
  sequence_entries: sequenceEntries,
  sequence_messages: sequenceMessages,
  sequence_unknown_zones: sequenceUnknownZones,
  sequence_tallies: sequenceTallies,
  sequence_enrollments: sequenceEnrollments,
};
