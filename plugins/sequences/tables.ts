// Sequences and their versions are shared by both sides of a workspace. Runs and everything that belongs to a run are on one side.
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
export type SequenceRunStatus = 'active' | 'completed' | 'cancelled' | 'failed' | 'exited';

/** The working copy of a sequence, and its published version. */
export const sequences = defineTable('sequences', {
  id: column.id('seq'),
  /** Unique in its workspace and never reused. */
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
  /**
   * The key of the events that start runs: `event:<type>`, `list:<id>`, `form:<page>`, `segment.entered:<id>`. Null if
   * only API calls start runs.
   */
  start_key: column.key().nullable(),
  /** The published version. */
  version_id: column.id('sqv').nullable(),
  /** The API key that published the version. */
  published_by: column.id('key').nullable(),
  /** The member for whom the version was published. */
  published_member: column.key().nullable(),
  ...timestamps,
});

/** A definition as runs use it: a published version, or the draft with which a sandbox run began. Rows never change. */
export const sequenceVersions = defineTable('sequence_versions', {
  id: column.id('sqv'),
  sequence_id: column.id('seq'),
  /** 0 for a draft. */
  version: column.integer(),
  /** SHA-256 of the definition. Distinguishes versions of code-defined sequences and of drafts. */
  hash: column.key(),
  definition: column.json<Definition>(),
  /** The scopes that its nodes need, and that its publisher had. */
  scopes: column.json<readonly string[]>(),
  created_at: column.time(),
});

/** One run of one contact through a version. */
export const sequenceRuns = defineTable(
  'sequence_runs',
  {
    id: column.id('run'),
    sandbox: column.flag(),
    sequence_id: column.id('seq'),
    version_id: column.id('sqv'),
    contact_id: column.id('con').nullable(),
    /** The list enrolment that started the run. */
    enrollment_id: column.id('enr').nullable(),
    status: column.word<SequenceRunStatus>(),
    /** The current node; null after the run ended. */
    node_id: column.key().nullable(),
    /** The time at which the next step is due. Null if only an event can move the run, and after the run ended. */
    due_at: column.time().nullable(),
    /** Increases with every change. A job for an earlier revision does nothing. */
    revision: column.integer(),
    /** Whether the history has a row for the current node. */
    step_open: column.flag(),
    /** The interpreter's state; null after the run ended. */
    state: column.json<RunState>().nullable(),
    variables: column.json<Readonly<Record<string, unknown>>>().nullable(),
    started_at: column.time(),
    completed_at: column.time().nullable(),
    exit_reason: column.text(500).nullable(),
    /** The end of the run, from which the retention of variables and outputs counts. Null before, and after they were cleared. */
    empty_at: column.time().nullable(),
  },
  {
    sides: true,
    personal: { columns: { contact_id: 'person', state: 'text', variables: 'text' }, rows: 'plugin' },
  },
);

/** The history of a run, one row per node visited. */
export const sequenceSteps = defineTable(
  'sequence_steps',
  {
    run_id: column.id('run'),
    /** The number of nodes that the run had left before this step. */
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

/**
 * The types of events that a run listens to. Indexed by contact and type, so that an event finds its runs without scanning all runs.
 * A run listens from its beginning to the types of the waits that it may reach.
 */
export const sequenceWaits = defineTable(
  'sequence_waits',
  {
    contact_id: column.id('con'),
    event_type: column.key(),
    run_id: column.id('run'),
  },
  // When a person is erased, these rows are removed with the person's runs.
  { sides: true, key: 'run_id', personal: { columns: { contact_id: 'person' }, rows: 'plugin' } },
);

/** Records that a contact has entered a sequence. Every call that enters a contact locks this row first. */
export const sequenceEntries = defineTable(
  'sequence_entries',
  {
    sequence_id: column.id('seq'),
    contact_id: column.id('con'),
    /** The number of times that the contact has entered, including runs that were deleted. */
    entries: column.integer(),
    last_at: column.time(),
  },
  { sides: true, key: 'contact_id', personal: { columns: { contact_id: 'person' }, rows: 'remove' } },
);

/** Messages that sequences sent to a contact, for frequency caps. Rows are stored for the period of the longest cap. */
export const sequenceMessages = defineTable(
  'sequence_messages',
  {
    contact_id: column.id('con'),
    channel: column.word<'email' | 'sms'>(),
    sent_at: column.time(),
    run_id: column.id('run'),
    /** The number of the run's step. */
    number: column.integer(),
  },
  { sides: true, key: 'run_id', personal: { columns: { contact_id: 'person' }, rows: 'remove' } },
);

/** Values of the attribute `timezone` that are not valid zones, one row per contact and value. Shown on the contact's timeline. */
export const sequenceUnknownZones = defineTable(
  'sequence_unknown_zones',
  {
    id: column.id('sqz'),
    contact_id: column.id('con'),
    /** The value, shortened. */
    zone: column.key(),
    /** The time at which a run first read the value. */
    seen_at: column.time(),
  },
  { sides: true, personal: { columns: { contact_id: 'person' }, rows: 'remove' } },
);

/**
 * Changes of the counts of a sequence (`node_id` is empty) and of its nodes. Steps only add rows, so they never wait for each other.
 * A job replaces the rows by their sums now and then.
 */
export const sequenceTallies = defineTable(
  'sequence_tallies',
  {
    id: column.id('sqt'),
    sequence_id: column.id('seq'),
    node_id: column.key(),
    /** The reason why the step was skipped. Empty for all other changes. */
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

/** The enrolment of a list's members in a sequence. */
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
    /** The number of members that may still be enrolled. The leash has already counted them. Null: no limit. */
    at_most: column.integer().nullable(),
    enrolled: column.integer(),
    already_enrolled: column.integer(),
    error: column.text(500).nullable(),
    /** The last contact that was processed. */
    after_contact: column.id('con').nullable(),
    created_at: column.time(),
    finished_at: column.time().nullable(),
  },
  { sides: true },
);

export interface SequenceRow extends RowOf<typeof sequences> {}
export interface VersionRow extends RowOf<typeof sequenceVersions> {}
export interface SequenceRunRow extends RowOf<typeof sequenceRuns> {}
export interface SequenceStepRow extends RowOf<typeof sequenceSteps> {}
export interface WaitRow extends RowOf<typeof sequenceWaits> {}
export interface TallyRow extends RowOf<typeof sequenceTallies> {}
export interface EnrollmentRow extends RowOf<typeof sequenceEnrollments> {}

export const sequenceRows: TenantRows<SequenceRow> = tenantRows(sequences);
/** Sequences without the definition, which may be large. */
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
export const runRows: TenantRows<SequenceRunRow> = tenantRows(sequenceRuns, { time: 'started_at' });
export const stepRows: TenantRows<SequenceStepRow> = tenantRows(sequenceSteps, { time: 'at' });
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
