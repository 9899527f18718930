// The checks of a plugin's declarations that createService leaves out, because they run schedules or would slow down each start:
// whether the examples of events match their schemas, and whether the schedules name existing retentions and purge along an index.
// Called by operation-suite.ts, once for each plugin.
import * as assert from 'node:assert/strict';
import type { ScheduleContext } from '../../../core/contract/declaration/jobs.ts';
import type { Plugin } from '../../../core/contract/declaration/plugin.ts';
import { checkValue, faultSentence } from '../../../core/contract/errors/input-faults.ts';
import { isKeyedBy } from '../../../core/storage/primary-key.ts';
import type { AnyTestService } from '../test-service.ts';

function* exampleFaults({ events }: Plugin): Generator<string> {
  for (const { type, data, example, person } of events) {
    const checked = checkValue(data, example, 'The example');
    if (!checked.ok)
      yield `The example of the event ${type} does not fit its data: ${checked.faults.map(faultSentence).join(' ')}`;
    else if (person !== undefined && !person(example))
      yield `The event ${type} declares a person, but its example does not name one.`;
  }
}

const quoted = (columns: readonly string[]): string => `[${columns.map((column) => `'${column}'`).join(', ')}]`;

/** All permutations of these names. */
const ordersOf = (names: readonly string[]): string[][] =>
  names.length < 2
    ? [[...names]]
    : names.flatMap((name) => ordersOf(names.filter((other) => other !== name)).map((rest) => [name, ...rest]));

/** The purge functions of a schedule's context. */
interface Purges {
  readonly purge: ScheduleContext['purge'];
  readonly purgeByWorkspace: ScheduleContext['purgeByWorkspace'];
}

/** Collects the faults of purges without purging anything. */
function checkingPurges(
  { registry }: AnyTestService['service']['core'],
  scheduleId: string,
  faults: Set<string>,
): Purges {
  /** Adds a fault unless an index has one of these lists of columns. The fault proposes the first list. */
  const check = (table: string, indexes: readonly (readonly string[])[]): void => {
    const [proposed = []] = indexes;
    if (!registry.tables.has(table))
      faults.add(`The schedule ${scheduleId} purges ${table}, a table that no composed plugin declares.`);
    else if (!indexes.some((columns) => isKeyedBy(registry.migrations, table, columns)))
      faults.add(
        `The schedule ${scheduleId} purges ${table} by ${proposed.at(-1)}, and no index of the table begins with its columns: each run would read the whole table. ` +
          `Add to a migration: { index: '${table}_${proposed.at(-1)}', on: '${table}', columns: ${quoted(proposed)} }`,
      );
  };
  return {
    async purge(table, column, _before, where = {}) {
      check(
        table,
        ordersOf(Object.keys(where)).map((equal) => [...equal, column]),
      );
      return 0;
    },
    async purgeByWorkspace(table, column, _before, parts = {}) {
      const ofEach = (name: string, last: string): string[][] => {
        const sides = registry.tables.get(name)?.sides === true ? [['workspace_id', 'sandbox', last]] : [];
        return [...sides, ['workspace_id', last]];
      };
      check(table, ofEach(table, column));
      for (const [part, owner] of Object.entries(parts)) check(part, [...ofEach(part, owner), [owner]]);
      return 0;
    },
  };
}

/** Runs the schedules without rows. Only their use of retentions and tables is checked. */
async function* scheduleFaults({ schedules }: Plugin, { service: { core } }: AnyTestService): AsyncGenerator<string> {
  for (const schedule of schedules) {
    const faults = new Set<string>();
    const context: ScheduleContext = {
      services: core.services,
      ports: core.ports,
      log: core.log,
      now: core.ports.now(),
      signal: AbortSignal.timeout(1_000),
      keptSince(name) {
        if (!core.retention.has(name))
          faults.add(
            `The schedule ${schedule.id} asks keptSince for ${name}, a retention that no composed plugin declares.`,
          );
        return 0;
      },
      ...checkingPurges(core, schedule.id, faults),
      eachWorkspace: async () => undefined,
    };
    // The schedule may fail because there are no rows.
    await schedule.run(context).catch(() => undefined);
    yield* faults;
  }
}

/** @throws AssertionError with every fault */
export async function checkDeclarations(pluginId: string, test: AnyTestService): Promise<void> {
  const plugin = test.service.core.registry.plugins.find(({ id }) => id === pluginId);
  if (plugin === undefined) return;
  const faults = [...exampleFaults(plugin)];
  for await (const fault of scheduleFaults(plugin, test)) faults.push(fault);
  assert.equal(faults.join('\n'), '');
}
