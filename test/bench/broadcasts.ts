/*
 * Workload: one broadcast to very many people, in process unless said otherwise.
 * `npx tsx test/bench/broadcasts.ts --part kills|prepare|send|codes [--storage sqlite|postgres|mariadb]`
 * - kills [--contacts 100000] [--kills 50]: four processes (SQLite: one) are killed at random. Counts the mails of each recipient.
 * - prepare [--sizes 10000,1000000] [--rounds 3]: storing the audience, compared with `insert … select` by hand; and memory.
 * - send [--sizes 10000,1000000] [--mails 2000]: accepting and handing over the first mails while all others wait, and memory.
 * `prepare` and `send` count processor time, including PostgreSQL's; on MariaDB, only that of this process.
 * - codes [--contacts 300000] [--rounds 5] [--seconds 10] [--processes 2]: login codes during a broadcast and alone, in turn. With two
 *   processes (PostgreSQL), one accepts and the other one runs the jobs.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { processorMs } from '../../core/jobs/group-size.ts';
import { runBroadcastWithRandomKills } from '../faults/broadcasts-random.ts';
import { type BroadcastsWorkload, openBroadcastsService } from './broadcasts-service.ts';
import { median } from './measure.ts';

const { values } = parseArgs({
  options: {
    part: { type: 'string', default: 'kills' },
    storage: { type: 'string', default: 'sqlite' },
    contacts: { type: 'string' },
    kills: { type: 'string', default: '50' },
    sizes: { type: 'string', default: '10000,1000000' },
    mails: { type: 'string', default: '2000' },
    rounds: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    processes: { type: 'string', default: '1' },
  },
});
const kind = values.storage === 'postgres' || values.storage === 'mariadb' ? values.storage : 'sqlite';
const sizes = values.sizes.split(',').map(Number);
const megabytes = (bytes: number): number => Math.round(bytes / 1_048_576);

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Milliseconds of wall-clock time and of processor time. On a machine that does other work, wall-clock time is unreliable. */
async function measureTimes(
  bench: BroadcastsWorkload,
  work: () => Promise<number>,
): Promise<{ ms: number; processor: number }> {
  const before = await bench.processorMs();
  const ms = await work();
  return { ms, processor: (await bench.processorMs()) - before };
}

/** The largest resident memory of the process in each quarter of the work, in megabytes. */
async function withMemory(work: () => Promise<unknown>): Promise<{ ms: number; quarters: number[] }> {
  const seenPeaks: number[] = [];
  const timer = setInterval(() => seenPeaks.push(process.memoryUsage.rss()), 100);
  const ms = await timeOf(work);
  clearInterval(timer);
  const quarter = Math.max(1, Math.ceil(seenPeaks.length / 4));
  const parts = [0, 1, 2, 3].map((index) => seenPeaks.slice(index * quarter, (index + 1) * quarter));
  return { ms, quarters: parts.map((part) => megabytes(Math.max(0, ...part))) };
}

async function kills(): Promise<object> {
  const { wrongSends, ...account } = await runBroadcastWithRandomKills(kind, {
    contacts: Number(values.contacts ?? '100000'),
    processes: kind === 'sqlite' ? 1 : 4,
    kills: Number(values.kills),
    seed: `broadcasts on ${kind}`,
  });
  return { ...account, wrongSends: wrongSends.length };
}

/** Measures the sizes in turn in each round, so that all of them are measured under the same load. */
async function prepare(): Promise<object> {
  const measurements = new Map(
    sizes.map((size) => [
      size,
      { own: [] as number[], ratio: [] as number[], clock: [] as number[], memory: [] as number[] },
    ]),
  );
  for (let round = 0; round < Number(values.rounds ?? '3'); round += 1)
    for (const size of sizes) {
      const bench = await openBroadcastsService(kind, size);
      const hand = await measureTimes(bench, () => timeOf(() => bench.prepareByHand()));
      let quarters: number[] = [];
      const service = await measureTimes(bench, async () => {
        const seen = await withMemory(() => bench.prepare());
        quarters = seen.quarters;
        return seen.ms;
      });
      await bench.close();
      const row = measurements.get(size);
      row?.own.push(service.processor / size);
      row?.ratio.push(service.processor / hand.processor);
      row?.clock.push(service.ms / hand.ms);
      if (round === 0) row?.memory.push(...quarters);
      const figures = [service.processor, hand.processor, service.ms, hand.ms].map(Math.round);
      console.log(
        `# ${size}: ${figures[0]} ms, by hand ${figures[1]} ms; wall clock ${figures[2]} and ${figures[3]} ms; memory ${quarters.join(' ')} MB`,
      );
    }
  const rows = [...measurements].map(([size, { own, ratio, clock, memory }]) => ({
    size,
    'µs each': Math.round(median(own) * 1_000),
    'ratio to SQL by hand': Number(median(ratio).toFixed(2)),
    'wall clock, ratio': Number(median(clock).toFixed(2)),
    'memory in quarters, MB': memory.join(' '),
  }));
  const [first, last] = [measurements.get(sizes[0] ?? 0), measurements.get(sizes.at(-1) ?? 0)];
  const growth = median((last?.own ?? []).map((each, round) => each / (first?.own[round] ?? each)));
  return { rows, growth: Number(growth.toFixed(2)) };
}

