/*
 * The time to accept a batch of 1,000 recipients, compared with 1,000 single sends, and the peak memory. In process.
 * `npx tsx test/bench/batch.ts [sqlite | postgres://… | mysql://…] [--rounds 5]`
 */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { receiptHtml, receiptVariables, subject, variablesSchema } from './mail-fixture.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' } },
});
const [storageName = 'sqlite'] = positionals;
const recipients = 1_000;

function storageAt(url: string) {
  if (url.startsWith('postgres')) return postgresStorage({ connectionString: url });
  if (url.startsWith('mysql')) return mysqlStorage({ uri: url });
  return sqliteStorage({ filename: `/tmp/postrider-bench-batch-${process.pid}.sqlite` });
}

const bench = await createTestService({ plugins: standardPlugins, storage: storageAt(storageName) });
const { email, templates } = bench.service.as(bench.workspaceId);
const template = `bench-${process.pid}`;
await templates.create({ key: template, mode: 'html', subject, body: receiptHtml, variables: variablesSchema });
await templates.publish({ key: template });

const recipientOf = (round: string, index: number) => ({
  to: `n${index}-${round}@example.com`,
  variables: { ...receiptVariables(String(index).padStart(6, '0')) },
});
let highest = 0;
const watch = setInterval(() => {
  highest = Math.max(highest, process.memoryUsage().rss);
}, 5);

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const batches: number[] = [];
for (let round = 0; round <= Number(values.rounds); round += 1) {
  const list = Array.from({ length: recipients }, (_, index) => recipientOf(`b${round}`, index));
  await pause(50);
  const before = process.memoryUsage().rss;
  highest = before;
  const ms = await timeOf(async () => {
    const { data } = await email.batch({ template, recipients: list });
    assert.ok(data.every((item) => 'status' in item));
  });
  highest = Math.max(highest, process.memoryUsage().rss);
  // The first round is a warm-up.
  if (round > 0) batches.push(ms);
  console.log(`batch ${round}: ${Math.round(ms)} ms, ${Math.round((highest - before) / 1_048_576)} MB more`);
}
clearInterval(watch);
const singles = await timeOf(async () => {
  for (let index = 0; index < recipients; index += 1) await email.send({ template, ...recipientOf('single', index) });
});
const median = batches.sort((one, other) => one - other)[batches.length >> 1] ?? 0;
console.log(`${recipients} in one batch: ${Math.round(median)} ms; one after another: ${Math.round(singles)} ms`);
await bench.close();
