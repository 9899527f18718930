// Updates code-defined sequences: in a new workspace when it is created, and in every workspace when a process starts. Also
// updates the sequences that use a template when that template changes.
import { createHash } from 'node:crypto';
import type { ErrorDetail, ScheduleDeclaration, TransactionContext } from '../../../core/index.ts';
import { namedReferences } from '../definition/references.ts';
import { needOf } from '../definition/scopes.ts';
import { definitionColumns, draftRow } from '../draft-row.ts';
import { faultsOf } from '../publish/check.ts';
import { archiveRow } from '../publish/pause-archive.ts';
import { publishRow } from '../publish/publish.ts';
import { type SequenceRow, sequenceRows } from '../tables.ts';
import { hashOf } from '../versions.ts';
import type { CheckedSequence } from './code-sequence.ts';

/** The scopes that its nodes need. The program has every scope, so the version records them all. */
const scopesOf = ({ definition }: CheckedSequence): string[] =>
  [...new Set(definition.nodes.flatMap((node) => needOf(node)?.scope ?? []))].sort();

const isSame = (row: SequenceRow, { definition }: CheckedSequence): boolean =>
  row.status !== 'archived' && hashOf(row.definition) === hashOf(definition);

/** The maximum number of faults that a warning lists. */
const maxNamedFaults = 3;

/**
 * Whether a fault will probably disappear by itself, because a new workspace gets its templates after its sequences.
 */
const isMissingTemplate = ({ code }: ErrorDetail): boolean =>
  code === 'template_not_found' || code === 'template_draft';

/** Whether the message of a fault is about this template. */
const isAbout = (sentence: string, key: string): boolean => new RegExp(`template ${key}[. ]`).test(sentence);

/** Logs why a sequence is left out: at info level if it was never published and only templates are missing, otherwise as a warning. */
function logUnpublishable(
  { log, workspace }: TransactionContext,
  { key, definition }: CheckedSequence,
  { details, isPublished }: { readonly details: readonly ErrorDetail[]; readonly isPublished: boolean },
): void {
  const faults = details.map(({ message }) => message);
  const fields = { workspace_id: workspace.id, key, faults: faults.slice(0, maxNamedFaults), of: faults.length };
  if (isPublished) {
    log.warn(fields, 'a code-defined sequence does not fit the workspace: its published version stays');
  } else if (details.length > 0 && details.every(isMissingTemplate)) {
    const { emailTemplates, smsTemplates } = namedReferences(definition);
    const missingTemplates = [...emailTemplates, ...smsTemplates].filter((name) =>
      faults.some((sentence) => isAbout(sentence, name)),
    );
    const waitMessage = `a code-defined sequence waits for the ${missingTemplates.length === 1 ? 'template' : 'templates'} ${missingTemplates.join(', ')}`;
    log.info({ workspace_id: workspace.id, key }, waitMessage);
  } else log.warn(fields, 'a code-defined sequence does not fit the workspace, and is left out');
}

/** Whether `sequences.publish` would accept the sequence in this workspace. If it would not, logs the reason. */
async function mayPublish(
  ctx: TransactionContext,
  sequence: CheckedSequence,
  { all, isPublished }: { readonly all: readonly CheckedSequence[]; readonly isPublished: boolean },
): Promise<boolean> {
  const { key, definition } = sequence;
  const details = await faultsOf(
    ctx,
    key,
    definition,
    all.map((one) => one.key),
  );
  if (details.length > 0) logUnpublishable(ctx, sequence, { details, isPublished });
  return details.length === 0;
}

/** Whether the sequence in the workspace is up to date with the code. */
const isUpToDate = (row: SequenceRow, sequence: CheckedSequence): boolean =>
  row.version > 0 && isSame(row, sequence) && row.name === sequence.name;

async function syncOne(
  ctx: TransactionContext,
  sequence: CheckedSequence,
  all: readonly CheckedSequence[],
): Promise<void> {
  const { trx } = ctx;
  const { key, name, definition } = sequence;
  // Read without a lock: usually nothing changes, and with a lock, processes that start together would wait for each
  // other.
  const existing = await sequenceRows.findBy(trx, { key });
  if (existing !== undefined && existing.source !== 'code') {
    const fields = { workspace_id: ctx.workspace.id, key };
    ctx.log.error(fields, 'a code-defined sequence is left out: the API has created a sequence with its key');
    return;
  }
  if (existing !== undefined && isUpToDate(existing, sequence)) return;
  const isPublished = (existing?.version ?? 0) > 0;
  const canPublish = await mayPublish(ctx, sequence, { all, isPublished });
  // The published version stays in use. A sequence that was never published stays a visible draft.
  if (!canPublish && isPublished) return;
  const publisher = { keyId: null, member: null, scopes: scopesOf(sequence) };
  if (existing === undefined) {
    const row = draftRow({ id: ctx.newId('seq'), key, name, source: 'code', definition, now: ctx.now });
    if ((await sequenceRows.insertUnlessTaken(trx, row)) && canPublish) await publishRow(ctx, row, publisher);
    return;
  }
  const row = await sequenceRows.findBy(trx, { key }, 'update');
  if (row === undefined || isUpToDate(row, sequence)) return;
  const needsPublish = row.version === 0 || !isSame(row, sequence);
  const earlierStatus = row.version > 0 ? 'published' : 'draft';
  const changedRow = await sequenceRows.change(trx, row, {
    name,
    ...definitionColumns(definition),
    status: row.status === 'archived' ? earlierStatus : row.status,
  });
  if (needsPublish && canPublish) await publishRow(ctx, changedRow, publisher);
}

/** Updates the workspace's code-defined sequences. Archives the sequences that the program no longer defines. */
export async function syncCode(ctx: TransactionContext, input: readonly CheckedSequence[]): Promise<void> {
  const keys = new Set(input.map(({ key }) => key));
  for await (const rows of sequenceRows.each(ctx.trx, { source: 'code' }))
    for (const { key, status } of rows) {
      if (keys.has(key) || status === 'archived') continue;
      const row = await sequenceRows.findBy(ctx.trx, { key }, 'update');
      if (row !== undefined && row.status !== 'archived') await archiveRow(ctx, row);
    }
  for (const sequence of input) await syncOne(ctx, sequence, input);
}

/** Updates the code-defined sequences that use a changed template, because they may now be publishable. */
export async function syncSequencesUsing(
  ctx: TransactionContext,
  input: readonly CheckedSequence[],
  refersTo: (references: ReturnType<typeof namedReferences>) => boolean,
): Promise<void> {
  for (const sequence of input) if (refersTo(namedReferences(sequence.definition))) await syncOne(ctx, sequence, input);
}

/** Updates existing workspaces once per process: at its start, or in its first run of schedules. */
export function syncSchedule(input: readonly CheckedSequence[]): ScheduleDeclaration {
  let isDone = false;
  const name = createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 8);
  return {
    id: 'sequences.code',
    description: "Brings the sequences of the program's code up to date in every workspace after a release.",
    everyMs: 60_000,
    atStart: true,
    async run(context) {
      if (isDone) return;
      await context.eachWorkspace((ctx) => syncCode(ctx, input));
      isDone = !context.signal.aborted;
      context.log.info({ release: name }, 'the code-defined sequences are up to date');
    },
  };
}
