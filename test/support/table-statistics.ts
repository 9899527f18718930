// The upkeep of statistics for tests of other parts, and of single tables.
import { TableStatistics } from '../../core/jobs/table-statistics.ts';
import type { Database } from '../../core/storage/database.ts';

/** The statistics of these tables, named without prefix. (Default: no table) */
export const statisticsOf = (database: Database, tables: readonly string[] = []): TableStatistics =>
  new TableStatistics({
    database: async () => database,
    tables: () => tables,
    onError: (error) => {
      throw error;
    },
  });
