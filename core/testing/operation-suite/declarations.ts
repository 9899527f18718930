// What composing a plugin cannot see, or not without cost at each start: whether the examples of its events fit their data, and
// whether its schedules name retentions that exist. Called by operation-suite.ts, once for a plugin.
import * as assert from 'node:assert/strict';
import { checkValue, faultSentence } from '../../contract/input-faults.ts';
import type { ScheduleContext } from '../../contract/jobs.ts';
import type { Plugin } from '../../contract/plugin.ts';
import type { AnyTestService } from '../test-service.ts';

function* exampleFaults({ events }: Plugin): Generator<string> {
  for (const { type, data, example, person } of events) {
    const checked = checkValue(data, example, 'The example');
    if (!checked.ok)
      yield `The example of the event ${type} does not fit its data: ${checked.faults.map(faultSentence).join(' ')}`;
    else if (person !== undefined && !person(example))
      yield `The event ${type} declares a person, and its example names none.`;
  }
}

/** Runs the schedules on nothing: only what they ask of their retentions counts. */
async function* retentionFaults({ schedules }: Plugin, { service: { core } }: AnyTestService): AsyncGenerator<string> {
  for (const schedule of schedules) {
    const unknown = new Set<string>();
    const context: ScheduleContext = {
      services: core.services,
      ports: core.ports,
      log: core.log,
      now: core.ports.now(),
      signal: AbortSignal.timeout(1_000),
      keptSince(name) {
        if (!core.retention.has(name)) unknown.add(name);
        return 0;
      },
      purge: async () => 0,
      purgeByWorkspace: async () => 0,
      eachWorkspace: async () => undefined,
    };
    // It may fail for want of rows.
    await schedule.run(context).catch(() => undefined);
    for (const name of unknown)
      yield `The schedule ${schedule.id} asks keptSince for ${name}, a retention that no composed plugin declares.`;
  }
}

/** @throws AssertionError with every fault */
export async function checkDeclarations(pluginId: string, test: AnyTestService): Promise<void> {
  const plugin = test.service.core.registry.plugins.find(({ id }) => id === pluginId);
  if (plugin === undefined) return;
  const faults = [...exampleFaults(plugin)];
  for await (const fault of retentionFaults(plugin, test)) faults.push(fault);
  assert.equal(faults.join('\n'), '');
}
