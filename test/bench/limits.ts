/*
 * Decisions of the limit stores: memory, Redis and the service's own database, each compared with the minimum for its server:
 * a bare EVALSHA of a script that adds one, or a bare update of one row. A unit is `--at-once` decisions (32).
 * There are 64 keys in 16 workspaces. No limit is reached.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { memoryLimits } from '../../adapters/limits/memory.ts';
import { redisLimits } from '../../adapters/limits/redis.ts';
import { sqlLimits } from '../../adapters/limits/sql.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import type { LimitStore } from '../../core/contract/ports/limits.ts';
import type { StorageAdapter } from '../../core/contract/ports/storage.ts';
import { createService } from '../../core/kernel/compose.ts';
import { dataFolder } from './contestant-process.ts';
import { compareInProcess, inProcessOptions, type Runner } from './in-process.ts';

const { values } = parseArgs({ options: { 'at-once': { type: 'string', default: '32' } }, strict: false });
const atOnce = Number(values['at-once']);
const redisUrl = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';
const postgresUrl = process.env['POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const rateLimits = { keyRate: 1e6, keyBurst: 1e6, workspacePerMinute: 1e9 };
const name = `bench_${randomBytes(6).toString('hex')}`;

/** Runs `--at-once` calls concurrently, each for the next key. */
function runConcurrently(work: (key: number) => unknown): () => Promise<unknown> {
  let next = 0;
  return () =>
    Promise.all(
      Array.from({ length: atOnce }, async () => {
        next = (next + 1) % 64;
        return work(next);
      }),
    );
}

const decisionRunner = (title: string, store: LimitStore): Runner => ({
  name: title,
  run: runConcurrently((key) => store.take(`key_${key}`, `ws_${key % 16}`, rateLimits, Date.now())),
});

async function serviceOn(storage: StorageAdapter) {
  const service = createService({ plugins: [], storage, limits: sqlLimits({ timeoutMs: 60_000 }) });
  await service.migrate();
  return service;
}

async function benchRedis(): Promise<void> {
  const client = new Redis(redisUrl);
  const prefix = `${name}:`;
  const hash = String(await client.script('LOAD', "return redis.call('INCR', KEYS[1])"));
  const store = redisLimits({ client }, { prefix, timeoutMs: 60_000 });
  const floor = { name: 'EVALSHA', run: runConcurrently((key) => client.evalsha(hash, 1, `${prefix}${key}`)) };
  await compareInProcess('limits, Redis', [floor, decisionRunner('redis', store)], inProcessOptions());
  const keys = await client.keys(`${prefix}*`);
  await client.unlink(...keys);
  client.disconnect();
}

async function benchPostgres(): Promise<void> {
  const pool = new pg.Pool({ connectionString: postgresUrl, max: 10 });
  await pool.query(`create schema ${name}`);
  await pool.query(`create table ${name}.floor (id int primary key, n bigint not null)`);
  await pool.query(`insert into ${name}.floor select generate_series(0, 63), 0`);
  const text = `update ${name}.floor set n = n + 1 where id = $1`;
  const floor = { name: 'update', run: runConcurrently((key) => pool.query({ name: 'update', text, values: [key] })) };
  const service = await serviceOn(postgresStorage({ connectionString: postgresUrl, schema: name }));
  await compareInProcess('limits, Postgres', [floor, decisionRunner('sql', service.core.limits)], inProcessOptions());
  await service.stop();
  await pool.query(`drop schema ${name} cascade`);
  await pool.end();
}

async function benchSqlite(): Promise<void> {
  mkdirSync(dataFolder, { recursive: true });
  const folder = mkdtempSync(join(dataFolder, 'limits-'));
  const storage = sqliteStorage({ filename: join(folder, 'limits.db') });
  const service = await serviceOn(storage);
  const { driver } = await service.core.database();
  const run = (sql: string, parameters: readonly number[] = []) =>
    driver.transact((connection) => connection.query({ sql, parameters, hot: true }));
  await run('create table floor (id integer primary key, n integer not null)');
  for (let key = 0; key < 64; key += 1) await run('insert into floor values (?, 0)', [key]);
  const floor = {
    name: 'update',
    run: runConcurrently((key) => run('update floor set n = n + 1 where id = ?', [key])),
  };
  await compareInProcess('limits, SQLite', [floor, decisionRunner('sql', service.core.limits)], inProcessOptions());
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  await compareInProcess('limits, memory', [decisionRunner('memory', memoryLimits())], inProcessOptions());
  await benchRedis();
  await benchPostgres();
  await benchSqlite();
}

void main();
