// Every row of every declared table as text, to check that a refused call changed nothing. Used by the attacks. API keys are omitted,
// because each use updates their row, and so are rows that a process reserves and returns in the background. Reading all rows is slow:
// read them once before many refusals and once after.
import { unscoped } from '../../core/storage/scope.ts';
import type { AnyTestService } from '../../hosts/testing/test-service.ts';

const omittedTables: ReadonlySet<string> = new Set(['api_keys', 'schedule_slots', 'budget_leases']);

/** Returns the rows, table by table. If two texts are equal, nothing has changed. */
export async function rowsOf({ service }: AnyTestService): Promise<string> {
  const { core } = service;
  const database = await core.database();
  const lines: string[] = [];
  for (const table of core.registry.tables.keys()) {
    if (omittedTables.has(table)) continue;
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

/** The rows that only one of two results of `rowsOf` has, with - for removed and + for added */
export function changesOf(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const [rowsBefore, rowsAfter] = [new Set(old), new Set(now)];
  return [
    ...old.filter((row) => !rowsAfter.has(row)).map((row) => `- ${row}`),
    ...now.filter((row) => !rowsBefore.has(row)).map((row) => `+ ${row}`),
  ];
}
