// Time limits that share one timer: each is called at its time, and none after it was taken back.
import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { afterLimit } from '../../core/contract/values/deadlines.ts';
import { memoised } from '../../core/contract/values/memo.ts';

const test = suite('deadlines');
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test('limits are called in their order, whatever the order in which they were set', async () => {
  const seen: string[] = [];
  const began = performance.now();
  const at: number[] = [];
  for (const ms of [60, 20, 40])
    afterLimit(ms, () => {
      seen.push(`${ms}`);
      at.push(performance.now() - began - ms);
    });
  while (seen.length < 3) await pause(5);
  assert.equal(seen, ['20', '40', '60']);
  assert.ok(
    at.every((early) => early >= 0),
    `called ${at} ms after their times`,
  );
});

test('a limit that was canceled is not called, and the other limits are', async () => {
  let called = 0;
  const back = afterLimit(10, () => {
    called += 10;
  });
  afterLimit(30, () => {
    called += 1;
  });
  back();
  back();
  while (called === 0) await pause(5);
  assert.is(called, 1);
});

test('many limits take one timer, which keeps the process alive only while a limit is open', () => {
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
  // One for each of the two different times; a timer that fires early is set again, on a busy machine more than once.
  assert.match(stdout.trim(), /^limit [2-6]$/);
});

test('a memo keeps the latest texts only, and nothing of a call that threw', () => {
  const made: string[] = [];
  const of = memoised(2, (text) => {
    made.push(text);
    if (text === 'bad') throw new Error('bad');
    return { text };
  });
  assert.is(of('a'), of('a'));
  of('b');
  of('c');
  of('a');
  assert.throws(() => of('bad'));
  assert.throws(() => of('bad'));
  assert.equal(made, ['a', 'b', 'c', 'a', 'bad', 'bad']);
});

test.run();
