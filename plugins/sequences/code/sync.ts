// Keeps the sequences of the program's code in the workspaces: made with a new workspace, and brought up to date by a schedule after
// a release.
import { createHash } from 'node:crypto';
import type { Effects, ScheduleDeclaration, ServiceSurface } from '../../../core/index.ts';
import { needOf } from '../definition/scopes.ts';
import { definitionColumns, draftRow } from '../draft-row.ts';
import { publishRow } from '../publish/publish.ts';
import { archiveRow } from '../publish/stop.ts';
import { sequenceRows } from '../tables.ts';
import { hashOf } from '../versions.ts';
import type { CheckedSequence } from './code-sequence.ts';

/** The program holds every scope; the version records those that its nodes need. */
const scopesOf = ({ definition }: CheckedSequence): string[] =>
  [...new Set(definition.nodes.flatMap((node) => needOf(node)?.scope ?? []))].sort();

async function syncOne(surface: ServiceSurface, effects: Effects, given: CheckedSequence): Promise<void> {
  const { trx } = effects;
  const publisher = { keyId: null, member: null, scopes: scopesOf(given) };
  const found = await sequenceRows.findBy(trx, { key: given.key }, 'update');
  if (found === undefined) {
    const { key, name, definition } = given;
    const row = draftRow({ id: effects.newId('seq'), key, name, source: 'code', definition, now: effects.now });
    if (await sequenceRows.insertUnlessTaken(trx, row)) await publishRow(surface, effects, row, publisher);
    return;
  }
  if (found.source !== 'code') {
    const facts = { workspace_id: effects.workspace.id, key: given.key };
    surface.log.error(facts, 'a sequence of the code has the key of one that the API made: it is left out');
    return;
  }
  const isSame = found.status !== 'archived' && hashOf(found.definition) === hashOf(given.definition);
  if (isSame && found.name === given.name) return;
  const changed = await sequenceRows.change(trx, found, {
    name: given.name,
    ...definitionColumns(given.definition),
    status: found.status === 'archived' ? 'published' : found.status,
  });
  if (!isSame) await publishRow(surface, effects, changed, publisher);
}

/** Makes the workspace's sequences of the code what the program says; those that it no longer has are archived. */
export async function syncCode(
  surface: ServiceSurface,
  effects: Effects,
  given: readonly CheckedSequence[],
): Promise<void> {
  for (const one of given) await syncOne(surface, effects, one);
  const keys = new Set(given.map(({ key }) => key));
  for await (const rows of sequenceRows.each(effects.trx, { source: 'code' }))
    for (const row of rows) if (!keys.has(row.key) && row.status !== 'archived') await archiveRow(effects, row);
}

/** Brings existing workspaces up to date, once a process and release of the code. */
export function syncSchedule(given: readonly CheckedSequence[]): ScheduleDeclaration {
  let isDone = false;
  const name = createHash('sha256').update(JSON.stringify(given)).digest('hex').slice(0, 8);
  return {
    id: 'sequences.code',
    description: "Brings the sequences of the program's code up to date in every workspace after a release.",
    everyMs: 60_000,
    async run(context) {
      if (isDone) return;
      await context.eachWorkspace((effects) => syncCode(context, effects, given));
      isDone = !context.signal.aborted;
      context.log.info({ release: name }, 'the sequences of the code are up to date');
    },
  };
}
