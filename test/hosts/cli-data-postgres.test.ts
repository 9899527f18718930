// time-limit: 300
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasPostgres } from '../support/postgres-server.ts';
import { createProjectFolder } from './cli-bench.ts';
import { configs, dataSuite } from './cli-data.ts';

const test = suite('the command line without its PostgreSQL');

test('reports in one line that the server does not answer', async () => {
  const config = configs.PostgreSQL.replace(
    /"connectionString":"[^"]*"/,
    '"connectionString":"postgres://127.0.0.1:1/none"',
  );
  const project = await createProjectFolder({ 'postrider.config.mjs': config });
  try {
    for (const words of [
      ['migrate', 'status'],
      ['keys', 'list'],
    ]) {
      const { code, stdout, stderr } = await project.run(words);
      assert.equal([code, stdout], [1, '']);
      assert.match(stderr, /^error .*ECONNREFUSED 127\.0\.0\.1:1.*\n$/);
    }
    const refused = await project.run(['migrate']);
    assert.match(
      refused.stderr,
      /^error The migration was refused\. Nothing ran and nothing was changed\. .*ECONNREFUSED.*\n$/,
    );
  } finally {
    await project.remove();
  }
});

test.run();

if (await hasPostgres()) dataSuite('PostgreSQL');
