// The shared queue suite on pg-boss, and jobs run end to end.
// full-run: slow
import { suite } from 'uvu';
import { pgBossQueue } from '../../adapters/queue/pg-boss.ts';
import { jobQueueSuite } from '../../hosts/testing/job-queue-suite.ts';
import { dropSchema, hasPostgres, newSchema, postgresUrl } from '../support/postgres-server.ts';
import { queuedJobsSuite } from './queued-jobs.ts';

const test = suite('pg-boss');

if (await hasPostgres()) {
  const create = async () => {
    const schema = newSchema();
    return {
      open: () => pgBossQueue({ connectionString: postgresUrl, schema, pollMs: 50 }),
      remove: () => dropSchema(schema),
    };
  };
  jobQueueSuite('pg-boss', create, test);
  queuedJobsSuite('pg-boss', create, test);
}

test.run();
