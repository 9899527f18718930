// Calls and urgent jobs take precedence over bulk jobs: while they run, no new bulk work begins, until a maximum wait is over. The tests
// set the clock, so that every order is exact.
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Core } from '../../core/pipeline/core.ts';
import { Precedence, type PrecedenceClock } from '../../core/pipeline/precedence.ts';
import { twoDatabases } from '../support/databases.ts';
import {
  createJobBench,
  gate,
  type JobBench,
  type JobProcess,
  manyJobs,
  noteJob,
  until,
} from '../support/job-bench.ts';

/** A clock that stands still until the test advances it. */
function stoppedClock(): PrecedenceClock & { advance(ms: number): void } {
  let now = 0;
  let timers: { readonly at: number; readonly work: () => void }[] = [];
  return {
    now: () => now,
    after(ms, work) {
      const timer = { at: now + ms, work };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      now += ms;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { work } of due) work();
    },
  };
}

async function severalTurns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await nextTurn();
}

const precedenceTest = suite('the precedence');

precedenceTest(
  'bulk work waits until the last call has ended, and continues in a later turn of the event loop',
  async () => {
    const precedence = new Precedence(stoppedClock());
    assert.not(precedence.bulkMustWait());
    await precedence.waitForTurn();
    const [endFirst, endSecond] = [precedence.begin(), precedence.begin()];
    const order: string[] = [];
    const waiting = precedence.waitForTurn().then(() => order.push('bulk'));
    endFirst();
    endFirst();
    await nextTurn();
    assert.ok(precedence.bulkMustWait());
    endSecond();
    await Promise.resolve().then(() => order.push('answer'));
    await waiting;
    assert.equal(order, ['answer', 'bulk']);
  },
);

precedenceTest('bulk work still waits if the next call begins before its turn', async () => {
  const precedence = new Precedence(stoppedClock());
  const end = precedence.begin();
  let isAdmitted = false;
  const waiting = precedence.waitForTurn().then(() => {
    isAdmitted = true;
  });
  end();
  const endNext = precedence.begin();
  await severalTurns();
  assert.not(isAdmitted);
  endNext();
  await waiting;
});

precedenceTest('during an endless stream of calls, bulk work is held and allowed in turn, 200 ms each', () => {
  const clock = stoppedClock();
  const precedence = new Precedence(clock);
  const held: boolean[] = [];
  let end = precedence.begin();
  for (let passed = 0; passed < 1_000; passed += 50) {
    // The calls overlap, so that at any time at least one call runs.
    const endNext = precedence.begin();
    end();
    end = endNext;
    held.push(precedence.bulkMustWait());
    clock.advance(50);
  }
  const four = (isHeld: boolean) => Array(4).fill(isHeld);
  assert.equal(held, [...four(true), ...four(false), ...four(true), ...four(false), ...four(true)]);
});

precedenceTest('calls that follow each other at once delay bulk work for 200 ms', async () => {
  const clock = stoppedClock();
  const precedence = new Precedence(clock);
  let calls = 0;
  let isAdmitted = false;
  let end = precedence.begin();
  const waiting = precedence.waitForTurn().then(() => {
    isAdmitted = true;
  });
  for (; !isAdmitted && calls < 30; calls += 1) {
    clock.advance(10);
    end();
    end = precedence.begin();
    await nextTurn();
  }
  assert.is(calls, 20);
  await waiting;
  end();
});

precedenceTest('a long call delays bulk work only once, for 200 ms', async () => {
  const clock = stoppedClock();
  const precedence = new Precedence(clock);
  const end = precedence.begin();
  const waiting = precedence.waitForTurn();
  clock.advance(199);
  assert.ok(precedence.bulkMustWait());
  clock.advance(1);
  await waiting;
  for (let passed = 0; passed < 1_000; passed += 100) {
    assert.not(precedence.bulkMustWait());
    clock.advance(100);
  }
  precedence.begin();
  assert.ok(precedence.bulkMustWait());
  // The end of the old call does not end the new call.
  end();
  assert.ok(precedence.bulkMustWait());
});

precedenceTest.run();

