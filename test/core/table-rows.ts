// Every row of every declared table, as text: what a refused call must not have changed. Used by the attacks; keys are
// left out, since each use of one is noted in its row, and what a process holds and gives back in its own time. Reading them all is dear: once before many refusals and once after.
import { unscoped } from '../../core/storage/scope.ts';
import type { AnyTestService } from '../../hosts/testing/test-service.ts';

const leftOut: ReadonlySet<string> = new Set(['api_keys', 'schedule_slots', 'budget_leases']);

/** The rows, table by table; equal texts mean that nothing changed. */
export async function rowsOf({ service }: AnyTestService): Promise<string> {
  const { core } = service;
  const database = await core.database();
  const lines: string[] = [];
  for (const table of core.registry.tables.keys()) {
    if (leftOut.has(table)) continue;
    const rows = await database.read(unscoped('the test looks at every workspace'), ({ db }) =>
      db
        .selectFrom(table as 'audit')
        .selectAll()
        .execute(),
    );
    lines.push(table, ...rows.map((row) => JSON.stringify(row)).sort());
  }
  return lines.join('\n');
}

/** The rows that one text of `rowsOf` has and the other has not, with a sign of which. */
export function changesOf(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const [known, left] = [new Set(old), new Set(now)];
  return [
    ...old.filter((row) => !left.has(row)).map((row) => `- ${row}`),
    ...now.filter((row) => !known.has(row)).map((row) => `+ ${row}`),
  ];
}
