// The standard plugins with the shop plugin, and everything that is logged. For the tests of the pipeline.
import type { ServiceOptions } from '../../core/kernel/options.ts';
import type { TestService } from '../../hosts/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';
import type { TestDatabase } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { shopPlugin } from './shop-plugin.ts';

/** A test service with the shop plugin. */
export interface ShopService extends TestService<string> {
  readonly logged: string[];
  /** The number of times that the prepared operation has started its work */
  prepares(): number;
}

/** Opens a shop service with new tables. Its limits are those of the plans. */
export async function openShop(
  database: TestDatabase,
  options: Partial<ServiceOptions<string>> = {},
): Promise<ShopService> {
  const logLines: string[] = [];
  let prepares = 0;
  const log = (fields: Record<string, unknown>, message: string) => {
    logLines.push(`${message} ${JSON.stringify(fields)}`);
  };
  const count = () => {
    prepares += 1;
  };
  const test = await migratedTestService<string>(database, {
    logger: { debug: log, info: log, warn: log, error: log },
    ...options,
    plugins: [...standardPlugins, shopPlugin(count)],
  });
  return { ...test, logged: logLines, prepares: () => prepares };
}
