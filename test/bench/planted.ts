/*
 * The test of the harness: contestants with a planted fault, which `measure` must refuse.
 * `npx tsx test/bench/planted.ts`
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { measure } from './measure.ts';
import { sendWorkload } from './send-workload.ts';

const faults = [
  { file: 'send-loses-rows.ts', caughtAs: /rows were answered for/ },
  { file: 'send-not-durable.ts', caughtAs: /does not commit durably/ },
  { file: 'send-forgets-keys.ts', caughtAs: /a replay has the same body/ },
];

for (const { file, caughtAs } of faults) {
  const contestants = [join(import.meta.dirname, 'planted', file)];
  const options = { rounds: 1, seconds: 1, connections: [4], storage: 'sqlite' as const, contestants };
  await assert.rejects(measure(sendWorkload('sqlite'), options), caughtAs, `${file} goes unnoticed`);
  console.log(`${file} is caught`);
}