async function waitForMails({ mailCount }: BroadcastsWorkload, count: number): Promise<void> {
  while (mailCount() < count) await pause(5);
}

async function send(): Promise<object> {
  const mails = Number(values.mails);
  const rounds = Number(values.rounds ?? '3');
  // Up to 1,000 mails are accepted ahead, and leave before the pause.
  const needed = (rounds + 1) * mails + 1_000;
  if (Math.min(...sizes) < needed)
    throw new RangeError(`Each size must be ${needed} or more for these rounds and mails.`);
  const benches: BroadcastsWorkload[] = [];
  for (const size of sizes) {
    const bench = await openBroadcastsService(kind, size);
    await bench.prepare();
    await bench.start(false);
    benches.push(bench);
  }
  const each = benches.map(() => [] as number[]);
  const memory: string[] = [];
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1)
    for (const [index, bench] of benches.entries()) {
      const from = bench.mailCount();
      let quarters: number[] = [];
      const { processor } = await measureTimes(bench, async () => {
        const seen = await withMemory(async () => {
          await bench.resume();
          await waitForMails(bench, from + mails);
        });
        quarters = seen.quarters;
        await bench.pause();
        // Deliveries that had begun before the pause end here.
        await pause(1_000);
        return seen.ms;
      });
      if (round > 0) each[index]?.push(processor / (bench.mailCount() - from));
      memory.push(`${bench.size}: ${quarters.join(' ')}`);
    }
  for (const bench of benches) await bench.close();
  const rows = benches.map(({ size }, index) => ({ size, 'ms each': Number(median(each[index] ?? []).toFixed(2)) }));
  const growth = median((each.at(-1) ?? []).map((ms, round) => ms / (each[0]?.[round] ?? ms)));
  return { rows, growth: Number(growth.toFixed(2)), memory };
}

const percentile = (delays: readonly number[], share: number): number =>
  Math.round([...delays].sort((one, other) => one - other)[Math.floor((delays.length - 1) * share)] ?? 0);

/** Milliseconds until each call was answered (`accepted`), and until its mail was handed over (`handedOver`). */
interface Delays {
  readonly accepted: number[];
  readonly handedOver: number[];
}

/** Wall-clock time, and processor time of this process. On a machine that does other work, wall-clock time is unreliable. */
interface CodeDelays {
  readonly clock: Delays;
  readonly processor: Delays;
}

const noDelays = (): CodeDelays => ({
  clock: { accepted: [], handedOver: [] },
  processor: { accepted: [], handedOver: [] },
});

/** Sends one code after the other. */
async function sendCodes({ calls, onMail }: BroadcastsWorkload, ms: number, { clock, processor }: CodeDelays) {
  for (const end = performance.now() + ms; performance.now() < end; await pause(50)) {
    const to = `code${clock.handedOver.length}-${Math.random()}@example.net`;
    const began = { clock: performance.now(), processor: processorMs() };
    const record = (what: keyof Delays): void => {
      clock[what].push(performance.now() - began.clock);
      processor[what].push(processorMs() - began.processor);
    };
    const mailLeft = new Promise<void>((resolve) =>
      onMail((email) => {
        if (email !== to) return;
        record('handedOver');
        resolve();
      }),
    );
    await calls.email.send({ template: 'code', to, variables: { code: '482913' } });
    record('accepted');
    await mailLeft;
  }
}

async function loginCodes(): Promise<object> {
  const bench = await openBroadcastsService(kind, Number(values.contacts ?? '300000'));
  await bench.prepare();
  await bench.start(values.processes === '2');
  const ms = Number(values.seconds) * 1_000;
  const foundDelays = { alone: noDelays(), beside: noDelays() };
  await sendCodes(bench, ms / 2, noDelays());
  const mails: number[] = [];
  for (let round = 0; round < Number(values.rounds ?? '5'); round += 1) {
    await sendCodes(bench, ms, foundDelays.alone);
    const before = bench.mailCount() - foundDelays.beside.clock.handedOver.length;
    await bench.resume();
    await sendCodes(bench, ms, foundDelays.beside);
    mails.push(bench.mailCount() - foundDelays.beside.clock.handedOver.length - before);
    await bench.pause();
    await pause(2_000);
  }
  await bench.close();
  const rows = (['processor', 'clock'] as const).flatMap((by) =>
    (['alone', 'beside'] as const).map((where) => ({
      where: `${where}, ${by}`,
      codes: foundDelays[where][by].handedOver.length,
      ...Object.fromEntries(
        (['accepted', 'handedOver'] as const).flatMap((event) =>
          ([0.5, 0.95, 1] as const).map((share) => [
            `${event} p${share * 100}`,
            percentile(foundDelays[where][by][event], share),
          ]),
        ),
      ),
    })),
  );
  return { rows, 'mails beside': mails };
}

const parts = { kills, prepare, send, codes: loginCodes };
const part = Object.hasOwn(parts, values.part) ? (values.part as keyof typeof parts) : 'kills';
const result = await parts[part]();
if ('rows' in result) console.table(result.rows);
console.log(JSON.stringify({ workload: 'broadcasts', part, kind, ...result }));
