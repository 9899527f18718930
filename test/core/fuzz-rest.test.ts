// time-limit: 300
// Thousands of fuzzed requests to every operation over REST, on SQLite and on one server. Every response must pass all checks.
// full-run: fuzz
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { longTests } from '../support/long-tests.ts';
import { requestsTo, strayRequests } from './fuzz-requests.ts';
import { fuzz, fuzzedOn } from './fuzz-run.ts';
import { type FuzzTarget, openTarget } from './fuzz-target.ts';

/** The number of requests for each operation */
const runsOf = longTests ? { sqlite: 400, postgres: 200, mariadb: 150 } : { sqlite: 80, postgres: 50, mariadb: 45 };

await eachDatabase('fuzzed requests', (test, database) => {
  let target: FuzzTarget;
  test.before(async () => {
    target = await openTarget(database);
  });
  test.after(() => target.close());

  test('every response of every operation passes the checks', async () => {
    const { operations } = target.test.service.core.registry;
    for (const operation of fuzzedOn(database.name, [...operations.values()])) {
      const fixture = await operation.fixture(target.kit);
      const { finding, statuses } = await fuzz(target, requestsTo(operation, fixture), runsOf[database.name]);
      assert.is(finding, undefined, `${operation.id}: ${finding}`);
      assert.ok((statuses.get(operation.status) ?? 0) > 0, `${operation.id} accepted no request`);
      assert.ok(statuses.size > 1, `${operation.id} refused no request`);
    }
  });

  test('responses for unknown paths and methods pass the checks', async () => {
    const { finding, statuses } = await fuzz(target, strayRequests, runsOf[database.name] * 4);
    assert.is(finding, undefined, finding);
    assert.ok((statuses.get(404) ?? 0) > 0 && (statuses.get(405) ?? 0) > 0);
  });

  test('accepted work is processed without an error of the service', async () => {
    await target.test.drain();
    const faults = target.log.filter(({ level }) => level === 'error' || level === 'warn');
    // Thousands of texts to a few numbers look like toll fraud. The example of a failed job has a kind that no plugin declares.
    const isExpected = (message: string) => /toll fraud|a kind that no composed plugin declares/.test(message);
    assert.equal(faults.filter(({ message }) => !isExpected(message)).slice(0, 3), []);
    console.log(`# ${target.requestCount} fuzzed requests on ${database.name}`);
  });
});
