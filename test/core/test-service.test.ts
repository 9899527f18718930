// The clock of a test service and its schedules.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';

const test = suite('a test service');

const day = 86_400_000;

test('the first drain runs the schedules that have become due since the start', async () => {
  const runs: number[] = [];
  const tidies = definePlugin({
    id: 'tidies',
    schedules: [
      { id: 'tidies.daily', description: 'Tidies.', everyMs: day, run: async ({ now }) => void runs.push(now) },
    ],
  });
  const kit = await createTestService({ plugins: [tidies] });
  try {
    kit.advanceClock(day - 1);
    await kit.drain();
    assert.equal(runs, []);
  } finally {
    await kit.close();
  }
  const laterService = await createTestService({ plugins: [tidies] });
  try {
    laterService.advanceClock(300 * day);
    laterService.advanceClock(66 * day);
    await laterService.drain();
    await laterService.drain();
    assert.equal(runs, [laterService.now()]);
  } finally {
    await laterService.close();
  }
});

test.run();
