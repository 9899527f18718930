// Time limits that share one timer: each callback runs at its time, and never after its limit was canceled.
import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { afterLimit } from '../../core/contract/values/deadlines.ts';
import { memoised } from '../../core/contract/values/memo.ts';

const test = suite('deadlines');
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test('the callbacks of limits run in the order of their times, in whatever order the limits were set', async () => {
  const calls: string[] = [];
  const began = performance.now();
  const at: number[] = [];
  for (const ms of [60, 20, 40])
    afterLimit(ms, () => {
      calls.push(`${ms}`);
      at.push(performance.now() - began - ms);
    });
  while (calls.length < 3) await pause(5);
  assert.equal(calls, ['20', '40', '60']);
  assert.ok(
    at.every((early) => early >= 0),
    `called ${at} ms after their times`,
  );
});

test('the callback of a canceled limit does not run, but the callbacks of other limits do', async () => {
  let callCount = 0;
  const back = afterLimit(10, () => {
    callCount += 10;
  });
  afterLimit(30, () => {
    callCount += 1;
  });
  back();
  back();
  while (callCount === 0) await pause(5);
  assert.is(callCount, 1);
});

test('many limits need one timer, which keeps the process alive only while a limit is open', () => {
  const module = new URL('../../core/contract/values/deadlines.ts', import.meta.url).href;
  const script = `
    let timers = 0;
    const make = globalThis.setTimeout;
    globalThis.setTimeout = (...given) => { timers += 1; return make(...given); };
    const { afterLimit } = await import(${JSON.stringify(module)});
    const back = Array.from({ length: 1_000 }, () => afterLimit(60_000, () => undefined));
    for (const one of back) one();
    afterLimit(20, () => console.log('limit', timers));`;
  const { stdout, status } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    encoding: 'utf8',
    timeout: 50_000,
  });
  assert.is(status, 0);
  // One timer for each of the two different times. A timer that fires too early is set again, on a busy machine more than once.
  assert.match(stdout.trim(), /^limit [2-6]$/);
});

test('a memo keeps only the latest texts, and nothing of a call that threw an error', () => {
  const calls: string[] = [];
  const of = memoised(2, (text) => {
    calls.push(text);
    if (text === 'bad') throw new Error('bad');
    return { text };
  });
  assert.is(of('a'), of('a'));
  of('b');
  of('c');
  of('a');
  assert.throws(() => of('bad'));
  assert.throws(() => of('bad'));
  assert.equal(calls, ['a', 'b', 'c', 'a', 'bad', 'bad']);
});

test.run();
