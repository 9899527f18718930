/*
 * Workload: opening the pages of the console that show long lists, through the whole pipeline, in process, at many rows. The floor of
 * each page is the same page at 1,000 rows. Compares processor time.
 * `npx tsx test/bench/console-lists.ts [--rows 1000000] [--openings 40] [--rounds 3] [--folder FOLDER]` (SQLite)
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { browserHeaders } from '../support/console-bench.ts';
import { onePageOfEach } from '../support/console-pages.ts';
import { openSamples } from '../support/console-samples.ts';
import { fillSamples } from '../support/filled-samples.ts';
import { pageRequester } from '../support/page-requester.ts';
import { dataFolder } from './contestant-process.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    openings: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '3' },
    folder: { type: 'string', default: dataFolder },
  },
});
const folder = mkdtempSync(join(values.folder, 'console-lists-'));

/** The tables of the lists, each with the pages that show them and the columns that need another value in each copy. */
const lists = [
  { table: 'sends', pages: ['sends'] },
  { table: 'suppressions', pages: ['suppressions'] },
  { table: 'broadcast_recipients', pages: ['broadcasts/{broadcastId}/recipients'] },
  { table: 'sequence_runs', pages: ['sequences/{sequenceId}/runs'] },
  { table: 'list_members', pages: ['lists/{listId}'] },
  { table: 'webhook_deliveries', pages: ['webhooks/{webhookId}'] },
  { table: 'audit', pages: ['audit'] },
  { table: 'jobs', pages: ['jobs'] },
  { table: 'contact_activity', pages: ['events'] },
] as const;

/** A valid id in each copy: the prefix of the source and the number. */
const numberedId = (column: string): string =>
  `substr(source.${column}, 1, instr(source.${column}, '_')) || printf('%026d', numbers.n)`;

const expressions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  suppressions: { email: `'reader' || numbers.n || '@example.com'`, expires_at: 'null' },
  broadcast_recipients: { id: numberedId('id'), send_id: 'null' },
  list_members: { contact_id: numberedId('contact_id') },
  contact_activity: { contact_id: numberedId('contact_id'), type: 'source.type' },
};

async function open(name: string, rows: number) {
  const storage = sqliteStorage({ filename: join(folder, `${name}.db`) });
  const samples = await openSamples({ storage });
  const { found } = await onePageOfEach(samples);
  for (const { table } of lists)
    assert.ok(
      await fillSamples(samples, found, { table, rows, expressions: expressions[table] ?? { id: numberedId('id') } }),
    );
  let requests = 0;
  const ask = pageRequester(samples.service, `/console/${samples.workspaceId}`, () => {
    requests += 1;
    return `127.${(requests >> 12) % 200}.${(requests >> 4) % 250}.1`;
  });
  /** The processor time of one opening, in ms. */
  const measure = async (path: string): Promise<number> => {
    const before = process.cpuUsage();
    for (let count = 0; count < Number(values.openings); count += 1) {
      const { status, text } = await ask(`/${path}`, browserHeaders);
      assert.equal(status, 200, `${path}: ${text.slice(-400)}`);
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / Number(values.openings);
  };
  return { found, measure, close: samples.close };
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

const few = await open('few', 1_000);
const many = await open('many', Number(values.rows));
try {
  for (const { pages } of lists)
    for (const page of pages) {
      const path = (bench: typeof few) => `${bench.found.get(page)}?side=sandbox`;
      const [ofFew, ofMany]: [number[], number[]] = [[], []];
      await few.measure(path(few));
      await many.measure(path(many));
      for (let round = 0; round < Number(values.rounds); round += 1) {
        ofFew.push(await few.measure(path(few)));
        ofMany.push(await many.measure(path(many)));
      }
      const [floor, cost] = [median(ofFew), median(ofMany)];
      console.log(`${page}: ${floor.toFixed(1)} ms, then ${cost.toFixed(1)} ms (${(cost / floor).toFixed(2)})`);
    }
} finally {
  await few.close();
  await many.close();
  rmSync(folder, { recursive: true });
}
