// time-limit: 300
// The database is killed under load and stays down for some seconds. Callers get 503 at once and lose
// nothing, everything continues by itself when the database is back, and the log reports the outage once.
// POSTRIDER_TEST_OUTAGE_SECONDS makes the outage longer.
// full-run: slow
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { StorageAdapter } from '../../core/contract/ports/storage.ts';
import { type OwnServer, ownServer } from '../support/own-server.ts';
import type { DatabaseLocation } from './mail-service.ts';
import { type OutageOptions, type OutageResult, runOutage } from './outage-run.ts';
import { plantInStorage } from './planted-faults.ts';

const test = suite('an outage of the database');
const awayMs = Number(process.env.POSTRIDER_TEST_OUTAGE_SECONDS ?? 5) * 1_000;
const leaseMs = 60_000;
/** The wait limit for a connection, plus a margin for a busy machine. */
const slowestMs = 12_000;
const resumedWithinMs = 5_000;
const repeatsAtMost = 2 * 10;
/** Two lines from the accepting process, and one from each loop of the delivering processes, however long the outage lasts. */
const linesAtMost = 30;

const summaryOf = (name: string, result: OutageResult): string =>
  [
    `# ${name}: away for ${awayMs} ms, ${result.keys} sends, ${result.accepted} accepted, ${result.refused} answers of 503`,
    `${result.lost.length} lost, ${result.doubled.length} doubled, ${result.repeats} repeats`,
    `the slowest 503 after ${result.slowestRefusalMs} ms, ${result.maxPending} requests waiting at most, heap + ${result.heapGrowthMb} MB`,
    `accepted again after ${result.acceptedAgainMs} ms, delivered again after ${result.deliveredAgainMs} ms`,
    `${result.lines.length} lines of log`,
  ].join('; ');

async function runAndPrint(name: string, options: Omit<OutageOptions, 'leaseMs' | 'awayMs'>): Promise<OutageResult> {
  const result = await runOutage({ leaseMs, awayMs, ...options });
  console.log(summaryOf(name, result));
  return result;
}

/** Findings that must be empty. */
function assertNothingLost(result: OutageResult): void {
  assert.equal(result.lost, [], 'keys that were accepted and lost');
  assert.equal(result.doubled, [], 'keys that were not accepted exactly once');
  assert.equal(result.unexpectedAnswers, [], 'unexpected answers');
  assert.is(result.unfinished, 0);
}

/** Delays commits so that some transactions are always open and the kill interrupts them. */
function withLateCommits(storage: StorageAdapter): StorageAdapter {
  return {
    ...storage,
    async open() {
      const driver = await storage.open();
      const transact = driver.transact.bind(driver);
      driver.transact = (work, options) =>
        transact(async (connection) => {
          const result = await work(connection);
          await pause(100);
          return result;
        }, options);
      return driver;
    },
  };
}

function register(name: string, server: OwnServer, database: DatabaseLocation): void {
  test(`on ${name}, nothing that was accepted is lost, and service resumes after the outage`, async () => {
    const result = await runAndPrint(name, { server, database });
    assertNothingLost(result);
    assert.equal(result.changedIds, [], 'keys with two ids');
    assert.equal(result.changedMessageIds, [], 'repeats with another Message-ID');
    assert.equal(result.noise, [], 'an exception that nobody handled');
    assert.ok(result.refused > 0, 'no request arrived during the outage');
    assert.ok(result.slowestRefusalMs < slowestMs, `a 503 after ${result.slowestRefusalMs} ms`);
    assert.ok(result.acceptedAgainMs < resumedWithinMs, `accepted again after ${result.acceptedAgainMs} ms`);
    assert.ok(result.deliveredAgainMs < resumedWithinMs, `delivered again after ${result.deliveredAgainMs} ms`);
    assert.ok(result.repeats <= repeatsAtMost, `${result.repeats} repeats`);
    assert.is(result.lines.filter((line) => line === 'the database refused').length, 1);
    assert.is(result.lines.filter((line) => line === 'the database answers again').length, 1);
    assert.ok(result.lines.length < linesAtMost, `the log is flooded: ${[...new Set(result.lines)].join('\n')}`);
  });
}

const postgres = await ownServer('postgres');
const mariadb = await ownServer('mariadb');
if (postgres !== undefined) register('postgres', postgres, { kind: 'postgres', schema: 'outage', url: postgres.url });
if (mariadb !== undefined) register('mariadb', mariadb, { kind: 'mariadb', uri: mariadb.url });

if (postgres !== undefined) {
  test('the test would detect a loss of accepted sends', async () => {
    const database: DatabaseLocation = { kind: 'postgres', schema: 'planted', url: postgres.url };
    const plantFault = (storage: StorageAdapter): StorageAdapter => plantInStorage(withLateCommits(storage), 'lost');
    const result = await runAndPrint('planted', { server: postgres, database, wrapStorage: plantFault });
    assert.ok(result.lost.length > 0, 'the accounting found nothing');
  });
}

test.after(async () => {
  await postgres?.remove();
  await mariadb?.remove();
});
test.run();
