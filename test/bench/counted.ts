/**
 * Counts what a process does, because times alone do not show it: statements, commits that wait for the disk, writes to sockets and
 * timers. Called by the processes of jobs.ts, before they load anything else.
 */
import { createRequire } from 'node:module';
import { Socket } from 'node:net';

export interface Counts {
  statements: number;
  commits: number;
  /** The number of commits after which the process waits for the disk. SQLite only; see pg_stat_wal for PostgreSQL. */
  durable: number;
  writes: number;
  timers: number;
}

export const counts: Counts = { statements: 0, commits: 0, durable: 0, writes: 0, timers: 0 };

type Method = (this: unknown, ...given: unknown[]) => unknown;

function countBefore(owner: object, name: string, count: (self: unknown, args: readonly unknown[]) => void): void {
  const methods = owner as Record<string, Method>;
  const method = methods[name];
  if (method === undefined) throw new Error(`There is no ${name}.`);
  const countedMethod: Method = function counted(...given) {
    count(this, given);
    return method.apply(this, given);
  };
  // Keeps members such as the promise form of setTimeout.
  methods[name] = Object.defineProperties(countedMethod, Object.getOwnPropertyDescriptors(method));
}

const textOf = (query: unknown): string =>
  (typeof query === 'string' ? query : (query as { text?: string }).text) ?? '';

/** Begins to count. */
export function countEverything(): void {
  const require = createRequire(import.meta.url);
  countBefore(Socket.prototype, '_writeGeneric', () => (counts.writes += 1));
  for (const name of ['setTimeout', 'setInterval']) countBefore(globalThis, name, () => (counts.timers += 1));
  countBefore((require('pg') as { Client: { prototype: object } }).Client.prototype, 'query', (_, [query]) => {
    counts.statements += 1;
    if (textOf(query) === 'COMMIT') counts.commits += 1;
  });
  const Database = require('better-sqlite3') as new (name: string) => { prepare(sql: string): object; close(): void };
  const sample = new Database(':memory:');
  const statement = Object.getPrototypeOf(sample.prepare('select 1')) as object;
  type Shape = { source: string; database: { pragma(text: string, options: object): unknown } };
  const countStatement = (self: unknown): void => {
    counts.statements += 1;
    const { source, database } = self as Shape;
    if (source !== 'COMMIT') return;
    counts.commits += 1;
    if (Number(database.pragma('synchronous', { simple: true })) === 2) counts.durable += 1;
  };
  countBefore(statement, 'run', countStatement);
  countBefore(statement, 'all', countStatement);
  sample.close();
}
