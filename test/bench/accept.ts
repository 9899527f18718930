/*
 * Processor time of an accepted send, in process through `dispatch` with an API key, of this checkout and of others in turn.
 * `npx tsx test/bench/accept.ts [--before /folder/of/a/checkout,…] [--storage sqlite|postgres] [--rounds 30] [--sends 320]
 * [--wanted all|none] [--profile /folder]` Each release is compiled to JavaScript and has its own process and database. A round sends
 * `--sends` requests to each release, 32 at once. `wanted`: whether a consumer has subscribed to the events (`none`: no consumer has).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { asOutsider, newSchema, postgresUrl } from '../support/postgres-server.ts';
import { dataFolder } from './contestant-process.ts';
import { describeMachine } from './machine.ts';

const { values } = parseArgs({
  options: {
    before: { type: 'string', default: '' },
    storage: { type: 'string', default: 'sqlite' },
    rounds: { type: 'string', default: '30' },
    sends: { type: 'string', default: '320' },
    wanted: { type: 'string', default: 'all' },
    profile: { type: 'string' },
  },
});
const own = resolve(import.meta.dirname, '../..');
const measured = ['test/bench/accept-process.ts', 'test/bench/contestant-service.ts', 'test/bench/mail-fixture.ts'];

/** Compiles the sources of a checkout to JavaScript, file by file, with the measuring files of this checkout. */
async function compileCheckout(checkout: string): Promise<string> {
  const folder = mkdtempSync(join(dataFolder, 'accept-'));
  for (const name of ['core', 'plugins', 'adapters', 'package.json']) {
    cpSync(join(checkout, name), join(folder, name), { recursive: true });
  }
  for (const file of measured) {
    const from = file.endsWith('process.ts') ? own : checkout;
    cpSync(join(from, file), join(folder, file), { recursive: true });
  }
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.d.ts'),
  );
  await build({
    entryPoints: sources.map((file) => join(folder, file)),
    outdir: folder,
    outbase: folder,
    format: 'esm',
    target: 'node20',
    platform: 'node',
  });
  for (const file of sources) {
    const place = join(folder, file.replace(/\.ts$/, '.js'));
    const text = readFileSync(place, 'utf8').replace(/(["'])(\.{1,2}\/[^"'\n]+)\.ts\1/g, '$1$2.js$1');
    // SQLite commits waiting sends after this time. Under load, the time alone would decide how many sends share a commit.
    writeFileSync(place, text.replace('const batchMs = 10;', 'const batchMs = 1e3;'));
  }
  return folder;
}

interface Release {
  readonly name: string;
  /** Microseconds of processor time per send, for each round. */
  readonly used: number[];
  round(): Promise<number>;
  close(): Promise<void>;
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const [message] = (await once(child, 'message')) as unknown[];
  return message;
}

async function startRelease(checkout: string): Promise<Release> {
  const folder = await compileCheckout(checkout);
  const database = newSchema();
  const onPostgres = values.storage === 'postgres';
  if (onPostgres) await asOutsider(`create database ${database}`);
  const place = onPostgres ? new URL(`/${database}`, postgresUrl).href : join(folder, 'accept.db');
  const profiled =
    values.profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-interval=250', `--cpu-prof-dir=${values.profile}`];
  const child = fork(join(folder, 'test/bench/accept-process.js'), [place, values.storage, values.wanted], {
    execArgv: profiled,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  child.once('exit', (code) => {
    if (code !== 0) throw new Error(`The release of ${checkout} ended with ${code}.`);
  });
  await answerOf(child);
  return {
    name: checkout,
    used: [],
    async round() {
      child.send(Number(values.sends));
      const { user, system } = (await answerOf(child)) as { user: number; system: number };
      return user + system;
    },
    async close() {
      child.send('end');
      await once(child, 'exit');
      if (onPostgres) await asOutsider(`drop database ${database} with (force)`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const median = (figures: readonly number[]): number => [...figures].sort((a, b) => a - b)[figures.length >> 1] ?? 0;
const min = (figures: readonly number[]): number => Math.min(...figures);

console.log(JSON.stringify(await describeMachine(dataFolder)));
const releases: Release[] = [];
for (const checkout of [...values.before.split(',').filter((path) => path !== ''), own]) {
  releases.push(await startRelease(checkout));
}
const warmUps = 6;
for (let round = -warmUps; round < Number(values.rounds); round += 1) {
  for (const release of releases) {
    const used = await release.round();
    if (round >= 0) release.used.push(used);
  }
}
const first = releases[0]?.used ?? [];
for (const { name, used } of releases) {
  const ratios = first.map((before, round) => before / (used[round] ?? Number.NaN));
  console.log(
    `${name.padEnd(40)} ${Math.round(median(used))} us a send (least ${Math.round(min(used))}); first / this: ` +
      `${median(ratios).toFixed(3)} by pairs (${min(ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}), ` +
      `${(min(first) / min(used)).toFixed(3)} by the least`,
  );
}
for (const release of releases) await release.close();
