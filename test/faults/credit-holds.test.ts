// time-limit: 180
// A process is killed between claiming a job and settling the job's credit hold. If another process runs the job in time, it
// settles the hold. Otherwise the hold is released when it expires.
// full-run: slow
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { creditPools } from '../../core/pipeline/credits.ts';
import { compiledSources } from '../support/compiled.ts';
import { type DatabaseKind, serverKinds, withDatabase } from './databases.ts';
import { createHoldsService, finalCredits, heldCredits, holdMs } from './holds-plugin.ts';
import type { DatabaseLocation } from './mail-service.ts';

const test = suite('credit holds when a process is killed');
const script = join(await compiledSources(), 'test/faults/holds-process.js');
const grantedCredits = 1_000;
const minute = 60_000;

/** Starts a process, and kills it while it runs the job. */
async function killAtWork(location: DatabaseLocation): Promise<void> {
  const child = spawn(process.execPath, [script, JSON.stringify(location)], { stdio: ['ignore', 'pipe', 'inherit'] });
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'close').then(() => assert.unreachable('the process ended by itself')),
  ]);
  child.kill('SIGKILL');
  await once(child, 'close');
}

interface Scene {
  /** Advances the clock of the surviving process. */
  advance(milliseconds: number): void;
  drain(): Promise<unknown>;
  balance(): Promise<number>;
  readonly settled: boolean[];
}

/** A workspace with a hold, whose job was begun by a killed process. */
async function afterKill(location: DatabaseLocation, use: (scene: Scene) => Promise<void>): Promise<void> {
  let ahead = 0;
  const settlements: boolean[] = [];
  const service = createHoldsService(location, () => ahead, {
    work: async () => undefined,
    settled: (found) => void settlements.push(found),
  });
  try {
    await service.migrate();
    const { id } = await service.workspaces.create({
      name: 'Holds',
      plan: 'pro',
      defaultFrom: { email: 'hello@acme.example', name: 'Acme' },
      credits: grantedCredits,
    });
    const workspace = await readWorkspace(service.core, id);
    const balance = async () => {
      const pools = await (await service.core.database()).read(id, (handle) =>
        creditPools(handle, workspace, Date.now()),
      );
      return pools.month + pools.granted - workspace.plan.monthlyCredits;
    };
    await service.drain();
    await inWorkspace(service.core, workspace, async (ctx) => {
      const holdId = await ctx.hold(heldCredits, 'work', { expiresAt: ctx.now + holdMs });
      ctx.enqueue({ kind: 'holds.work', payload: { holdId } });
    });
    assert.is(await balance(), grantedCredits - heldCredits);
    await killAtWork(location);
    assert.is(await balance(), grantedCredits - heldCredits, 'the kill changes nothing');
    await use({
      settled: settlements,
      balance,
      advance: (milliseconds) => {
        ahead += milliseconds;
      },
      drain: () => service.drain(),
    });
  } finally {
    await service.stop();
  }
}

function register(kind: DatabaseKind): void {
  test(`the process that runs the job again settles the credit hold, on ${kind}`, () =>
    withDatabase(kind, (location) =>
      afterKill(location, async ({ advance, drain, balance, settled }) => {
        advance(2 * minute);
        await drain();
        assert.equal(settled, [true]);
        assert.is(await balance(), grantedCredits - finalCredits);
      }),
    ));

  test(`if the job runs again too late, the hold was already released when it expired, on ${kind}`, () =>
    withDatabase(kind, (location) =>
      afterKill(location, async ({ advance, drain, balance, settled }) => {
        advance(holdMs + 2 * minute);
        await drain();
        assert.is(await balance(), grantedCredits);
        assert.equal(settled, [false]);
      }),
    ));
}

register('sqlite');
for (const kind of await serverKinds()) register(kind);
test.run();
