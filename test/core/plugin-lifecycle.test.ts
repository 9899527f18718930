// The lifecycle of plugins: each starts after the plugins that it requires, is flushed wherever the process may end, and stops in reverse
// order. If a plugin fails or takes too long, the others still run their steps.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { defineJob } from '../../core/contract/declaration/jobs.ts';
import { definePlugin, type Plugin } from '../../core/contract/declaration/plugin.ts';
import { createService, type Service } from '../../core/kernel/compose.ts';
import { inWorkspace } from '../../core/kernel/workspace-transaction.ts';

const test = suite('plugin lifecycle');

type Manifest = Parameters<typeof definePlugin>[0];
type Step = NonNullable<Manifest['start']>;

const never: Step = () => new Promise(() => undefined);
const failing = (message: string): Step => {
  return () => {
    throw new Error(message);
  };
};

/** A plugin that logs its steps. */
const loggingPlugin = (log: string[], id: string, manifest: Omit<Manifest, 'id'> = {}): Plugin => {
  const steps = (['start', 'flush', 'stop'] as const).map((name) => {
    const work: Step = async (surface, signal) => {
      await Promise.resolve();
      log.push(`${name} ${id}`);
      await manifest[name]?.(surface, signal);
    };
    return [name, work];
  });
  return definePlugin({ id, ...manifest, ...Object.fromEntries(steps) });
};

async function compose(plugins: readonly Plugin[], pluginStepMs = 10_000): Promise<Service> {
  const storage = sqliteStorage({ filename: ':memory:' });
  const keyring = localKeyring({ keys: [{ id: 'test', secret: 'a secret for tests only, 32 bytes' }] });
  const service = createService({ storage, keyring, plugins, settings: { pluginStepMs } });
  await service.migrate();
  return service;
}

const messageOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    const parts = error instanceof AggregateError ? (error.errors as Error[]) : [error as Error];
    return parts.map(({ message }) => message).join(' | ');
  }
  return 'nothing was thrown';
};

test('in any list order, a required plugin starts before the plugin that requires it and stops after it', async () => {
  const log: string[] = [];
  const service = await compose([
    loggingPlugin(log, 'top', { requires: ['middle', 'side'] }),
    loggingPlugin(log, 'middle', { requires: ['base'] }),
    loggingPlugin(log, 'base'),
    loggingPlugin(log, 'side'),
  ]);
  assert.equal(log, [], 'composing and migrating starts nothing');
  await service.start();
  await service.start();
  assert.equal(log.splice(0), ['start base', 'start middle', 'start side', 'start top']);
  await service.stop();
  const stopSteps = ['top', 'side', 'middle', 'base'].flatMap((id) => [`flush ${id}`, `stop ${id}`]);
  assert.equal(log.splice(0), stopSteps);
});

test('a process that never starts is flushed when it drains and stops, but its plugins are not stopped', async () => {
  const log: string[] = [];
  const service = await compose([loggingPlugin(log, 'top', { requires: ['base'] }), loggingPlugin(log, 'base')]);
  await service.drain();
  assert.equal(log.splice(0), ['flush base', 'flush top', 'flush base', 'flush top']);
  await service.stop();
  assert.equal(log, ['flush top', 'flush base']);
});

test('a plugin that opens resources at its first use is stopped even if nothing was started', async () => {
  const log: string[] = [];
  const lazy = definePlugin({ id: 'lazy', stop: () => void log.push('stop lazy') });
  const service = await compose([lazy, loggingPlugin(log, 'top')]);
  await service.drain();
  await service.stop();
  assert.equal(log, ['flush top', 'flush top', 'flush top', 'stop lazy']);
});

test('a job that a flush enqueues runs in the same drain', async () => {
  const runs: string[] = [];
  const buffer: string[] = ['one', 'two'];
  const build = defineJob({
    kind: 'toys.build',
    payload: z.object({ name: z.string() }),
    handler: async (_, { name }) => void runs.push(name),
  });
  let workspaceId = '';
  const toys = definePlugin({
    id: 'toys',
    jobs: [build],
    async flush() {
      const workspace = await service.workspaces.read(workspaceId);
      await inWorkspace(service.core, workspace, async ({ enqueue }) => {
        for (const name of buffer.splice(0)) enqueue({ kind: 'toys.build', payload: { name } });
      });
    },
  });
  const service = await compose([toys]);
  workspaceId = (await service.workspaces.create({ name: 'Toys', defaultFrom: { email: 'a@example.com', name: 'A' } }))
    .id;
  await service.drain();
  assert.equal(runs.sort(), ['one', 'two']);
  await service.stop();
});

test('after a failed start nothing is started, the error names the plugin, and the start can be repeated', async () => {
  const log: string[] = [];
  let isBroken = true;
  const service = await compose([
    loggingPlugin(log, 'base'),
    loggingPlugin(log, 'middle', {
      requires: ['base'],
      start() {
        if (isBroken) throw new Error('no connection');
      },
    }),
    loggingPlugin(log, 'top', { requires: ['middle'] }),
  ]);
  assert.is(await messageOf(service.start()), 'The start of the plugin middle failed: Error: no connection');
  assert.equal(log.splice(0), ['start base', 'start middle', 'flush base', 'stop base']);
  isBroken = false;
  await service.start();
  assert.equal(log.splice(0), ['start base', 'start middle', 'start top']);
  await service.stop();
  assert.is(log.filter((line) => line.startsWith('stop')).length, 3);
});

test('every plugin is flushed and stopped even if others fail, and all errors are collected', async () => {
  const log: string[] = [];
  const service = await compose([
    loggingPlugin(log, 'one', { stop: failing('one is stuck') }),
    loggingPlugin(log, 'two', { flush: failing('two is full') }),
    loggingPlugin(log, 'three'),
  ]);
  await service.start();
  log.length = 0;
  assert.is(
    await messageOf(service.stop()),
    'The flush of the plugin two failed: Error: two is full | The stop of the plugin one failed: Error: one is stuck',
  );
  assert.equal(log, ['flush three', 'stop three', 'flush two', 'stop two', 'flush one', 'stop one']);
});

test('a drain runs its jobs even if a flush fails, and reports the failure', async () => {
  const log: string[] = [];
  const service = await compose([loggingPlugin(log, 'one', { flush: failing('full') }), loggingPlugin(log, 'two')]);
  assert.match(await messageOf(service.drain()), /The flush of the plugin one failed: Error: full/);
  assert.equal(log, ['flush one', 'flush two', 'flush one', 'flush two']);
  await service.stop().catch(() => undefined);
});

test('a step that does not end is abandoned, and its signal is aborted', async () => {
  const signals: AbortSignal[] = [];
  const service = await compose(
    [
      definePlugin({
        id: 'slow',
        start: (surface, signal) => {
          signals.push(signal);
          return never(surface, signal);
        },
        flush: never,
      }),
    ],
    20,
  );
  assert.is(await messageOf(service.start()), 'The start of the plugin slow took longer than 20 ms.');
  assert.ok(signals[0]?.aborted);
  assert.is(await messageOf(service.stop()), 'The flush of the plugin slow took longer than 20 ms.');
});

test('plugins that require each other are refused, because they have no start order', () => {
  const plugins = [
    definePlugin({ id: 'a', requires: ['b'] }),
    definePlugin({ id: 'b', requires: ['c'] }),
    definePlugin({ id: 'c', requires: ['a'] }),
  ];
  assert.throws(
    () => createService({ storage: sqliteStorage({ filename: ':memory:' }), plugins }),
    /These plugins require each other: a → b → c → a/,
  );
});

test.run();
