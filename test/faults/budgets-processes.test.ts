// time-limit: 240
// Two processes and one budget: together they count exactly its limit, although a third of their transactions is rolled
// back. The share that a killed process had reserved is free again when the reservation expires. Reaching 80 and 100 percent is
// reported once each.
// full-run: slow
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defineStatement } from '../../core/contract/context/handle.ts';
import type { Service } from '../../core/kernel/compose.ts';
import { createBudgetReservations, type TakenAmount } from '../../core/pipeline/budget-reservations.ts';
import { monthlyCounter, usedBudget } from '../../core/pipeline/budget-rows.ts';
import { compiledSources } from '../support/compiled.ts';
import { gate, until } from '../support/job-bench.ts';
import { type BudgetInstructions, budget, countAll, countOne, createBudgetService } from './budget-process.ts';
import { type DatabaseKind, serverKinds, withDatabase } from './databases.ts';

const test = suite('a budget across processes');
const script = join(await compiledSources(), 'test/faults/budget-process.js');
const limit = 100;

interface Counting {
  readonly child: ChildProcess;
  /** The lines that it prints. */
  readonly lines: string[];
  line(text: string): Promise<void>;
}

function startProcess(order: BudgetInstructions): Counting {
  const child = spawn(process.execPath, [script, JSON.stringify(order)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  let incompleteLine = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    const parts = `${incompleteLine}${part}`.split('\n');
    incompleteLine = parts.pop() ?? '';
    lines.push(...parts);
    child.emit('lines');
  });
  return {
    child,
    lines,
    async line(text) {
      while (!lines.includes(text)) {
        if (child.exitCode !== null) throw new Error(`A process ended with ${child.exitCode}.`);
        await Promise.race([once(child, 'lines'), once(child, 'close')]);
      }
    },
  };
}

interface Scene {
  readonly service: Service;
  readonly workspaceId: string;
  readonly receivedEvents: unknown[];
  used(): Promise<number>;
  advance(milliseconds: number): void;
  order(hangs: boolean): BudgetInstructions;
}

const withScene = (kind: DatabaseKind, use: (scene: Scene) => Promise<void>): Promise<void> =>
  withDatabase(kind, async (location) => {
    let ahead = 0;
    const reachedEvents: unknown[] = [];
    const service = createBudgetService(
      location,
      (data) => void reachedEvents.push(data),
      () => ahead,
    );
    try {
      await service.migrate();
      const { id: workspaceId } = await service.workspaces.create({
        name: 'Budgets',
        defaultFrom: { email: 'hello@acme.example', name: 'Acme' },
      });
      await use({
        service,
        workspaceId,
        receivedEvents: reachedEvents,
        used: async () => {
          const database = await service.core.database();
          return (await database.read(workspaceId, (handle) => usedBudget(handle, budget, Date.now()))).amount;
        },
        advance: (milliseconds) => {
          ahead += milliseconds;
        },
        order: (hangs) => ({ database: location, workspaceId, limit, hangs }),
      });
    } finally {
      await service.stop();
    }
  });

function register(kind: DatabaseKind): void {
  test(`two processes count exactly the limit, and 80 and 100 percent are reported once, on ${kind}`, () =>
    withScene(kind, async ({ service, order, used: usedCount, receivedEvents: heard, advance }) => {
      const processes = [startProcess(order(false)), startProcess(order(false))];
      await Promise.all(processes.map((one) => one.line('ready')));
      for (const { child } of processes) child.stdin?.write('begin');
      await Promise.all(processes.map((one) => one.line('counted one')));
      for (const { child } of processes) child.stdin?.end('go on');
      await Promise.all(processes.map(({ child }) => once(child, 'close')));
      const counts = processes.map(({ lines }) => Number(lines.at(-1)));
      assert.ok(
        counts.every((count) => count > 0),
        `both counted something: ${counts.join(' and ')}`,
      );
      assert.is((counts[0] ?? 0) + (counts[1] ?? 0), limit);
      assert.is(await usedCount(), limit);
      // If two jobs report the same share at the same time, one of them checks again after a second.
      advance(2_000);
      await service.drain();
      const reports = [
        ...processes.flatMap(({ lines }) => lines.filter((line) => line.startsWith('{'))),
        ...heard.map((data) => JSON.stringify(data)),
      ];
      const reachedEvents = reports.map(
        (line) => JSON.parse(line) as { percent: number; budget: string; limit: number },
      );
      assert.equal(
        reachedEvents.map(({ percent }) => percent).sort((a, b) => a - b),
        [80, 100],
      );
      assert.ok(reachedEvents.every((event) => event.budget === budget && event.limit === limit));
    }));

  test(`the share that a killed process had reserved is free again when the reservation expires, on ${kind}`, () =>
    withScene(kind, async ({ service, workspaceId, order, used, advance }) => {
      const killedProcess = startProcess(order(true));
      await killedProcess.line('ready');
      killedProcess.child.stdin?.end('begin');
      await killedProcess.line('holding');
      killedProcess.child.kill('SIGKILL');
      await once(killedProcess.child, 'close');
      const before = await countAll(service, workspaceId, limit);
      assert.ok(before <= limit && before > limit / 2, `${before} while the reservation lasts`);
      advance(7 * 60_000);
      const after = await countAll(service, workspaceId, limit);
      assert.is(before + after, limit);
      assert.is(await used(), limit);
    }));
}

