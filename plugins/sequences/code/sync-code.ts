// Keeps the sequences of the program's code in every workspace. Creates them in a new workspace, updates them when a process starts,
// and tries them again when a template changes.
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

/** The program has every scope. The version records the scopes that its nodes need. */
const scopesOf = ({ definition }: CheckedSequence): string[] =>
  [...new Set(definition.nodes.flatMap((node) => needOf(node)?.scope ?? []))].sort();

const isSame = (row: SequenceRow, { definition }: CheckedSequence): boolean =>
  row.status !== 'archived' && hashOf(row.definition) === hashOf(definition);

/** The maximum number of faults that a warning lists. */
const maxNamedFaults = 3;

/** Whether a fault is likely to resolve itself: templates are created after their workspace. */
const isMissingTemplate = ({ code }: ErrorDetail): boolean =>
  code === 'template_not_found' || code === 'template_draft';

/** Whether the message of a fault is about this template. */
const isAbout = (sentence: string, key: string): boolean => new RegExp(`template ${key}[. ]`).test(sentence);

/** Logs why a sequence is left out: at info level if it was never published and only templates are missing, else as a warning. */
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
    const lacking = [...emailTemplates, ...smsTemplates].filter((name) =>
      faults.some((sentence) => isAbout(sentence, name)),
    );
    const waits = `a code-defined sequence waits for the ${lacking.length === 1 ? 'template' : 'templates'} ${lacking.join(', ')}`;
    log.info({ workspace_id: workspace.id, key }, waits);
  } else log.warn(fields, 'a code-defined sequence does not fit the workspace, and is left out');
}

/** Whether `sequences.publish` would accept the sequence in this workspace. If not, the reason is logged. */
async function mayPublish(
  ctx: TransactionContext,
  given: CheckedSequence,
  { all, isPublished }: { readonly all: readonly CheckedSequence[]; readonly isPublished: boolean },
): Promise<boolean> {
  const { key, definition } = given;
  const details = await faultsOf(
    ctx,
    key,
    definition,
    all.map((one) => one.key),
  );
  if (details.length > 0) logUnpublishable(ctx, given, { details, isPublished });
  return details.length === 0;
}

/** Whether the workspace already has this sequence as it is in the code. */
const isDone = (row: SequenceRow, given: CheckedSequence): boolean =>
  row.version > 0 && isSame(row, given) && row.name === given.name;

async function syncOne(
  ctx: TransactionContext,
  given: CheckedSequence,
  all: readonly CheckedSequence[],
): Promise<void> {
  const { trx } = ctx;
  const { key, name, definition } = given;
  // Read without a lock: usually there is nothing to do, and with a lock, processes that start together would wait for each other.
  const existing = await sequenceRows.findBy(trx, { key });
  if (existing !== undefined && existing.source !== 'code') {
    const fields = { workspace_id: ctx.workspace.id, key };
    ctx.log.error(fields, 'a code-defined sequence has the key of one that the API created: it is left out');
    return;
  }
  if (existing !== undefined && isDone(existing, given)) return;
  const isPublished = (existing?.version ?? 0) > 0;
  const isFit = await mayPublish(ctx, given, { all, isPublished });
  // The published version stays in use. A sequence that was never published stays a visible draft.
  if (!isFit && isPublished) return;
  const publisher = { keyId: null, member: null, scopes: scopesOf(given) };
  if (existing === undefined) {
    const row = draftRow({ id: ctx.newId('seq'), key, name, source: 'code', definition, now: ctx.now });
    if ((await sequenceRows.insertUnlessTaken(trx, row)) && isFit) await publishRow(ctx, row, publisher);
    return;
  }
  const found = await sequenceRows.findBy(trx, { key }, 'update');
  if (found === undefined || isDone(found, given)) return;
  const isNew = found.version === 0 || !isSame(found, given);
  const earlierStatus = found.version > 0 ? 'published' : 'draft';
  const changed = await sequenceRows.change(trx, found, {
    name,
    ...definitionColumns(definition),
    status: found.status === 'archived' ? earlierStatus : found.status,
  });
  if (isNew && isFit) await publishRow(ctx, changed, publisher);
}

/** Brings the workspace's code-defined sequences in line with the program. Archives sequences that the program no longer has. */
export async function syncCode(ctx: TransactionContext, input: readonly CheckedSequence[]): Promise<void> {
  const keys = new Set(input.map(({ key }) => key));
  for await (const rows of sequenceRows.each(ctx.trx, { source: 'code' }))
    for (const { key, status } of rows) {
      if (keys.has(key) || status === 'archived') continue;
      const found = await sequenceRows.findBy(ctx.trx, { key }, 'update');
      if (found !== undefined && found.status !== 'archived') await archiveRow(ctx, found);
    }
  for (const one of input) await syncOne(ctx, one, input);
}

/** Syncs the code-defined sequences that name a changed template again: they may now be published. */
export async function syncSequencesUsing(
  ctx: TransactionContext,
  input: readonly CheckedSequence[],
  refersTo: (references: ReturnType<typeof namedReferences>) => boolean,
): Promise<void> {
  for (const one of input) if (refersTo(namedReferences(one.definition))) await syncOne(ctx, one, input);
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
