/*
 * The harness of the HTTP workloads: starts the floor and its contestants, loads them in turn (A B A B), prints a table
 * and one JSON line, and fails if an answer was wrong or a row is missing. Workloads (send.ts, read.ts) call `measure`.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compile } from './compile.ts';
import type { Announcement, Storage } from './contestant.ts';
import { dataFolder, type RunningContestant, startContestant } from './contestant-process.ts';
import type { LoadResult, LoadRun } from './load.ts';
import { describeMachine } from './machine.ts';

/** The options of the command line. */
export interface MeasureOptions {
  rounds: number;
  seconds: number;
  connections: number[];
  storage: Storage;
  /** Absolute paths; undefined uses the contestants of the workload and of contestants/. */
  contestants: string[] | undefined;
}

/** The number of rows that must exist, by the names in a contestant's `counts`. */
export type ExpectedRows = Record<string, number>;

/** One workload. */
export interface Workload {
  name: string;
  /** The floor's file. All figures are divided by the floor's. */
  floor: string;
  /** Faster variants of the floor, shown for orientation. */
  orientation: string[];
  /** Requests in flight per connection. */
  pipeline: number;
  /** True if an answer contains its request's number. */
  echo: boolean;
  /** True if the contestants write, and so must be durable and announce counts. */
  durable: boolean;
  /** Request texts. A new number replaces `freshNumber`. */
  requests(announcement: Announcement): string[];
  /** Throws if a contestant does the work wrongly. Returns the number of sends that it made itself. */
  admit(contestant: RunningContestant): Promise<{ accepted: number; suppressed: number }>;
  /** The rows that must exist after this many accepted requests. */
  expectedRows(accepted: number, suppressed: number): ExpectedRows;
}

/** Twelve characters that the load generator replaces with a new number of twelve digits. */
export const freshNumber = '############';

const folder = import.meta.dirname;

/** Reads `--rounds --seconds --connections --storage --contestants`. */
export function readOptions(): MeasureOptions {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '1,32' },
      storage: { type: 'string', default: 'sqlite' },
      contestants: { type: 'string' },
    },
  });
  if (values.storage !== 'sqlite' && values.storage !== 'postgres') throw new Error('--storage is sqlite or postgres');
  return {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    connections: values.connections.split(',').map(Number),
    storage: values.storage,
    contestants: values.contestants
      ?.split(',')
      .filter((path) => path !== '')
      .map((path) => resolve(path)),
  };
}

function findContestants(workload: string, storage: Storage): string[] {
  const contestantFolder = join(folder, 'contestants');
  const otherSuffix = storage === 'sqlite' ? '-postgres.ts' : '-sqlite.ts';
  if (!existsSync(contestantFolder)) return [];
  return readdirSync(contestantFolder)
    .filter((file) => file.startsWith(`${workload}-`) && file.endsWith('.ts') && !file.endsWith(otherSuffix))
    .sort()
    .map((file) => join(contestantFolder, file));
}

function cutRequest(text: string): string[] {
  return Buffer.from(text, 'utf8').toString('latin1').split(freshNumber);
}

function load(generator: ChildProcess, run: LoadRun): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error('The load generator ended.'));
    generator.once('exit', onExit);
    generator.once('message', (result: LoadResult) => {
      generator.off('exit', onExit);
      resolve(result);
    });
    generator.send(run);
  });
}

export function median(values: number[]): number {
  const sortedValues = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sortedValues.length / 2);
  const upper = sortedValues[middle] as number;
  return sortedValues.length % 2 === 1 ? upper : ((sortedValues[middle - 1] as number) + upper) / 2;
}

interface Entry {
  contestant: RunningContestant;
  variants: string[][];
  accepted: number;
  suppressed: number;
  results: Map<number, LoadResult[]>;
}

function summarise(entry: Entry, floor: Entry, connections: number) {
  const results = entry.results.get(connections) as LoadResult[];
  const rates = results.map((result) => result.perSecond);
  const ratios = rates.map((rate, round) => rate / (floor.results.get(connections)?.[round]?.perSecond ?? Number.NaN));
  return {
    connections,
    contestant: entry.contestant.name,
    min: Math.round(Math.min(...rates)),
    median: Math.round(median(rates)),
    max: Math.round(Math.max(...rates)),
    ratio: Number(median(ratios).toFixed(3)),
    p50: Number(median(results.map((result) => result.p50)).toFixed(2)),
    p99: Number(median(results.map((result) => result.p99)).toFixed(2)),
    generatorBusy: Number(Math.max(...results.map((result) => result.busy)).toFixed(2)),
  };
}

