/*
 * Draining no-op jobs on PostgreSQL: through the queue in the database, and through external queues (written, relayed,
 * received, claimed, run and marked, in one process). Each is compared with the bare use of the same product in the same run
 * (messages sent in batches and received by a handler that does nothing).
 * `npx tsx test/bench/queues.ts [--jobs 10000] [--rounds 3]`
 */
import { parseArgs } from 'node:util';
import { connect } from 'amqplib';
import { Queue, Worker } from 'bullmq';
import PgBoss from 'pg-boss';
import { bullmqQueue } from '../../adapters/queue/bullmq.ts';
import { pgBossQueue } from '../../adapters/queue/pg-boss.ts';
import { rabbitmqQueue } from '../../adapters/queue/rabbitmq.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import type { JobQueue } from '../../core/contract/ports/queue.ts';
import { createJobBench, manyJobs, noteJob } from '../support/job-bench.ts';
import { dropSchema, newSchema, postgresUrl } from '../support/postgres-server.ts';
import { deleteQueues, rabbitmqUrl } from '../support/rabbitmq-server.ts';
import { deleteRedisKeys, newRedisPrefix, redisUrl } from '../support/redis-server.ts';

const { values } = parseArgs({
  options: { jobs: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '3' } },
});
const jobs = Number(values.jobs);
const rounds = Number(values.rounds);
const sendBatch = 512;
const prefix = newRedisPrefix().slice(0, -1);
const schema = newSchema();

async function timeJobs(run: (one: () => void) => Promise<() => Promise<void>>): Promise<number> {
  let remainingJobs = jobs;
  let end = (): void => undefined;
  const all = new Promise<void>((resolve) => {
    end = resolve;
  });
  const startedAt = performance.now();
  const close = await run(() => {
    remainingJobs -= 1;
    if (remainingJobs === 0) end();
  });
  await all;
  const rate = (jobs / (performance.now() - startedAt)) * 1_000;
  await close();
  return rate;
}

const inBatches = async (send: (size: number) => Promise<unknown>): Promise<void> => {
  for (let sentCount = 0; sentCount < jobs; sentCount += sendBatch) await send(Math.min(sendBatch, jobs - sentCount));
};

const bareBullmq = (): Promise<number> =>
  timeJobs(async (one) => {
    const connection = { url: redisUrl, maxRetriesPerRequest: null };
    const queue = new Queue('bare', { prefix, connection });
    const worker = new Worker('bare', async () => one(), { prefix, connection, concurrency: 80 });
    const job = { name: 'job', data: { note: 'x' }, opts: { removeOnComplete: true } };
    await inBatches((size) => queue.addBulk(Array.from({ length: size }, () => job)));
    return async () => {
      await worker.close();
      await queue.close();
    };
  });

const bareRabbitmq = (): Promise<number> =>
  timeJobs(async (one) => {
    const connection = await connect(rabbitmqUrl);
    const [sending, receiving] = [await connection.createConfirmChannel(), await connection.createChannel()];
    const { queue } = await sending.assertQueue(`${prefix}bare`, { autoDelete: true });
    await receiving.prefetch(80);
    await receiving.consume(queue, (message) => {
      if (message === null) return;
      receiving.ack(message);
      one();
    });
    await inBatches(async (size) => {
      for (let sentCount = 0; sentCount < size; sentCount += 1)
        sending.sendToQueue(queue, Buffer.from('x'), { persistent: true });
      await sending.waitForConfirms();
    });
    return () => connection.close();
  });

const barePgBoss = (): Promise<number> =>
  timeJobs(async (one) => {
    const boss = new PgBoss({ connectionString: postgresUrl, schema, schedule: false });
    await boss.start();
    await boss.createQueue('bare');
    let open = true;
    const loop = async (): Promise<void> => {
      while (open) {
        const fetchedJobs = await boss.fetch('bare', { batchSize: 256 });
        for (const _ of fetchedJobs) one();
        if (fetchedJobs.length > 0)
          await boss.complete(
            'bare',
            fetchedJobs.map(({ id }) => id),
          );
      }
    };
    const looping = loop();
    await inBatches((size) => boss.insert(Array.from({ length: size }, () => ({ name: 'bare', data: { note: 'x' } }))));
    return async () => {
      open = false;
      await looping;
      await boss.stop({ graceful: false });
    };
  });

async function ownQueue(queue: JobQueue | undefined): Promise<number> {
  const schema = newSchema();
  const bench = await createJobBench({
    name: 'postgres',
    createStorage: () => postgresStorage({ connectionString: postgresUrl, schema: schema, maxConnections: 6 }),
    newPrefix: () => 'bench_',
  });
  await bench.addWorkspace('ws_1');
  let one = (): void => undefined;
  const process = bench.process({
    jobs: [noteJob('note', async () => one())],
    pollMs: 1_000,
    ...(queue === undefined ? {} : { queue }),
  });
  await bench.enqueue(process, 'ws_1', manyJobs('note', 0));
  for (let writtenCount = 0; writtenCount < jobs; writtenCount += sendBatch)
    await bench.enqueue(process, 'ws_1', manyJobs('note', Math.min(sendBatch, jobs - writtenCount)));
  const rate = await timeJobs(async (ran) => {
    one = ran;
    await process.runner.start();
    return () => bench.close();
  });
  await queue?.close();
  await dropSchema(schema);
  return rate;
}

const workloads = {
  database: () => ownQueue(undefined),
  'bullmq, bare': bareBullmq,
  bullmq: () => ownQueue(bullmqQueue({ url: redisUrl, prefix })),
  'rabbitmq, bare': bareRabbitmq,
  rabbitmq: () => ownQueue(rabbitmqQueue({ url: rabbitmqUrl, prefix })),
  'pg-boss, bare': barePgBoss,
  'pg-boss': () => ownQueue(pgBossQueue({ connectionString: postgresUrl, schema })),
} as const;

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
const rates = new Map<string, number[]>();
for (let round = 0; round < rounds; round += 1)
  for (const [name, run] of Object.entries(workloads)) rates.set(name, [...(rates.get(name) ?? []), await run()]);
await deleteRedisKeys(`${prefix}:`);
await deleteQueues(prefix);
await dropSchema(schema);

const medianOf = (name: keyof typeof workloads): number => Math.round(median(rates.get(name) ?? []));
for (const [name, all] of rates)
  console.log(
    `${name.padEnd(16)} ${Math.round(median(all)).toLocaleString('en').padStart(8)}/s   (${all.map((rate) => Math.round(rate).toLocaleString('en')).join(' ')})`,
  );
console.log(
  JSON.stringify({
    workload: 'queue drain, external queues',
    jobs,
    database: medianOf('database'),
    bullmq: medianOf('bullmq'),
    bullmqRatio: Number((medianOf('bullmq') / medianOf('bullmq, bare')).toFixed(3)),
    rabbitmq: medianOf('rabbitmq'),
    rabbitmqRatio: Number((medianOf('rabbitmq') / medianOf('rabbitmq, bare')).toFixed(3)),
    pgBoss: medianOf('pg-boss'),
    pgBossRatio: Number((medianOf('pg-boss') / medianOf('pg-boss, bare')).toFixed(3)),
  }),
);
