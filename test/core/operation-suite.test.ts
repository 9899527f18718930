// Tests the generated suite: each fault of a small plugin makes exactly its test fail, and without a fault all tests pass.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import type { Plugin } from '../../core/contract/declaration/plugin.ts';
import { operationSuite } from '../../hosts/testing/operation-suite.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { faults, type TrunkFault } from './trunk-faults.ts';
import { type SideChannel, trunkPlugin } from './trunk-plugin.ts';

const test = suite('the generated suite');

/** Runs the suite on the plugin. Returns the failed tests and their messages. */
async function failures(fault?: TrunkFault, custom?: Plugin<'trunks'>): Promise<Record<string, string>> {
  const channel: SideChannel = {};
  const plugin = custom ?? trunkPlugin(channel, fault);
  const registeredTests: [string, () => Promise<void>][] = [];
  const open = async () => {
    const service = await createTestService({ plugins: [plugin] });
    channel.test = service;
    return service;
  };
  operationSuite('trunks', open, plugin.operations, (name, run) => void registeredTests.push([name, run]));
  const failedTests: Record<string, string> = {};
  for (const [name, run] of registeredTests)
    await run().catch((error: Error) => {
      failedTests[name.replace('trunks: ', '')] = error.message;
    });
  return failedTests;
}

test('a plugin without faults passes', async () => {
  assert.equal(await failures(), {});
});

for (const [fault, expected] of Object.entries(faults))
  test(`${fault}: exactly the expected test fails`, async () => {
    const failedTests = await failures(fault as TrunkFault);
    assert.equal(Object.keys(failedTests), [expected], JSON.stringify(failedTests, null, 2));
  });

test('the suite finds an invalid event example, undeclared retention in a schedule, and schedules that read whole tables', async () => {
  const failedTests = await failures(undefined, {
    ...trunkPlugin({}),
    events: [{ type: 'trunk.made', description: 'Made.', data: z.object({ size: z.int() }), example: { size: 'big' } }],
    schedules: [
      {
        id: 'trunks.tidy',
        description: 'Tidies.',
        everyMs: 1_000,
        async run({ keptSince, purge }) {
          await purge('trunks', 'created_at', keptSince('trunck'));
        },
      },
      {
        id: 'trunks.clear',
        description: 'Clears.',
        everyMs: 1_000,
        async run({ now, purge, purgeByWorkspace }) {
          await purge('trunks', 'created_at', now, { label: 'x' });
          await purge('trunkses', 'created_at', now);
          await purgeByWorkspace('trunks', 'updated_at', now, { trunks: 'label' });
        },
      },
    ],
  });
  const message = failedTests['examples of events match their schemas, and schedules purge as declared'] ?? '';
  assert.equal(Object.keys(failedTests).length, 1, JSON.stringify(failedTests));
  assert.match(message, /The example of the event trunk\.made does not fit its data: .*size/);
  assert.match(
    message,
    'The schedule trunks.tidy asks keptSince for trunck, a retention that no composed plugin declares.',
  );
});

test('a test that gets a 500 reports the error of the handler and its place', async () => {
  const handler = async () => {
    throw new TypeError('The label is a number.');
  };
  const { operations, ...plugin } = trunkPlugin({});
  const failingOperations = operations.map((one) => (one.id === 'trunks.labels' ? { ...one, handler } : one));
  const failedTests = await failures(undefined, { ...plugin, operations: failingOperations });
  const message = failedTests['trunks.labels succeeds with its example input'] ?? '';
  assert.match(message, /^the fixture of trunks\.labels is refused with 500: .*internal_error/);
  assert.match(message, /\nThe cause: TypeError: The label is a number\.\n +at .*operation-suite\.test\.ts/);
});

test('if a call of a fixture fails, the error of the called handler is reported', async () => {
  const handler = async () => {
    throw new TypeError('The label is a number.');
  };
  const { operations, ...plugin } = trunkPlugin({});
  const failingOperations = operations.map((one) => (one.id === 'trunks.create' ? { ...one, handler } : one));
  const failedTests = await failures(undefined, { ...plugin, operations: failingOperations });
  const message = failedTests['trunks.read succeeds with its example input'] ?? '';
  assert.match(
    message,
    /^The fixture's call of trunks\.create failed\. The cause: TypeError: The label is a number\.\n +at /,
  );
});

test.run();
