// Every row of every declared table as text, to check that a refused call changed nothing. Used by the attacks. Left
// out are API keys, because each use updates their row, and rows that a process reserves and returns in the background.
// Reading all rows is slow: read once before many refusals and once after.
import { unscoped } from '../../core/storage/scope.ts';
import type { AnyTestService } from '../../hosts/testing/test-service.ts';

const leftOut: ReadonlySet<string> = new Set(['api_keys', 'schedule_slots', 'budget_leases']);

/** Returns the rows, table by table. Equal texts mean that nothing changed. */
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

/** The rows that only one of two texts of `rowsOf` has, marked with - for removed and + for added. */
export function changesOf(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const [known, left] = [new Set(old), new Set(now)];
  return [
    ...old.filter((row) => !left.has(row)).map((row) => `- ${row}`),
    ...now.filter((row) => !known.has(row)).map((row) => `+ ${row}`),
  ];
}
