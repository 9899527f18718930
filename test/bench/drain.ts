/*
 * Queue drain on PostgreSQL: 20,000 no-op jobs, compared with a hand-written table (one claim and one mark per batch, no lanes, no
 * workspaces, no leases). `npx tsx test/bench/drain.ts [--jobs 20000] [--rounds 5]`
 * For orientation, measured elsewhere on a quiet machine with two cores: pg-boss 15,439/s, graphile worker 3,719/s.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { createJobBench, manyJobs, noteJob } from '../support/job-bench.ts';
import { dropSchema, newSchema, postgresUrl } from '../support/postgres-server.ts';

const { values } = parseArgs({
  options: { jobs: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '5' } },
});
const jobs = Number(values.jobs);
const rounds = Number(values.rounds);
const schema = newSchema();
const batch = 250;

async function createFloor(): Promise<{ fill(): Promise<void>; drain(): Promise<number>; close(): Promise<void> }> {
  const pool = new pg.Pool({ connectionString: postgresUrl, options: `-c search_path=${schema}`, max: 2 });
  await pool.query(
    `create table floor_jobs (id bigint primary key, state text not null, payload text not null, lease_until bigint);
     create index floor_ready on floor_jobs (state, id)`,
  );
  return {
    async fill() {
      await pool.query('truncate floor_jobs');
      await pool.query(
        `insert into floor_jobs select n, 'ready', '{"note":"x"}', null from generate_series(1, ${jobs}) n`,
      );
    },
    async drain() {
      let ranCount = 0;
      let marking: Promise<unknown> = Promise.resolve();
      for (;;) {
        const { rows } = await pool.query({
          name: 'claim',
          text: `update floor_jobs set state = 'running', lease_until = $1 where id in
                 (select id from floor_jobs where state = 'ready' order by id limit ${batch} for update skip locked)
                 returning id, payload`,
          values: [Date.now() + 60_000],
        });
        if (rows.length === 0) break;
        for (const row of rows as { payload: string }[]) {
          JSON.parse(row.payload);
          ranCount += 1;
        }
        await marking;
        marking = pool.query({
          name: 'mark',
          text: `update floor_jobs set state = 'done', lease_until = null where id = any($1)`,
          values: [rows.map((row: { id: string }) => row.id)],
        });
      }
      await marking;
      return ranCount;
    },
    close: () => pool.end(),
  };
}

const bench = await createJobBench({
  name: 'postgres',
  createStorage: () => postgresStorage({ connectionString: postgresUrl, schema, maxConnections: 6 }),
  newPrefix: () => 'bench_',
});
await bench.addWorkspace('ws_1');
let ranCount = 0;
const ownProcess = bench.process({
  jobs: [
    noteJob('note', async () => {
      ranCount += 1;
    }),
  ],
});
const floor = await createFloor();

async function measureRate(work: () => Promise<number>): Promise<number> {
  const startedAt = performance.now();
  const doneCount = await work();
  if (doneCount !== jobs) throw new Error(`${doneCount} of ${jobs} jobs ran.`);
  return (jobs / (performance.now() - startedAt)) * 1_000;
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
const results = { floor: [] as number[], postrider: [] as number[] };
for (let round = 0; round < rounds; round += 1) {
  await floor.fill();
  results.floor.push(await measureRate(floor.drain));
  for (let writtenCount = 0; writtenCount < jobs; writtenCount += 500) {
    await bench.enqueue(ownProcess, 'ws_1', manyJobs('note', Math.min(500, jobs - writtenCount)));
  }
  ranCount = 0;
  results.postrider.push(
    await measureRate(async () => ((await ownProcess.runner.drain()).ran === ranCount ? ranCount : -1)),
  );
}
await floor.close();
await bench.close();
await dropSchema(schema);

for (const [name, rates] of Object.entries(results)) {
  const formattedRates = rates.map((value) => Math.round(value).toLocaleString('en')).join(' ');
  console.log(
    `${name.padEnd(10)} ${Math.round(median(rates)).toLocaleString('en').padStart(8)}/s   (${formattedRates})`,
  );
}
console.log(
  JSON.stringify({
    workload: 'queue drain on postgres',
    jobs,
    floor: Math.round(median(results.floor)),
    postrider: Math.round(median(results.postrider)),
    ratio: Number((median(results.postrider) / median(results.floor)).toFixed(3)),
  }),
);
