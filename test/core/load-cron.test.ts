// Loading node-cron, whose timers start the schedules, also in bundles that change how packages are loaded.
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadCron } from '../../core/jobs/load-cron.ts';

const test = suite('loading node-cron');

const refusalOf = async (load: Parameters<typeof loadCron>[0]): Promise<unknown> =>
  loadCron(load).then(
    () => undefined,
    (error: unknown) => error,
  );

test('node-cron is loaded from the installed package', async () => {
  assert.type(await loadCron(), 'function');
});

test('a CommonJS bundle without import.meta.url gets an error that names the required setting, at each start', async () => {
  const address: unknown = undefined;
  const first = await refusalOf(async () => {
    fileURLToPath(address as string);
    return import('node-cron');
  });
  const second = await refusalOf(async () => ({ schedule: undefined }) as never);
  for (const refusal of [first, second]) {
    assert.match(String(refusal), 'import.meta.url is empty there');
    assert.match(String(refusal), '--packages=external');
    assert.match(String(refusal), 'docs/bundlers.md');
  }
});

test('a bundle without node-cron gets an error that names the package', async () => {
  const refusal = await refusalOf(() => Promise.reject(new Error("Cannot find module 'node-cron'")));
  assert.match(String(refusal), 'npm install node-cron');
});

test('any other error is passed on unchanged', async () => {
  const fault = new RangeError('other');
  assert.is(await refusalOf(() => Promise.reject(fault)), fault);
});

test.run();
