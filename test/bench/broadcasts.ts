/*
 * Workload: one broadcast to very many people, in process unless said otherwise.
 * `npx tsx test/bench/broadcasts.ts --part kills|prepare|send|codes [--storage sqlite|postgres|mariadb]`
 * - kills [--contacts 100000] [--kills 50]: four processes (SQLite: one) that are killed at random, and the account of each recipient.
 * - prepare [--sizes 10000,1000000] [--rounds 3]: storing the audience against `insert … select` by hand, and memory meanwhile.
 * - send [--sizes 10000,1000000] [--mails 2000]: accepting and handing over the first mails among so many who wait, and memory.
 * - codes [--contacts 300000] [--rounds 5] [--seconds 10]: login codes beside a broadcast and alone, in turn.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { broadcastsAtRandom } from '../faults/broadcasts-random.ts';
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
  },
});
const kind = values.storage === 'postgres' || values.storage === 'mariadb' ? values.storage : 'sqlite';
const sizes = values.sizes.split(',').map(Number);
const megabytes = (bytes: number): number => Math.round(bytes / 1_048_576);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The largest resident memory of the process in each quarter of the work, in megabytes. */
async function withMemory(work: () => Promise<unknown>): Promise<{ ms: number; quarters: number[] }> {
  const seen: number[] = [];
  const timer = setInterval(() => seen.push(process.memoryUsage.rss()), 100);
  const ms = await timed(work);
  clearInterval(timer);
  const quarter = Math.max(1, Math.ceil(seen.length / 4));
  const parts = [0, 1, 2, 3].map((index) => seen.slice(index * quarter, (index + 1) * quarter));
  return { ms, quarters: parts.map((part) => megabytes(Math.max(0, ...part))) };
}

async function kills(): Promise<object> {
  const { wrongSends, ...account } = await broadcastsAtRandom(kind, {
    contacts: Number(values.contacts ?? '100000'),
    processes: kind === 'sqlite' ? 1 : 4,
    kills: Number(values.kills),
    seed: `broadcasts on ${kind}`,
  });
  return { ...account, wrongSends: wrongSends.length };
}

/** The sizes take turns, so that each meets the same load. */
async function prepare(): Promise<object> {
  const found = new Map(
    sizes.map((size) => [size, { own: [] as number[], ratio: [] as number[], memory: [] as number[] }]),
  );
  for (let round = 0; round < Number(values.rounds ?? '3'); round += 1)
    for (const size of sizes) {
      const bench = await openBroadcastsService(kind, size);
      const hand = await timed(() => bench.prepareByHand());
      const { ms, quarters } = await withMemory(() => bench.prepare());
      await bench.close();
      const row = found.get(size);
      row?.own.push(ms / size);
      row?.ratio.push(ms / hand);
      if (round === 0) row?.memory.push(...quarters);
      console.log(`# ${size}: ${Math.round(ms)} ms, by hand ${Math.round(hand)} ms, memory ${quarters.join(' ')} MB`);
    }
  const rows = [...found].map(([size, { own, ratio, memory }]) => ({
    size,
    'µs each': Math.round(median(own) * 1_000),
    'ratio to SQL by hand': Number(median(ratio).toFixed(2)),
    'memory in quarters, MB': memory.join(' '),
  }));
  const [first, last] = [found.get(sizes[0] ?? 0), found.get(sizes.at(-1) ?? 0)];
  const growth = median((last?.own ?? []).map((each, round) => each / (first?.own[round] ?? each)));
  return { rows, growth: Number(growth.toFixed(2)) };
}

async function untilSent({ mail }: BroadcastsWorkload, count: number): Promise<void> {
  while (mail.count() < count) await pause(5);
}

async function send(): Promise<object> {
  const mails = Number(values.mails);
  const benches: BroadcastsWorkload[] = [];
  for (const size of sizes) {
    const bench = await openBroadcastsService(kind, size);
    await bench.prepare();
    await bench.service.start();
    benches.push(bench);
  }
  const each = benches.map(() => [] as number[]);
  const memory: string[] = [];
  const rounds = Number(values.rounds ?? '3');
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1)
    for (const [index, bench] of benches.entries()) {
      const from = bench.mail.count();
      const { ms, quarters } = await withMemory(async () => {
        await bench.resume();
        await untilSent(bench, from + mails);
      });
      await bench.pause();
      // The last mails that had begun.
      await pause(1_000);
      if (round > 0) each[index]?.push(ms / mails);
      memory.push(`${bench.size}: ${quarters.join(' ')}`);
    }
  for (const bench of benches) await bench.close();
  const rows = benches.map(({ size }, index) => ({ size, 'ms each': Number(median(each[index] ?? []).toFixed(2)) }));
  const growth = median((each.at(-1) ?? []).map((ms, round) => ms / (each[0]?.[round] ?? ms)));
  return { rows, growth: Number(growth.toFixed(2)), memory };
}

const at = (delays: readonly number[], share: number): number =>
  Math.round([...delays].sort((one, other) => one - other)[Math.floor((delays.length - 1) * share)] ?? 0);

/** Milliseconds until the call answers, and until the mail is handed over, for one code after the other. */
async function codes({ calls, mail }: BroadcastsWorkload, ms: number, found: { accepted: number[]; left: number[] }) {
  for (const end = performance.now() + ms; performance.now() < end; await pause(50)) {
    const to = `code${found.left.length}-${Math.random()}@example.net`;
    const left = new Promise<void>((resolve) =>
      mail.onMail((sent) => {
        if (sent.to.email === to) resolve();
      }),
    );
    const started = performance.now();
    await calls.email.send({ template: 'code', to, variables: { code: '482913' } });
    found.accepted.push(performance.now() - started);
    await left;
    found.left.push(performance.now() - started);
  }
}

async function loginCodes(): Promise<object> {
  const bench = await openBroadcastsService(kind, Number(values.contacts ?? '300000'));
  await bench.prepare();
  await bench.service.start();
  const ms = Number(values.seconds) * 1_000;
  const found = { alone: { accepted: [], left: [] }, beside: { accepted: [], left: [] } } as Record<
    'alone' | 'beside',
    { accepted: number[]; left: number[] }
  >;
  await codes(bench, ms / 2, { accepted: [], left: [] });
  const mails: number[] = [];
  for (let round = 0; round < Number(values.rounds ?? '5'); round += 1) {
    await codes(bench, ms, found.alone);
    const before = bench.mail.count() + found.beside.left.length;
    await bench.resume();
    await codes(bench, ms, found.beside);
    mails.push(bench.mail.count() + found.beside.left.length - before);
    await bench.pause();
    await pause(2_000);
  }
  await bench.close();
  const rows = (['alone', 'beside'] as const).map((where) => ({
    where,
    codes: found[where].left.length,
    ...Object.fromEntries(
      (['accepted', 'left'] as const).flatMap((what) =>
        ([0.5, 0.95, 1] as const).map((share) => [`${what} p${share * 100}`, at(found[where][what], share)]),
      ),
    ),
  }));
  return { rows, 'mails beside': mails };
}

const parts = { kills, prepare, send, codes: loginCodes };
const part = Object.hasOwn(parts, values.part) ? (values.part as keyof typeof parts) : 'kills';
const result = await parts[part]();
if ('rows' in result) console.table(result.rows);
console.log(JSON.stringify({ workload: 'broadcasts', part, kind, ...result }));
