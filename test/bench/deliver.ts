/*
 * Workload: delivering 2,000 queued mails to an SMTP server in another process; then the memory while 20,000 mails drain.
 * `npx tsx test/bench/deliver.ts [--rounds 5] [--mails 2000] [--storage sqlite|postgres|mariadb] [--memory 20000] [--slots 10]`
 * The floor sends the same mails through a bare nodemailer pool of five connections. Every round measures both in turn. Besides
 * the rate, it prints the longest times for which the event loop was blocked.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import { createService } from '../../core/kernel/compose.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { withDatabase } from '../faults/databases.ts';
import { storageOf } from '../faults/mail-service.ts';
import { sendAll } from './floors/mail-nodemailer.ts';
import { describeMachine } from './machine.ts';
import { defaultFrom, receiptHtml, receiptVariables, subject, variablesSchema } from './mail-fixture.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    mails: { type: 'string', default: '2000' },
    storage: { type: 'string', default: 'sqlite' },
    memory: { type: 'string', default: '0' },
    slots: { type: 'string', default: '10' },
  },
});
const rounds = Number(values.rounds);
const mails = Number(values.mails);
const kind = values.storage as 'sqlite' | 'postgres' | 'mariadb';
const template = 'bench-receipt';

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

async function startSink() {
  const child = fork(new URL('./floors/mail-sink.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
  process.once('exit', () => child.kill());
  const [port] = (await once(child, 'message')) as [number];
  return {
    port,
    async taken(): Promise<number> {
      child.send('taken');
      const [count] = (await once(child, 'message')) as [number];
      return count;
    },
    stop: () => void child.kill(),
  };
}

const sink = await startSink();

async function openService(location: Parameters<typeof storageOf>[0]) {
  const service = createService({
    environment: 'production',
    keyring: localKeyring({ keys: [{ id: 'bench', secret: 'a secret for the bench of mail, 32 b' }] }),
    plugins: standardPlugins,
    plans: { scale: { monthlySendBudget: 10_000_000 } },
    storage: storageOf(location),
    mail: smtpMail({ host: '127.0.0.1', port: sink.port }),
    settings: { jobConcurrency: Number(values.slots) },
  });
  await service.migrate();
  const { id: workspaceId } = await service.workspaces.create({ name: 'Bench', plan: 'scale', defaultFrom });
  const bench = { service, workspaceId, close: () => service.stop() };
  const { templates } = bench.service.as(bench.workspaceId);
  await templates.create({ key: template, mode: 'html', subject, body: receiptHtml, variables: variablesSchema });
  await templates.publish({ key: template });
  return bench;
}

type Bench = Awaited<ReturnType<typeof openService>>;

/** Queues mails in batches. The lane in which they wait does not matter here. */
async function enqueueMails({ service, workspaceId }: Bench, count: number): Promise<void> {
  const { email } = service.as(workspaceId);
  for (let writtenCount = 0; writtenCount < count; writtenCount += 1_000) {
    const recipients = Array.from({ length: Math.min(1_000, count - writtenCount) }, (_, index) => {
      const mark = String(writtenCount + index).padStart(6, '0');
      return { to: `n${mark}@example.com`, variables: { ...receiptVariables(mark) } };
    });
    await email.batch({ template, recipients });
  }
}

async function expectSent({ service, workspaceId }: Bench, count: number): Promise<void> {
  const database = await service.core.database();
  const rows = await database.read(workspaceId, ({ db }) =>
    db
      .selectFrom('sends')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('workspace_id', '=', workspaceId)
      .where('status', '=', 'sent')
      .execute(),
  );
  assert.equal(Number(rows[0]?.count), count);
}

interface Drained {
  readonly rate: number;
  /** Processor time of this process per mail, in microseconds. */
  readonly processor: number;
  /** Milliseconds for which the event loop was blocked: the 99th percentile of its delays, and the longest. */
  readonly p99: number;
  readonly longest: number;
}

async function drain(bench: Bench, count: number): Promise<Drained> {
  await enqueueMails(bench, count);
  const before = await sink.taken();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const usedBefore = process.cpuUsage();
  const began = performance.now();
  await bench.service.drain();
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(usedBefore);
  delay.disable();
  assert.equal((await sink.taken()) - before, count);
  await expectSent(bench, count);
  const processor = (user + system) / count;
  return { rate: count / (took / 1_000), processor, p99: delay.percentile(99) / 1e6, longest: delay.max / 1e6 };
}

async function measureRates(): Promise<void> {
  const floor: number[] = [];
  const floorProcessor: number[] = [];
  const ownResults: Drained[] = [];
  const text = 'Thank you for your order. '.repeat(60);
  for (let round = 0; round <= rounds; round += 1) {
    const usedBefore = process.cpuUsage();
    const floorRate = mails / ((await sendAll(sink.port, mails, text)) / 1_000);
    const { user, system } = process.cpuUsage(usedBefore);
    const drainResult = await withDatabase(kind, async (location) => {
      const bench = await openService(location);
      const drainTimes = await drain(bench, mails);
      await bench.close();
      return drainTimes;
    });
    // The first round is a warm-up.
    if (round === 0) continue;
    floor.push(floorRate);
    floorProcessor.push((user + system) / mails);
    ownResults.push(drainResult);
  }
  const rates = ownResults.map(({ rate }) => rate);
  const ratio = median(rates.map((rate, round) => rate / (floor[round] ?? 1)));
  const processor = ownResults.map((one) => one.processor);
  const processorRatio = median(floorProcessor.map((used, round) => used / (processor[round] ?? 1)));
  const format = (values: readonly number[]) => `${Math.round(median(values))} (${values.map(Math.round).join(' ')})`;
  console.log(
    `floor: nodemailer pool   ${format(floor)} a second, ${format(floorProcessor)} us of processor time each`,
  );
  console.log(`postrider, ${kind.padEnd(12)}  ${format(rates)} a second, ${format(processor)} us`);
  console.log(`${ratio.toFixed(2)} x floor by wall-clock time, ${processorRatio.toFixed(2)} x by processor time`);
  console.log(
    `loop blocked, p99 ${median(ownResults.map(({ p99 }) => p99)).toFixed(1)} ms, longest ${Math.max(...ownResults.map(({ longest }) => longest)).toFixed(1)} ms`,
  );
  console.log(
    JSON.stringify({
      workload: `deliver ${mails}`,
      storage: kind,
      floor,
      floorProcessor,
      postrider: ownResults,
      ratio,
      processorRatio,
    }),
  );
}

/** Resident memory and heap after each tenth of a long drain. */
async function measureMemory(count: number): Promise<void> {
  await withDatabase(kind, async (location) => {
    const bench = await openService(location);
    await drain(bench, 500);
    await enqueueMails(bench, count);
    const before = await sink.taken();
    let nextMark = count / 10;
    const lines: string[] = [];
    const timer = setInterval(async () => {
      const deliveredCount = (await sink.taken()) - before;
      if (deliveredCount < nextMark) return;
      nextMark += count / 10;
      const { rss, heapUsed } = process.memoryUsage();
      lines.push(
        `${String(deliveredCount).padStart(6)} delivered: ${Math.round(rss / 1_048_576)} MB resident, ${Math.round(heapUsed / 1_048_576)} MB heap`,
      );
    }, 100);
    await bench.service.drain();
    clearInterval(timer);
    console.log(lines.join('\n'));
    await bench.close();
  });
}

console.log(JSON.stringify(await describeMachine(tmpdir())));
if (rounds > 0) await measureRates();
if (Number(values.memory) > 0) await measureMemory(Number(values.memory));
sink.stop();
