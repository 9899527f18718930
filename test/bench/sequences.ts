/*
 * Workload: steps of runs by the queue, runs woken by custom events, the same wakes among more and more waiting runs, and login codes
 * during the enrolment of a long list. The floor of steps and wakes is hand-written SQL in the same database, with the same grouping
 * of commits: for a step the run, its history and its next job; for a wake the event, the look-up by contact and type, and the move.
 * In process, no host. `npx tsx test/bench/sequences.ts [--storage sqlite|postgres] [--runs 1000] [--sizes 10000,1000000]
 * [--members 100000] [--seconds 60]`; 0 leaves a part out.
 */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { stepsByHand, wakesByHand, wakeType } from './floors/sequences-by-hand.ts';
import { median } from './measure.ts';
import { openSequencesService, type SequencesService, timeOf } from './sequences-service.ts';

const { values } = parseArgs({
  options: {
    storage: { type: 'string', default: 'sqlite' },
    runs: { type: 'string', default: '1000' },
    sizes: { type: 'string', default: '10000,1000000' },
    members: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '60' },
  },
  strict: false,
});
const storage = values.storage === 'sqlite' ? 'sqlite' : 'postgres';
const runs = Number(values.runs);
const sizes = String(values.sizes).split(',').map(Number);
const members = Number(values.members);
const seconds = Number(values.seconds);
const branches = 5;
const table: Record<string, number | string>[] = [];
const rate = (count: number, ms: number): number => Math.round((count / ms) * 1_000);

async function measureSteps(): Promise<void> {
  const bench = await openSequencesService(storage);
  const chain = Array.from({ length: branches }, (_, index) => `b${index}`);
  const key = await bench.published({
    name: 'Steps',
    nodes: chain.map((id) => ({ id, kind: 'branch', conditions: [{ filter: {} }] })),
    edges: chain.slice(1).map((to, index) => ({ from: chain[index] ?? '', to, when: 'branch:0' })),
  });
  await bench.enrolAll(key, await bench.contacts(runs));
  const ms = await timeOf(() => bench.service.drain());
  const { data } = await bench.calls.sequences.runs({ keyOrId: key, status: 'completed', limit: 100 });
  assert.equal(data.length, Math.min(100, runs));
  const floorMs = await timeOf(() => stepsByHand(bench, branches));
  const [measured, floor] = [rate(runs * branches, ms), rate(runs * branches, floorMs)];
  table.push({ workload: 'steps a second', ours: measured, floor, ratio: (measured / floor).toFixed(2) });
  await bench.close();
}

/** Wakes per round. The sizes take turns, so that all are measured under the same load. */
const probes = 10;
const rounds = 30;

async function waitingService(size: number) {
  const bench = await openSequencesService(storage);
  const key = await bench.published({
    name: 'Waits',
    nodes: [{ id: 'wait', kind: 'wait_for_event', type: wakeType, timeout: 'P30D' }],
  });
  const people = await bench.contacts(2 * probes * (rounds + 1));
  await bench.enrolAll(key, people);
  await bench.service.drain();
  const fillMs = await timeOf(() => bench.fillWaiting(0, size));
  console.log(`# ${size.toLocaleString('en')} waiting runs written in ${Math.round(fillMs / 1_000)} s`);
  const wake = async (contactIds: readonly string[]): Promise<void> => {
    for (const id of contactIds) {
      const { fan_out: fanOut } = await bench.calls.events.emit({ type: wakeType, contact: { id } });
      assert.equal(fanOut.sequences_woken, 1);
    }
  };
  const next = () => people.splice(0, probes);
  const round = async () => ({
    ours: await timeOf(() => wake(next())),
    floor: await timeOf(() => wakesByHand(bench, next())),
  });
  await round();
  return { size, round, times: { ours: [] as number[], floor: [] as number[] }, close: bench.close };
}

async function measureWakes(): Promise<void> {
  const services = [];
  for (const size of sizes) services.push(await waitingService(size));
  for (let turn = 0; turn < rounds; turn++)
    for (const { round, times } of services) {
      const { ours, floor } = await round();
      times.ours.push(ours);
      times.floor.push(floor);
    }
  const [first] = services;
  for (const { size, times, close } of services) {
    const [measured, floor] = [rate(probes, median(times.ours)), rate(probes, median(times.floor))];
    const growth = (side: 'ours' | 'floor') =>
      median(times[side].map((ms, turn) => ms / (first?.times[side][turn] ?? ms))).toFixed(2);
    table.push({
      workload: `wakes a second among ${size.toLocaleString('en')} waiting runs`,
      ours: measured,
      floor,
      ratio: (measured / floor).toFixed(2),
      growth: growth('ours'),
      'growth of the floor': growth('floor'),
    });
    await close();
  }
}

const percentile = (sorted: readonly number[], share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);

/** Sends one login code after another. Returns the sorted milliseconds from each call to the handover of its message. */
async function sendCodes(bench: SequencesService, until: number): Promise<number[]> {
  const delays: number[] = [];
  while (performance.now() < until) {
    const before = bench.sms.messages().length;
    const startedAt = performance.now();
    await bench.calls.sms.send({ templateKey: 'auth_login_code', to: '+14155550123', variables: { code: '482913' } });
    while (bench.sms.messages().length === before) await pause(2);
    delays.push(performance.now() - startedAt);
    await pause(100);
  }
  return delays.sort((one, other) => one - other);
}

async function loginCodes(): Promise<void> {
  const bench = await openSequencesService(storage);
  const key = await bench.published({ name: 'Long', nodes: [{ id: 'wait', kind: 'delay', for: 'P30D' }] });
  const listId = await bench.longList(members);
  await bench.service.start();
  const row = (workload: string, delays: readonly number[], rest: Record<string, number | string> = {}) =>
    table.push({
      workload,
      codes: delays.length,
      median: percentile(delays, 0.5),
      p95: percentile(delays, 0.95),
      max: percentile(delays, 1),
      ...rest,
    });
  row('ms until a login code leaves, alone', await sendCodes(bench, performance.now() + (seconds * 1_000) / 4));
  const { enrollmentId } = await bench.calls.sequences.enrollList({ keyOrId: key, listId });
  const delays = await sendCodes(bench, performance.now() + seconds * 1_000);
  const { enrolled, status } = await bench.calls.sequences.enrollmentRead({ keyOrId: key, enrollmentId });
  row(`during the enrolment of ${members.toLocaleString('en')} contacts`, delays, { enrolled, status });
  await bench.close();
}

/** Prints each part as soon as it has ended. */
const show = () => console.table(table);

if (runs > 0) await measureSteps().then(show);
if (sizes.some((size) => size > 0)) await measureWakes().then(show);
if (members > 0) await loginCodes().then(show);
console.log(JSON.stringify({ bench: 'sequences', storage, table }));
