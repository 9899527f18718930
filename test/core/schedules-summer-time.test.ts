// own-process: it changes the time zone and the date
// Schedules also run in hours in which the local time jumps or repeats.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService, definePlugin } from '../../core/index.ts';

const test = suite('schedules at the change of summer time');
const zone = process.env['TZ'];
const RealDate = Date;

/** Sets the current time to `start`, and lets it continue from there. */
function setDate(start: number): void {
  const began = performance.now();
  const now = () => start + Math.round(performance.now() - began);
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args) => Reflect.construct(target, args.length === 0 ? [now()] : args),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
}

test.after.each(() => {
  globalThis.Date = RealDate;
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

const changes: readonly (readonly [name: string, zone: string, time: string])[] = [
  ['repeats an hour', 'Europe/Vienna', '2025-10-26T00:59:58Z'],
  ['has just repeated an hour', 'Europe/Vienna', '2025-10-26T01:30:00Z'],
  ['repeats an hour in America', 'America/New_York', '2025-11-02T05:59:58Z'],
  ['skips an hour', 'Europe/Vienna', '2026-03-29T00:59:58Z'],
];

for (const [name, timeZone, time] of changes)
  test(`schedules run each second where the local time ${name}`, async () => {
    process.env['TZ'] = timeZone;
    setDate(RealDate.parse(time));
    let runs = 0;
    const schedule = {
      id: 'seconds.count',
      description: 'Counts the seconds.',
      everyMs: 1_000,
      run: async () => {
        runs += 1;
      },
    };
    const service = createService({
      plugins: [definePlugin({ id: 'seconds', schedules: [schedule] })],
      storage: sqliteStorage({ filename: ':memory:' }),
      keyring: localKeyring({ keys: [{ id: 'test', secret: 'a secret for tests only, 32 bytes' }] }),
    });
    try {
      await service.migrate();
      await service.start();
      const end = performance.now() + 20_000;
      while (runs < 4 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
      assert.ok(runs >= 4, `it ran ${runs} times`);
    } finally {
      await service.stop();
    }
  });

test.run();
