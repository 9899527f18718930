// The generated tests of one plugin's operations, on every database, with the standard plugins composed.

import type { Operation } from '../../core/index.ts';
import { operationSuite } from '../../hosts/testing/operation-suite.ts';
import { eachDatabase, type TestDatabase } from './databases.ts';
import { migratedTestService } from './migrated-tables.ts';
import { bareStandardPlugins } from './plugins.ts';

/** A test service on empty tables of the database. */
export const openTestService = (database: TestDatabase) =>
  migratedTestService(database, { plugins: bareStandardPlugins });

/** Registers and runs the tests. Await it at the end of a plugin's test file. */
export const generatedTests = (pluginId: string, operations: readonly Operation[]): Promise<void> =>
  eachDatabase(`${pluginId} operations`, (test, database) => {
    operationSuite(
      pluginId,
      () => openTestService(database),
      operations,
      (name, run) => {
        test(name, run);
      },
    );
  });
