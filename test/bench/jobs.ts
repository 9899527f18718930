/*
 * The cost of a job, from its claim until its result is stored: a mail handed to an SMTP server, a job that does nothing, a webhook.
 * `npx tsx test/bench/jobs.ts [--work mail,noop,hooks,hooks50] [--storage sqlite,postgres] [--before /folder/of/a/checkout,…]
 * [--rounds 7] [--units 400] [--profile /folder]` A floor by hand, the other checkouts and this one are long-lived processes, compiled
 * to JavaScript, that take turns. Prints the processor time of a unit, and counts that do not depend on the machine: statements, commits,
 * waits for the disk, writes to sockets and timers for each unit.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { newSchema, postgresUrl, queryOnOwnConnection } from '../support/postgres-server.ts';
import { compileCheckout } from './checkouts.ts';
import { dataFolder } from './contestant-process.ts';
import type { Counts } from './counted.ts';
import type { JobsRunOptions } from './jobs-process.ts';
import { describeMachine } from './machine.ts';

const { values } = parseArgs({
  options: {
    work: { type: 'string', default: 'mail,noop,hooks,hooks50' },
    storage: { type: 'string', default: 'sqlite,postgres' },
    before: { type: 'string', default: '' },
    rounds: { type: 'string', default: '7' },
    units: { type: 'string', default: '400' },
    profile: { type: 'string' },
  },
});
const listOf = (text: string): string[] => text.split(',').filter((part) => part !== '');
const rounds = Number(values.rounds);
const warmUps = 2;
const ownRoot = resolve(import.meta.dirname, '../..');
const measuredFiles = {
  own: [
    'jobs-process',
    'jobs-service',
    'counted',
    'mail-fixture',
    ...['jobs-by-hand', 'mail-nodemailer', 'render-segments', 'webhooks-undici'].map((name) => `floors/${name}`),
  ].map((name) => `test/bench/${name}.ts`),
};

type Round = Counts & { readonly ms: number; readonly processor: number; readonly syncs: number };

interface Contestant {
  readonly name: string;
  readonly rounds: Round[];
  round(): Promise<Round>;
  close(): Promise<void>;
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const [message] = (await once(child, 'message')) as unknown[];
  return message;
}

async function startSink(file: string): Promise<{ port: number; stop(): void }> {
  const child = fork(new URL(file, import.meta.url), { execArgv: ['--import', 'tsx'] });
  process.once('exit', () => child.kill());
  return { port: (await answerOf(child)) as number, stop: () => void child.kill() };
}

/** The number of times that PostgreSQL has waited for its write-ahead log, over all databases of the server. */
async function syncsOf(storage: string): Promise<number> {
  if (storage !== 'postgres') return 0;
  const { rows } = await queryOnOwnConnection('select wal_sync as syncs from pg_stat_wal');
  return Number((rows[0] as { syncs: string }).syncs);
}

async function start(
  name: string,
  folder: string,
  order: Omit<JobsRunOptions, 'location'>,
  units: number,
): Promise<Contestant> {
  const onPostgres = order.storage === 'postgres' && !(order.isFloor && order.work !== 'noop');
  const database = newSchema();
  const data = mkdtempSync(join(dataFolder, 'jobs-'));
  if (onPostgres) await queryOnOwnConnection(`create database ${database}`);
  const location = onPostgres ? new URL(`/${database}`, postgresUrl).href : join(data, 'jobs.db');
  const profileFlags =
    values.profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-interval=250', `--cpu-prof-dir=${values.profile}`];
  const child = fork(join(folder, 'test/bench/jobs-process.js'), [JSON.stringify({ ...order, location })], {
    execArgv: order.isFloor ? [] : profileFlags,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  process.once('exit', () => child.kill());
  child.once('exit', (code) => {
    if (code !== 0) throw new Error(`${name} ended with ${code}.`);
  });
  await answerOf(child);
  return {
    name,
    rounds: [],
    async round() {
      const before = await syncsOf(order.storage);
      child.send(units);
      const answer = (await answerOf(child)) as Omit<Round, 'syncs'>;
      return { ...answer, syncs: onPostgres ? (await syncsOf(order.storage)) - before : answer.durable };
    },
    async close() {
      child.send('end');
      await once(child, 'exit');
      if (onPostgres) await queryOnOwnConnection(`drop database ${database} with (force)`);
      rmSync(data, { recursive: true, force: true });
    },
  };
}

const median = (figures: readonly number[]): number => [...figures].sort((a, b) => a - b)[figures.length >> 1] ?? 0;

function print(title: string, contestants: readonly Contestant[], units: number): void {
  console.log(`\n${title}, for each of ${units}, medians of ${rounds} rounds (minimum)`);
  const [floor] = contestants;
  for (const { name, rounds: all } of contestants) {
    const valuesOf = (key: keyof Round) => all.map((round) => round[key] / units);
    const ratio = (key: 'ms' | 'processor') =>
      median(all.map((round, index) => (floor?.rounds[index]?.[key] ?? 0) / round[key])).toFixed(2);
    const usedTimes = valuesOf('processor');
    const shownCounts = (['statements', 'commits', 'syncs', 'writes', 'timers'] as const)
      .map((key) => `${key} ${median(valuesOf(key)).toFixed(2)}`)
      .join(' ');
    console.log(
      `${name.padEnd(28)} ${Math.round(median(usedTimes))} us (${Math.round(Math.min(...usedTimes))}) of processor, floor / this ${ratio('processor')} ` +
        `by processor time, ${ratio('ms')} by wall-clock time; ${shownCounts}`,
    );
  }
}

console.log(JSON.stringify(await describeMachine(dataFolder)));
const folders = new Map<string, string>();
for (const checkout of [...listOf(values.before), ownRoot])
  folders.set(checkout, await compileCheckout(checkout, measuredFiles));
for (const storage of listOf(values.storage) as JobsRunOptions['storage'][])
  for (const name of listOf(values.work)) {
    const work = name.replace(/\d+$/, '') as JobsRunOptions['work'];
    const subscriptions = Number(/\d+$/.exec(name)?.[0] ?? 1);
    const units = Number(values.units) * (work === 'noop' ? 10 : 1);
    const sink = await startSink(work === 'mail' ? './floors/mail-sink.ts' : './floors/webhook-sink.ts');
    const contestantOptions = { work, storage, port: sink.port, subscriptions };
    const contestants = [
      await start('floor', folders.get(ownRoot) ?? '', { ...contestantOptions, isFloor: true }, units),
    ];
    for (const [checkout, folder] of folders)
      contestants.push(await start(checkout, folder, { ...contestantOptions, isFloor: false }, units));
    for (let round = -warmUps; round < rounds; round += 1)
      for (const contestant of contestants) {
        const roundResult = await contestant.round();
        if (round >= 0) contestant.rounds.push(roundResult);
      }
    print(`${name}, ${storage}`, contestants, units);
    for (const contestant of contestants) await contestant.close();
    sink.stop();
  }
for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true });