const withoutLease = defineStatement((db, p: { budget: string }) =>
  db
    .selectFrom('budgets')
    .select(({ fn }) => fn.countAll().as('rows'))
    .where('budget', '=', p.budget)
    .where('lease', 'is', null),
);

/** For servers only: SQLite has no leases. */
function registerCrowded(kind: DatabaseKind): void {
  test(`calls that use all connections count from a lease that one of them gets, on ${kind}`, () =>
    withScene(kind, async ({ service, workspaceId, used }) => {
      const callers = Array.from({ length: 40 }, async () => {
        for (let count = 0; count < 10; count += 1) await countOne(service, workspaceId, 100_000, false);
      });
      await Promise.all(callers);
      assert.is(await used(), 400);
      const database = await service.core.database();
      const row = await database.read(workspaceId, (handle) => handle.one(withoutLease, { budget }));
      assert.ok(Number(row?.rows) < 100, `${row?.rows} of 400 calls counted under the lock`);
    }));
}

const leaseIds = defineStatement((db, p: { budget: string }) =>
  db.selectFrom('budget_leases').select('id').where('budget', '=', p.budget),
);

/** Leases of this process on the scene's database, and the number of their rows. `onDatabaseUse` runs before each use of the database. */
async function openLeases({ service, workspaceId }: Scene, onDatabaseUse: () => Promise<void> = async () => undefined) {
  const database = await service.core.database();
  let attempts = 0;
  const leases = createBudgetReservations({
    async database() {
      await onDatabaseUse();
      return database;
    },
    isOpen: () => true,
    now: Date.now,
    newId(prefix) {
      attempts += 1;
      return `${prefix}_${attempts}`;
    },
  });
  const stored = () => database.read(workspaceId, async (handle) => (await handle.all(leaseIds, { budget })).length);
  const counter = monthlyCounter(budget, Date.now());
  return { leases, stored, order: { workspaceId, counter, amount: 1, limit, alreadyTaken: 0, joined: false } };
}

function registerRenewal(kind: DatabaseKind): void {
  test(`a small lease is renewed while calls still use it, on ${kind}`, () =>
    withScene(kind, async (scene) => {
      const { leases, stored, order } = await openLeases(scene);
      assert.is(await leases.extend(order, 0), undefined);
      // A lease is a sixteenth of the remaining budget: six.
      const draws = Array.from({ length: 5 }, () => leases.draw(order));
      assert.equal(
        draws.map((one) => one?.reservation),
        Array(5).fill('bls_1'),
      );
      // The first lease has 1 left, so an amount of 2 can only come from the next lease, which no call has requested.
      let two: TakenAmount | undefined;
      // The first lease ends after two seconds. A lease that comes after that time is not a renewal.
      const tooLate = performance.now() + 10_000;
      await until(() => {
        two = leases.draw({ ...order, amount: 2 });
        return two !== undefined || performance.now() > tooLate;
      });
      assert.is(two?.reservation, 'bls_2', 'no lease was renewed');
      for (const one of [...draws, two]) one?.markEnded();
      await leases.settle();
      assert.is(await stored(), 0);
    }));
}

function registerSettling(kind: DatabaseKind): void {
  test(`settling waits for leases given back in the background, and repeats a failed give-back, on ${kind}`, () =>
    withScene(kind, async (scene) => {
      let reach = async (): Promise<void> => undefined;
      const { leases, stored, order } = await openLeases(scene, () => reach());
      for (const ending of ['succeeds', 'fails']) {
        assert.is(await leases.extend(order, 0), undefined);
        const { open, passed } = gate();
        reach = async () => {
          reach = async () => undefined;
          await passed;
          if (ending === 'fails') throw new Error('the database is unavailable');
        };
        // The amount is more than the lease contains, so the remainder of the lease is given back, and no call waits for that.
        assert.is(leases.draw({ ...order, amount: limit }), undefined);
        let isSettled = false;
        const settling = leases.settle().then(() => {
          isSettled = true;
        });
        assert.is(await stored(), 1);
        assert.equal([isSettled, leases.hasUnused], [false, true], `a give-back that ${ending}`);
        open();
        await settling;
        assert.equal([await stored(), leases.hasUnused], [0, false], `a give-back that ${ending}`);
      }
    }));
}

register('sqlite');
for (const kind of await serverKinds()) {
  register(kind);
  registerCrowded(kind);
  registerRenewal(kind);
  registerSettling(kind);
}
test.run();
