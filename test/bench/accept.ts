/*
 * Processor time of an accepted send, in process through `dispatch` with an API key, of this checkout and of others in turn.
 * `npx tsx test/bench/accept.ts [--before /folder/of/a/checkout,…] [--storage sqlite|postgres] [--rounds 30] [--sends 320]
 * [--wanted all|none] [--at-once 32] [--profile /folder]` Each release is compiled to JavaScript and has its own process and database. A round sends
 * `--sends` requests to each release, `--at-once` at a time. `wanted`: whether a consumer has subscribed to the events (`none`: no consumer has).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { newSchema, postgresUrl, queryOnOwnConnection } from '../support/postgres-server.ts';
import { compileCheckout } from './checkouts.ts';
import { dataFolder } from './contestant-process.ts';
import { describeMachine } from './machine.ts';

const { values } = parseArgs({
  options: {
    before: { type: 'string', default: '' },
    storage: { type: 'string', default: 'sqlite' },
    rounds: { type: 'string', default: '30' },
    sends: { type: 'string', default: '320' },
    wanted: { type: 'string', default: 'all' },
    'at-once': { type: 'string', default: '32' },
    profile: { type: 'string' },
  },
});
const ownRoot = resolve(import.meta.dirname, '../..');
const measuredFiles = {
  own: ['test/bench/accept-process.ts'],
  fromCheckout: ['test/bench/contestant-service.ts', 'test/bench/mail-fixture.ts'],
};
// SQLite commits waiting sends after this time. Under load, the time alone would decide how many sends share a commit.
const inLargeCommits = (text: string): string => text.replace('const batchMs = 10;', 'const batchMs = 1e3;');

interface Release {
  readonly name: string;
  /** Microseconds of processor time per send, for each round. */
  readonly used: number[];
  /** Microseconds of wall-clock time per send, for each round. */
  readonly passed: number[];
  round(): Promise<number>;
  close(): Promise<void>;
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const [message] = (await once(child, 'message')) as unknown[];
  return message;
}

async function startRelease(checkout: string): Promise<Release> {
  const folder = await compileCheckout(checkout, measuredFiles, inLargeCommits);
  const database = newSchema();
  const onPostgres = values.storage === 'postgres';
  if (onPostgres) await queryOnOwnConnection(`create database ${database}`);
  const target = onPostgres ? new URL(`/${database}`, postgresUrl).href : join(folder, 'accept.db');
  const profileFlags =
    values.profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-interval=250', `--cpu-prof-dir=${values.profile}`];
  const child = fork(
    join(folder, 'test/bench/accept-process.js'),
    [target, values.storage, values.wanted, values['at-once']],
    {
      execArgv: profileFlags,
      env: { ...process.env, NODE_ENV: 'production' },
    },
  );
  child.once('exit', (code) => {
    if (code !== 0) throw new Error(`The release of ${checkout} ended with ${code}.`);
  });
  await answerOf(child);
  const passedTimes: number[] = [];
  return {
    name: checkout,
    used: [],
    passed: passedTimes,
    async round() {
      child.send(Number(values.sends));
      const { user, system, clock } = (await answerOf(child)) as { user: number; system: number; clock: number };
      passedTimes.push(clock);
      return user + system;
    },
    async close() {
      child.send('end');
      await once(child, 'exit');
      if (onPostgres) await queryOnOwnConnection(`drop database ${database} with (force)`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
const min = (values: readonly number[]): number => Math.min(...values);

console.log(JSON.stringify(await describeMachine(dataFolder)));
const releases: Release[] = [];
for (const checkout of [...values.before.split(',').filter((path) => path !== ''), ownRoot]) {
  releases.push(await startRelease(checkout));
}
const warmUps = 6;
for (let round = -warmUps; round < Number(values.rounds); round += 1) {
  for (const release of releases) {
    const roundTime = await release.round();
    if (round >= 0) release.used.push(roundTime);
  }
}
const first = releases[0]?.used ?? [];
const firstPassed = releases[0]?.passed.slice(warmUps) ?? [];
const ratiosOf = (one: readonly number[], otherTimes: readonly number[]): number[] =>
  one.map((before, round) => before / (otherTimes[round] ?? Number.NaN));
for (const { name, used, passed } of releases) {
  const ratios = ratiosOf(first, used);
  console.log(
    `${name.padEnd(40)} ${Math.round(median(used))} us a send (minimum ${Math.round(min(used))}); first / this: ` +
      `${median(ratios).toFixed(3)} by pairs (${min(ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}), ` +
      `${(min(first) / min(used)).toFixed(3)} by minimums; wall clock ${Math.round(median(passed.slice(warmUps)))} us, ` +
      `${median(ratiosOf(firstPassed, passed.slice(warmUps))).toFixed(3)} by pairs`,
  );
}
for (const release of releases) await release.close();
