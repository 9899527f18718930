// Sequences, runs and enrolments of lists as callers see them.
import { isoTime, personal, z } from '../../core/index.ts';
import { sequenceNode } from './definition/node-schemas.ts';
import {
  definitionFields,
  sequenceEdge,
  sequenceSettings,
  sequenceTrigger,
  settingFields,
} from './definition/schema.ts';

/** The maximum number of sequences in a workspace. Archived sequences do not count. */
export const maxSequences = 500;
/** The maximum size of a run's variables, in bytes of JSON. */
export const maxVariableBytes = 16_384;

export const sequenceKey = z
  .string()
  .regex(/^[a-z0-9_-]{1,80}$/, 'A key has 1 to 80 characters of a–z, 0–9, _ and -.')
  .describe(
    '1 to 80 characters of a–z, 0–9, _ and -. A key is never used again, even after archiving. (Default: generated)',
  );
export const sequenceName = z.string().min(1).max(200);
export const sequenceStatus = z
  .enum(['draft', 'published', 'paused', 'archived'])
  .describe('Only a published sequence accepts contacts and performs steps.');
export const runStatus = z.enum(['active', 'completed', 'cancelled', 'failed', 'exited']);

export const keyOrId = z.string().min(1).max(100).describe('The key of a sequence, or its id.');

export const sequenceResourceObject = z
  .object({
    id: z.string().describe('Prefix seq_.'),
    key: z.string(),
    name: z.string(),
    status: sequenceStatus,
    version: z.int().describe('The published version; 0 before the first.'),
    draft: z.boolean().describe('Whether the working copy differs from the published version.'),
    source: z.enum(['api', 'code']).describe('code: defined in the code of the program, and changed only there.'),
    trigger: sequenceTrigger,
    nodeCount: z.int(),
    edgeCount: z.int(),
    enrolledCount: z.int().describe("Runs ever, on the caller's side."),
    activeRunCount: z.int().describe("Runs that are active, on the caller's side."),
    publishedBy: z
      .object({ keyId: z.string().nullable(), member: z.string().nullable() })
      .nullable()
      .describe('The key and the member that published the running version; null if your program did.'),
    approval: z
      .object({ requestId: z.string(), status: z.literal('pending') })
      .nullable()
      .describe('The approval that a publish waits for.'),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .meta({ id: 'Sequence' });

export interface SequenceResource extends z.output<typeof sequenceResourceObject> {}
export const sequenceResource: z.ZodType<SequenceResource> = sequenceResourceObject;

export const nodeStats = z.object({
  reached: z.int().describe('Runs that came to the node.'),
  waiting: z.int().describe('Active runs that are at it now.'),
  skipped: z.record(z.string(), z.int()).describe('Skipped steps by reason, such as overdue or suppressed.'),
  failed: z.int(),
});

const sequenceDetailObject = sequenceResourceObject
  .extend({
    nodes: z.array(sequenceNode),
    edges: z.array(sequenceEdge),
    settings: sequenceSettings,
    stats: z
      .record(z.string(), nodeStats)
      .optional()
      .describe("With stats=true: how often each node was reached on the caller's side, by its id."),
    graph: z.string().optional().describe('With graph=mermaid or graph=svg: the picture.'),
  })
  .meta({ id: 'SequenceDetail' });

export interface SequenceDetail extends z.output<typeof sequenceDetailObject> {}
export const sequenceDetail: z.ZodType<SequenceDetail> = sequenceDetailObject;

/** The settings of a change: a field that is left out stays as it is, null removes a setting. */
const changedSettings = Object.fromEntries(
  Object.entries(settingFields).map(([name, field]: [string, z.ZodType]) => [name, field.nullable().optional()]),
);

export const settingsPatch = z
  .strictObject(changedSettings)
  .describe('Fields that are left out stay unchanged; null restores the default.');

export const createBody = z.object({
  key: sequenceKey.optional(),
  name: sequenceName,
  trigger: sequenceTrigger.default({ kind: 'manual' }),
  nodes: definitionFields.nodes.default([]),
  edges: definitionFields.edges.default([]),
  settings: sequenceSettings.prefault({}),
});

export const updateBody = z.object({
  name: sequenceName.optional(),
  trigger: sequenceTrigger.optional(),
  nodes: definitionFields.nodes.optional().describe('Replaces all nodes.'),
  edges: definitionFields.edges.optional().describe('Replaces all edges.'),
  settings: settingsPatch.optional(),
});

export const runVariables = z
  .record(z.string().min(1).max(64), z.unknown())
  .refine(
    (variables) => Buffer.byteLength(JSON.stringify(variables)) <= maxVariableBytes,
    'The variables have at most 16 KB as JSON.',
  );

const runContact = z.object({
  id: z.string(),
  external_id: personal('identifier', z.string().nullable()),
  email: z.string().nullable(),
});

const runSummaryObject = z
  .object({
    runId: z.string().describe('Prefix run_.'),
    sequenceId: z.string(),
    sequenceKey: z.string(),
    sequenceVersion: z.int().describe('A run keeps its version. 0: a draft, on the sandbox side.'),
    contact: runContact.nullable().describe('Null after the person was erased.'),
    status: runStatus,
    currentNodes: z.array(z.string()),
    variables: personal('text', z.record(z.string(), z.unknown())).describe(
      'Emptied after the end of the run, by default after 7 days.',
    ),
    sandbox: z.boolean(),
    startedAt: isoTime,
    completedAt: isoTime.nullable(),
    exitReason: z.string().nullable(),
  })
  .meta({ id: 'SequenceRunSummary' });

export interface RunSummary extends z.output<typeof runSummaryObject> {}
export const runSummary: z.ZodType<RunSummary> = runSummaryObject;

const runResourceObject = runSummaryObject
  .extend({
    steps: z.array(
      z.object({
        nodeId: z.string(),
        kind: z.string(),
        status: z.enum(['pending', 'waiting', 'running', 'completed', 'skipped', 'failed']),
        at: isoTime,
        dueAt: isoTime.nullable().describe('When the step continues; null if it is over or waits for an event.'),
        output: personal('text', z.record(z.string(), z.unknown()).nullable()),
        reason: z.string().nullable().describe('Why the step was skipped, failed or postponed.'),
      }),
    ),
  })
  .meta({ id: 'SequenceRun' });

export interface RunResource extends z.output<typeof runResourceObject> {}
export const runResource: z.ZodType<RunResource> = runResourceObject;

export const enrolledRun = runResourceObject
  .extend({
    alreadyEnrolled: z
      .literal(true)
      .optional()
      .describe('The settings allow no further run, so this is the existing run.'),
  })
  .meta({ id: 'EnrolledRun' });

export const enrollmentResourceObject = z
  .object({
    enrollmentId: z.string().describe('Prefix enr_.'),
    listId: z.string(),
    status: z.enum(['running', 'completed', 'canceled', 'failed']),
    total: z.int().describe('The number of confirmed members when the enrolment began.'),
    enrolled: z.int(),
    alreadyEnrolled: z.int(),
    skipped: z
      .record(z.string(), z.int())
      .describe(
        'By reason: skipped steps of its runs, such as overdue or suppressed, and members who were not enrolled, such as entered_too_often.',
      ),
    error: z.string().nullable(),
    createdAt: isoTime,
    finishedAt: isoTime.nullable(),
  })
  .meta({ id: 'SequenceEnrollment' });

export interface EnrollmentResource extends z.output<typeof enrollmentResourceObject> {}
export const enrollmentResource: z.ZodType<EnrollmentResource> = enrollmentResourceObject;