function printTable(rows: ReturnType<typeof summarise>[]): void {
  const head = ['connections', 'contestant', 'min/s', 'median/s', 'max/s', '× floor', 'p50 ms', 'p99 ms', 'load busy'];
  const cells = rows.map((row) => Object.values(row).map(String));
  const widths = head.map((title, index) => Math.max(title.length, ...cells.map((row) => row[index]?.length ?? 0)));
  for (const row of [head, ...cells]) {
    const paddedCells = row.map((cell, index) =>
      index === 1 ? cell.padEnd(widths[index] as number) : cell.padStart(widths[index] as number),
    );
    console.log(paddedCells.join('  '));
  }
}

async function checkRows(entry: Entry, workload: Workload): Promise<void> {
  await entry.contestant.kill();
  const counts = await entry.contestant.countRows();
  const rowsByKind = workload.expectedRows(entry.accepted, entry.suppressed);
  for (const [kind, count] of Object.entries(rowsByKind)) {
    if (counts[kind] !== count) {
      throw new Error(`${entry.contestant.name}: ${count} ${kind} rows were answered for, ${counts[kind]} exist`);
    }
  }
}

/** Runs a workload from start to end. Rejects if a contestant can't be trusted, whatever its figures. */
export async function measure(workload: Workload, options: MeasureOptions): Promise<void> {
  const otherFiles = options.contestants ?? [
    ...workload.orientation,
    ...findContestants(workload.name, options.storage),
  ];
  const loadFile = join(folder, 'load.ts');
  const machine = await describeMachine(dataFolder);
  const compiledFiles = compile([workload.floor, ...otherFiles, loadFile]);
  const generator = fork(compiledFiles.pathOf(loadFile), { execArgv: [] });
  const entries: Entry[] = [];
  // An interrupted run must still remove its servers and databases: without the generator, it ends through `finally`.
  const interrupt = (): void => void generator.kill();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    for (const source of [workload.floor, ...otherFiles]) {
      const contestant = await startContestant(compiledFiles.pathOf(source), options.storage, workload.durable);
      const entry = { contestant, variants: [] as string[][], accepted: 0, suppressed: 0, results: new Map() };
      entries.push(entry);
      Object.assign(entry, await workload.admit(contestant));
      entry.variants = workload.requests(contestant.announcement).map(cutRequest);
    }
    const runOne = async (entry: Entry, connections: number, warmUp: number, seconds: number): Promise<LoadResult> => {
      const { pipeline, echo } = workload;
      const { variants } = entry;
      const port = entry.contestant.announcement.port;
      const result = await load(generator, { port, connections, pipeline, warmUp, seconds, variants, echo });
      entry.accepted += result.accepted;
      if (result.failed > 0) {
        throw new Error(`${entry.contestant.name}: ${result.failed} answers were wrong, the first: ${result.failure}`);
      }
      return result;
    };
    for (const entry of entries) await runOne(entry, Math.max(...options.connections), 0, 2);
    for (const connections of options.connections) {
      for (const entry of entries) entry.results.set(connections, []);
      for (let round = 0; round < options.rounds; round += 1) {
        for (const entry of entries) {
          entry.results.get(connections)?.push(await runOne(entry, connections, 0.5, options.seconds));
        }
      }
    }
    if (workload.durable) for (const entry of entries) await checkRows(entry, workload);
    const [floor] = entries;
    if (floor === undefined) return;
    const rows = options.connections.flatMap((connections) =>
      entries.map((entry) => summarise(entry, floor, connections)),
    );
    console.log(
      `${workload.name} on ${options.storage}, ${options.rounds} rounds of ${options.seconds} s, ` +
        `${workload.pipeline} in flight a connection, against ${basename(workload.floor)} (${machine.processor}, ` +
        `node ${machine.node}, a durable write ${machine.durableWrite} ms)\n`,
    );
    printTable(rows);
    if (rows.some((row) => row.generatorBusy > 0.85)) {
      console.log(
        "\nThe load generator was nearly busy all the time: figures above may be its limit, not the server's.",
      );
    }
    if (machine.busyBefore > 0.1) {
      console.log(`\nThe machine was ${Math.round(machine.busyBefore * 100)} % busy before this began: run it alone.`);
    }
    const { rounds, seconds, storage } = options;
    console.log(`\n${JSON.stringify({ workload: workload.name, storage, rounds, seconds, machine, rows })}`);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    generator.kill();
    for (const entry of entries) {
      await entry.contestant.kill();
      await entry.contestant.remove();
    }
    compiledFiles.remove();
  }
}
