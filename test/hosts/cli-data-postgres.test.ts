// time-limit: 300
// full-run: long
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasPostgres } from '../support/postgres-server.ts';
import { createProjectFolder } from './cli-bench.ts';
import { configs, dataSuite } from './cli-data.ts';

const test = suite('the command line without its PostgreSQL');

test('if the server does not answer, one line reports it', async () => {
  const config = configs.PostgreSQL.replace(
    /"connectionString":"[^"]*"/,
    '"connectionString":"postgres://127.0.0.1:1/none"',
  );
  const project = await createProjectFolder({ 'postrider.config.mjs': config });
  try {
    for (const words of [['migrate'], ['migrate', 'status'], ['keys', 'list']]) {
      const { code, stdout, stderr } = await project.run(words);
      assert.equal([code, stdout], [1, '']);
      assert.match(stderr, /^error Postgres cannot be reached .*ECONNREFUSED 127\.0\.0\.1:1.*\n$/);
      assert.not.match(stderr, 'migration');
    }
  } finally {
    await project.remove();
  }
});

test.run();

if (await hasPostgres()) dataSuite('PostgreSQL');
