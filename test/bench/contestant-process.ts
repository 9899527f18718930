/*
 * Runs one contestant as a separate server process on a fresh database, and counts its rows afterwards. Used only by
 * measure.ts.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import pg from 'pg';
import type { Announcement, Storage } from './contestant.ts';

const serverUrl = process.env.POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** The folder of SQLite files. It is on the project's own disk, since a temporary folder may be memory that never syncs. */
export const dataFolder = resolve(import.meta.dirname, '../../node_modules/.cache/bench');
mkdirSync(dataFolder, { recursive: true });

/** A listening server. */
export interface RunningContestant {
  name: string;
  announcement: Announcement;
  /** Kills the process immediately, so that only committed rows can be counted. */
  kill(): Promise<void>;
  /** Runs the announced counts. Call it after `kill`. */
  countRows(): Promise<Record<string, number>>;
  /** Removes the database. */
  remove(): Promise<void>;
}

interface BenchDatabase {
  environment: Record<string, string>;
  count(query: string): Promise<number>;
  remove(): Promise<void>;
}

async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function createPostgres(): Promise<BenchDatabase> {
  const name = `postrider_bench_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    environment: { DATABASE_URL: url.href },
    count: (query) =>
      onServer(url.href, async (client) => Number(Object.values((await client.query(query)).rows[0] ?? {})[0])),
    remove: () =>
      onServer(serverUrl, async (client) => {
        await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
      }),
  };
}

function createSqlite(): BenchDatabase {
  const folder = mkdtempSync(join(dataFolder, 'run-'));
  const file = join(folder, 'bench.sqlite');
  return {
    environment: { DATABASE_PATH: file },
    count: async (query) => {
      const database = new Database(file);
      const count = database.prepare<[], number>(query).pluck().get();
      database.close();
      return count ?? 0;
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function readAnnouncement(child: ChildProcess, name: string): Promise<Announcement> {
  if (child.stdout === null) throw new Error('The contestant has no standard output.');
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('ready ')) {
      child.stdout.resume();
      return JSON.parse(line.slice('ready '.length)) as Announcement;
    }
  }
  throw new Error(`${name} ended before it was ready.`);
}

function checkDurability(name: string, storage: Storage, durability: Announcement['durability']): void {
  const isDurable =
    storage === 'sqlite'
      ? durability?.journal_mode === 'wal' && durability.synchronous === 2
      : durability?.synchronous_commit === 'on';
  if (!isDurable) throw new Error(`${name} does not commit durably: ${JSON.stringify(durability)}`);
}

/**
 * Starts a contestant.
 * @param file compiled file that node can run directly
 * @param durable whether it must prove that its commits survive power loss (workloads that write)
 */
export async function startContestant(file: string, storage: Storage, durable: boolean): Promise<RunningContestant> {
  const name = basename(file).replace(/\.[cm]?[jt]s$/, '');
  const database = storage === 'sqlite' ? createSqlite() : await createPostgres();
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, NODE_ENV: 'production', PORT: '0', STORAGE: storage, ...database.environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const processExit = once(child, 'exit');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await processExit;
  };
  try {
    const announcement = await readAnnouncement(child, name);
    if (durable) checkDurability(name, storage, announcement.durability);
    return {
      name,
      announcement,
      kill,
      countRows: async () => {
        const counts: Record<string, number> = {};
        for (const [kind, query] of Object.entries(announcement.counts ?? {}))
          counts[kind] = await database.count(query);
        return counts;
      },
      remove: database.remove,
    };
  } catch (error) {
    await kill();
    await database.remove();
    throw error;
  }
}
