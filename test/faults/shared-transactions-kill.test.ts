// time-limit: 600
// Proof by killing on PostgreSQL, where sends that begin together share a transaction: the process dies by SIGKILL while some members
// of a shared transaction are done and none is committed, and after its commit when some are answered. No accepted send is lost or
// doubled.
// full-run: kill
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { longTests } from '../support/long-tests.ts';
import { hasPostgres } from '../support/postgres-server.ts';
import { createChance, runWithKills, type WorkerKill } from './kill-run.ts';

const test = suite('kills in a shared transaction');
const seed = process.env.POSTRIDER_TEST_SEED ?? String(Date.now());

const phases = [
  'transaction.begun',
  'handler.done',
  'transaction.flushed',
  'transaction.flushed',
  'transaction.committed',
  'answer.ready',
] as const;

if (await hasPostgres()) {
  test(`no accepted send is lost or doubled (seed ${seed})`, async () => {
    const chance = createChance(seed);
    const plannedPhases = longTests ? [...phases, ...phases, ...phases] : phases;
    const kills: WorkerKill[] = plannedPhases.map((phase) => ({ phase, occurrence: chance(40, 120) }));
    let transactions = 0;
    let entries = 0;
    const result = await runWithKills({
      database: 'postgres',
      kills,
      sendsPerLife: 160,
      drainMs: 100_000,
      async inspect(storage) {
        const driver = await storage.open();
        const sql =
          "select count(distinct xmin::text) as transactions, count(*) as entries from postrider_audit where action = 'transactional.send'";
        const { rows } = await driver.read((connection) => connection.query({ sql, parameters: [] }));
        transactions = Number(rows[0]?.['transactions']);
        entries = Number(rows[0]?.['entries']);
        await driver.close();
      },
    });
    console.log(
      `# ${result.kills} kills, ${result.keys} sends, ${result.accepted} answers of 202 (${result.replayed} replays), ${result.retried} retries (${result.retriedReplays} had been committed); ${entries} sends in ${transactions} transactions`,
    );
    assert.is(result.kills, kills.length);
    assert.equal(result.lost, [], 'keys that were accepted and lost');
    assert.equal(result.doubled, [], 'keys that were not delivered exactly once');
    assert.equal(result.changedIds, [], 'keys with two ids');
    assert.equal(result.unexpectedAnswers, [], 'unexpected answers');
    assert.equal(result.errors, [], 'errors in the log');
    assert.is(result.unfinished, 0);
    assert.ok(result.retried > result.retriedReplays, 'no kill fell before a commit');
    // Each process begins without shared statements: it learns their types from its first sends.
    assert.ok(transactions < entries * 0.8, 'the sends did not share transactions');
  });
}
test.run();
