// Migrates and dies by SIGKILL right before a given statement: `node --import tsx migrating-process.ts PLAN`.
// Started by migrate-kill.test.ts.
import type { StorageAdapter, StorageDriver } from '../../core/contract/ports/storage.ts';
import { createMigratingService, type MigratingPlan, storageAt } from './migrating-service.ts';

const { name, address, statements } = JSON.parse(process.argv[2] ?? '{}') as MigratingPlan;

/** Counts statements that change the schema, and kills the process after `allowed` of them. Passes on all other statements. */
function withDeathAfter(adapter: StorageAdapter, allowed: number): StorageAdapter {
  let changeCount = 0;
  const wrap = (driver: StorageDriver): StorageDriver =>
    new Proxy(driver, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        if (name !== 'transact') return value.bind(target);
        const transact: StorageDriver['transact'] = (work, options) =>
          target.transact((connection) => {
            const query = connection.query.bind(connection);
            connection.query = (statement) => {
              if (/^\s*(?:create|alter|drop)/i.test(statement.sql)) changeCount += 1;
              if (changeCount > allowed) process.kill(process.pid, 'SIGKILL');
              return query(statement);
            };
            return work(connection);
          }, options);
        return transact;
      },
    });
  return { ...adapter, open: async () => wrap(await adapter.open()) };
}

const service = createMigratingService(withDeathAfter(storageAt(name, address), statements));
await service.migrate();
await service.stop();
