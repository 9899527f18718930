// Sequences, runs and enrolments as the API shows them.
import {
  type OperationContext,
  type PendingDecision,
  presenter,
  type ReadContext,
  toIsoTime,
  toIsoTimeOrNull,
} from '../../core/index.ts';
import type { ApprovalsService } from '../approvals/index.ts';
import type { ContactNames } from '../contacts/index.ts';
import { sequenceKindId } from './kind-id.ts';
import {
  type EnrollmentResource,
  enrollmentResourceObject,
  type RunResource,
  type RunSummary,
  type SequenceResource,
} from './schema.ts';
import { stepsOf } from './store.ts';
import {
  type EnrollmentRow,
  type SequenceHead,
  type SequenceRunRow,
  type SequenceStepRow,
  sequenceEnrollments,
  sequenceHeads,
} from './tables.ts';
import { totalsOf } from './tallies.ts';
import type { LoadedVersion } from './versions.ts';

/** The data of a response that are not in the sequence's row. */
export interface SequenceViewData {
  /** The number of all runs and of active runs, on the caller's side. */
  readonly totals: ReadonlyMap<string, { readonly enrolled: number; readonly active: number }>;
  /** Approval requests that are waiting for a decision. */
  readonly approvals: ReadonlyMap<string, PendingDecision>;
}

export const presentSequence = (row: SequenceHead, extra?: SequenceViewData): SequenceResource => ({
  id: row.id,
  key: row.key,
  name: row.name,
  status: row.status,
  version: row.version,
  draft: row.draft,
  source: row.source,
  trigger: row.trigger,
  nodeCount: row.node_count,
  edgeCount: row.edge_count,
  enrolledCount: extra?.totals.get(row.id)?.enrolled ?? 0,
  activeRunCount: extra?.totals.get(row.id)?.active ?? 0,
  publishedBy: publisherOf(row),
  approval: extra?.approvals.get(row.id) ?? null,
  createdAt: toIsoTime(row.created_at),
  updatedAt: toIsoTime(row.updated_at),
});

const publisherOf = ({ published_by: keyId, published_member: member }: SequenceHead) =>
  keyId === null && member === null ? null : { keyId, member };

/** Loads the additional values for these sequences. */
export async function loadViewData(ctx: OperationContext, ids: readonly string[]): Promise<SequenceViewData> {
  const approvals: ApprovalsService | undefined = ctx.services.approvals;
  return {
    totals: await totalsOf(ctx.trx, ids),
    approvals: (await approvals?.pendingOf(ctx.trx, sequenceKindId, ids)) ?? new Map(),
  };
}

/** A sequence with its counts on the caller's side. */
export const showSequence = async (ctx: OperationContext, row: SequenceHead): Promise<SequenceResource> =>
  presentSequence(row, await loadViewData(ctx, [row.id]));

/** A run without its history. `contact` is undefined if the contact was erased. */
export const presentRun = (
  row: SequenceRunRow,
  { key, version }: { readonly key: string; readonly version: number },
  contact: Pick<ContactNames, 'id' | 'external_id' | 'email'> | undefined,
): RunSummary => ({
  runId: row.id,
  sequenceId: row.sequence_id,
  sequenceKey: key,
  sequenceVersion: version,
  contact: contact === undefined ? null : { id: contact.id, external_id: contact.external_id, email: contact.email },
  status: row.status,
  currentNodes: row.node_id === null ? [] : [row.node_id],
  variables: row.variables ?? {},
  sandbox: row.sandbox,
  startedAt: toIsoTime(row.started_at),
  completedAt: toIsoTimeOrNull(row.completed_at),
  exitReason: row.exit_reason,
});

type Step = RunResource['steps'][number];

const presentStep = ({ node_id: nodeId, kind, status, at, due_at: dueAt, output, reason }: SequenceStepRow): Step => ({
  nodeId,
  kind,
  status,
  at: toIsoTime(at),
  dueAt: toIsoTimeOrNull(dueAt),
  output,
  reason,
});

/** The pending step for the run's current node, if that step has not begun. */
function nextStep(row: SequenceRunRow, { definition }: LoadedVersion): Step[] {
  const { node_id: nodeId, state } = row;
  if (nodeId === null || state === null || row.step_open) return [];
  const kind = definition.nodes.find(({ id }) => id === nodeId)?.kind ?? '';
  const at = toIsoTime(state.plannedAt);
  return [{ nodeId, kind, status: 'pending', at, dueAt: toIsoTimeOrNull(row.due_at), output: null, reason: null }];
}

/** A run with its history. `unsaved`: steps of this transaction that are not stored yet. (Default: none) */
export async function showRun(
  ctx: ReadContext,
  row: SequenceRunRow,
  unsaved: readonly SequenceStepRow[] = [],
): Promise<RunResource> {
  const { services } = ctx;
  const version = await services.sequenceVersions.load(ctx.trx, row.version_id);
  const sequence = await sequenceHeads.find(ctx.trx, row.sequence_id);
  const people = row.contact_id === null ? undefined : await services.contacts.among(ctx.trx, [row.contact_id]);
  const contact = row.contact_id === null ? undefined : people?.get(row.contact_id);
  const byNumber = new Map([...(await stepsOf(ctx.trx, row.id)), ...unsaved].map((step) => [step.number, step]));
  const steps = [...byNumber.values()];
  return {
    ...presentRun(row, { key: sequence?.key ?? '', version: version.version }, contact),
    steps: [...steps.map(presentStep), ...nextStep(row, version)],
  };
}

const presentColumns = presenter(sequenceEnrollments, enrollmentResourceObject.omit({ skipped: true }), {
  enrollmentId: ({ id }) => id,
  alreadyEnrolled: ({ already_enrolled: count }) => count,
});

export const presentEnrollment = (row: EnrollmentRow, skipped: EnrollmentResource['skipped']): EnrollmentResource => ({
  ...presentColumns(row),
  skipped,
});