await twoDatabases('bulk jobs beside urgent jobs', (test, testDatabase) => {
  const each = (name: string, work: (bench: JobBench) => Promise<void>) =>
    test(name, async () => {
      const bench = await createJobBench(testDatabase);
      try {
        await bench.addWorkspace('ws_1');
        await work(bench);
      } finally {
        await bench.close();
      }
    });

  /** Replaces the clock of a process's precedence with a stopped clock. Call this before its worker begins. */
  function onStoppedClock({ core }: JobProcess): ReturnType<typeof stoppedClock> {
    const clock = stoppedClock();
    (core as { precedence: Core['precedence'] }).precedence = new Precedence(clock);
    return clock;
  }

  each('no bulk job begins while an urgent job runs, and the lanes keep their order', async (bench) => {
    const order: string[] = [];
    const [entered, go] = [gate(), gate()];
    const benchProcess = bench.process({
      jobs: [
        noteJob('mail', async () => void order.push('mail'), { lane: 'bulk' }),
        noteJob('receipt', async () => void order.push('receipt')),
        noteJob(
          'code',
          async () => {
            order.push('code');
            entered.open();
            await go.passed;
            order.push('code left');
          },
          { lane: 'urgent' },
        ),
      ],
    });
    onStoppedClock(benchProcess);
    await bench.enqueue(benchProcess, 'ws_1', [
      ...manyJobs('mail', 3),
      ...manyJobs('receipt', 1),
      ...manyJobs('code', 1),
    ]);
    const draining = benchProcess.runner.drain();
    await entered.passed;
    await until(() => order.includes('receipt'));
    await severalTurns();
    assert.equal(order, ['code', 'receipt']);
    go.open();
    assert.equal(await draining, { ran: 5, failed: 0, hasMore: false });
    assert.equal(order, ['code', 'receipt', 'code left', 'mail', 'mail', 'mail']);
  });

  each('bulk jobs are claimed and begin after 200 ms, even if an urgent job still runs', async (bench) => {
    const mails: string[] = [];
    const [entered, go] = [gate(), gate()];
    const benchProcess = bench.process({
      jobs: [
        noteJob('mail', async (_, note) => void mails.push(note), { lane: 'bulk' }),
        noteJob(
          'code',
          async () => {
            entered.open();
            await go.passed;
          },
          { lane: 'urgent' },
        ),
      ],
    });
    const clock = onStoppedClock(benchProcess);
    await benchProcess.runner.start();
    await bench.enqueue(benchProcess, 'ws_1', manyJobs('code', 1));
    await entered.passed;
    await bench.enqueue(benchProcess, 'ws_1', manyJobs('mail', 30));
    await severalTurns();
    const states = async () => (await bench.rows()).filter(({ kind }) => kind === 'mail').map(({ state }) => state);
    assert.equal([mails.length, new Set(await states())], [0, new Set(['ready'])]);
    clock.advance(200);
    await until(async () => (await states()).every((state) => state === 'done'));
    assert.is(mails.length, 30);
    go.open();
    await benchProcess.runner.stop();
  });

  each('while a call runs, a running bulk job takes no further step, and its end is not written', async (bench) => {
    let steps = 0;
    let mustEnd = false;
    const benchProcess = bench.process({
      jobs: [
        noteJob(
          'import',
          async (ctx) => {
            while (!mustEnd) {
              await ctx.checkpoint(async () => undefined);
              steps += 1;
            }
          },
          { lane: 'bulk' },
        ),
      ],
    });
    onStoppedClock(benchProcess);
    await benchProcess.runner.start();
    const [id = ''] = await bench.enqueue(benchProcess, 'ws_1', manyJobs('import', 1));
    await until(() => steps > 2);
    const { precedence } = benchProcess.core;
    const end = precedence.begin();
    // Long enough for the current step to end, even on a busy machine.
    await pause(500);
    const stepsBefore = steps;
    await severalTurns();
    assert.is(steps, stepsBefore);
    end();
    await until(() => steps > stepsBefore);
    mustEnd = true;
    await until(async () => (await bench.row(id)).state === 'done');
    await benchProcess.runner.stop();
  });

  each('the ends of bulk jobs wait for a call to end, but are written with the end of any other job', async (bench) => {
    const go = gate();
    const seen = { begun: 0, ended: 0 };
    const handle = async (): Promise<void> => {
      seen.begun += 1;
      await go.passed;
      seen.ended += 1;
    };
    const benchProcess = bench.process({
      jobs: [noteJob('mail', handle, { lane: 'bulk' }), noteJob('receipt', async () => undefined)],
    });
    onStoppedClock(benchProcess);
    await benchProcess.runner.start();
    await bench.enqueue(benchProcess, 'ws_1', manyJobs('mail', 2));
    const stateOf = async (kind: string) => [
      ...new Set((await bench.rows()).filter((row) => row.kind === kind).map(({ state }) => state)),
    ];
    await until(() => seen.begun === 2);
    const endCall = benchProcess.core.precedence.begin();
    go.open();
    await until(() => seen.ended === 2);
    await severalTurns();
    assert.equal(await stateOf('mail'), ['running']);
    await bench.enqueue(benchProcess, 'ws_1', manyJobs('receipt', 1));
    await until(async () => (await stateOf('receipt')).join() === 'done');
    assert.equal(await stateOf('mail'), ['done']);
    endCall();
    await benchProcess.runner.stop();
  });

  if (testDatabase.name === 'sqlite')
    each('a held transaction waits while others run, and begins when it is no longer held', async (bench) => {
      const { driver } = bench.database;
      const order: string[] = [];
      let isHeld = true;
      const waiting = driver.transact(async () => void order.push('bulk'), { isHeld: () => isHeld });
      await driver.transact(async () => void order.push('call'));
      await driver.transact(async () => void order.push('claim'), { background: true });
      await severalTurns();
      assert.equal(order, ['call', 'claim']);
      isHeld = false;
      await waiting;
      assert.equal(order, ['call', 'claim', 'bulk']);
    });

  each('bulk jobs run while an urgent job waits for a provider', async (bench) => {
    const mails: string[] = [];
    const [entered, go] = [gate(), gate()];
    const benchProcess = bench.process({
      jobs: [
        noteJob('mail', async (_, note) => void mails.push(note), { lane: 'bulk' }),
        noteJob(
          'code',
          async (ctx) => {
            await ctx.outside(async () => {
              entered.open();
              await go.passed;
            });
            assert.ok(benchProcess.core.precedence.bulkMustWait());
          },
          { lane: 'urgent', retryDelaysMs: [] },
        ),
      ],
    });
    onStoppedClock(benchProcess);
    await bench.enqueue(benchProcess, 'ws_1', [...manyJobs('code', 1), ...manyJobs('mail', 10)]);
    const draining = benchProcess.runner.drain();
    await entered.passed;
    await until(() => mails.length === 10);
    go.open();
    assert.equal(await draining, { ran: 11, failed: 0, hasMore: false });
    assert.not(benchProcess.core.precedence.bulkMustWait());
  });
});
