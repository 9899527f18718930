/*
 * Floors of jobs.ts: mails through nodemailer's pool, webhooks through an undici pool with a durable row each, and jobs of a
 * hand-written table (one claim and one mark for each batch; no lanes, no workspaces, no leases that are renewed).
 */
import Database from 'better-sqlite3';
import pg from 'pg';
import type { JobsContestant, JobsRunOptions } from '../jobs-process.ts';
import { sendAll } from './mail-nodemailer.ts';
import { bodiesOf, postAllWithRows } from './webhooks-undici.ts';

const batch = 250;

function onSqlite(place: string): JobsContestant {
  const database = new Database(place);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(
    `create table floor_jobs (id integer primary key, state text not null, payload text not null, lease_until integer);
     create index floor_ready on floor_jobs (state, id)`,
  );
  const insert = database.prepare(`insert into floor_jobs (state, payload) values ('ready', '{"note":"x"}')`);
  const selectReady = database.prepare(
    `select id, payload from floor_jobs where state = 'ready' order by id limit ${batch}`,
  );
  const markRunning = database.prepare(`update floor_jobs set state = 'running', lease_until = ? where id = ?`);
  const mark = database.prepare(`update floor_jobs set state = 'done', lease_until = null where id = ?`);
  const fill = database.transaction((units: number) => {
    for (let index = 0; index < units; index += 1) insert.run();
  });
  const claim = database.transaction(() => {
    const rows = selectReady.all() as { id: number; payload: string }[];
    for (const { id } of rows) markRunning.run(Date.now() + 60_000, id);
    return rows;
  });
  const finish = database.transaction((ids: readonly number[]) => {
    for (const id of ids) mark.run(id);
  });
  return {
    queue: async (units) => fill(units),
    async run() {
      for (let rows = claim(); rows.length > 0; rows = claim()) {
        for (const { payload } of rows) JSON.parse(payload);
        await Promise.resolve();
        finish(rows.map(({ id }) => id));
      }
    },
    close: async () => void database.close(),
  };
}

async function onPostgres(place: string): Promise<JobsContestant> {
  const pool = new pg.Pool({ connectionString: place, max: 2 });
  await pool.query(
    `create table floor_jobs (id bigserial primary key, state text not null, payload text not null, lease_until bigint);
     create index floor_ready on floor_jobs (state, id)`,
  );
  const claim = async (): Promise<{ id: string; payload: string }[]> => {
    const { rows } = await pool.query({
      name: 'claim',
      text: `update floor_jobs set state = 'running', lease_until = $1 where id in
             (select id from floor_jobs where state = 'ready' order by id limit ${batch} for update skip locked)
             returning id, payload`,
      values: [Date.now() + 60_000],
    });
    return rows;
  };
  const mark = (ids: readonly string[]) =>
    pool.query({
      name: 'mark',
      text: `update floor_jobs set state = 'done', lease_until = null where id = any($1)`,
      values: [ids],
    });
  return {
    async queue(units) {
      await pool.query(
        `insert into floor_jobs (state, payload) select 'ready', '{"note":"x"}' from generate_series(1, ${units})`,
      );
    },
    async run() {
      let marking: Promise<unknown> = Promise.resolve();
      for (let rows = await claim(); rows.length > 0; rows = await claim()) {
        for (const { payload } of rows) JSON.parse(payload);
        await marking;
        marking = mark(rows.map(({ id }) => id));
      }
      await marking;
    },
    close: () => pool.end(),
  };
}

const nothing = async (): Promise<void> => undefined;

export async function createContestant({
  work,
  storage,
  location: place,
  port,
}: JobsRunOptions): Promise<JobsContestant> {
  if (work === 'noop') return storage === 'sqlite' ? onSqlite(place) : onPostgres(place);
  if (work === 'mail') {
    const text = 'Thank you for your order. '.repeat(60);
    return { queue: nothing, run: async (units) => void (await sendAll(port, units, text)), close: nothing };
  }
  let round = 0;
  return {
    queue: nothing,
    async run(units) {
      round += 1;
      await postAllWithRows(`http://127.0.0.1:${port}/hook`, bodiesOf(units), `${place}.${round}`);
    },
    close: nothing,
  };
}
