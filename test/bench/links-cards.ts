/*
 * Workload: all cards of the analytics of short links, in process on SQLite, with 1,000,000 clicks over 90 days, compared with 10,000.
 * The clicks and their sums are written with SQL, and the sums equal those of the roll-up.
 * `npx tsx test/bench/links-cards.ts --rounds 30`
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/index.ts';
import { linksPlugin } from '../../plugins/links/index.ts';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '30' } } });
const folder = join(import.meta.dirname, '../../node_modules/.cache/bench-links');
const day = 86_400_000;

/** The properties of a click with this number: about 30 countries, 100 cities and referrers, 10 browsers. */
const columns = {
  country: 'char(65 + n % 5) || char(65 + n % 6)',
  city: "'City ' || (n % 100)",
  referrer: "'r' || (n % 97) || '.example'",
  device: "case n % 3 when 0 then 'mobile' when 1 then 'desktop' else 'tablet' end",
  platform: "case n % 4 when 0 then 'ios' when 1 then 'android' when 2 then 'windows' else 'macos' end",
  browser: "'Browser ' || (n % 10)",
  qr: 'n % 5 = 0',
} as const;

async function open(clicks: number) {
  mkdirSync(folder, { recursive: true });
  const filename = join(folder, `cards-${process.pid}-${clicks}.db`);
  const service = createService({
    storage: sqliteStorage({ filename }),
    plugins: [linksPlugin()],
    keyring: localKeyring({ keys: [{ id: 'bench', secret: 'a secret for the bench only, 32 b.' }] }),
    environment: 'production',
    publicUrl: 'http://127.0.0.1',
  });
  await service.migrate();
  const { id } = await service.workspaces.create({ name: 'Bench', defaultFrom: { email: 'a@example.com', name: 'A' } });
  const { links } = service.as(id);
  const { linkId } = await links.create({ destinationUrl: 'https://example.com/', slug: 'cards' });
  const now = Date.now();
  const { driver } = await service.core.database();
  const run = (sql: string) => driver.transact((connection) => connection.query({ sql, parameters: [] }));
  const names = Object.keys(columns).join(', ');
  await run(`create table bench_clicks (${names}, created_at integer)`);
  await run(`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${clicks})
    insert into bench_clicks (${names}, created_at)
    select ${Object.values(columns).join(', ')}, ${now} - (n % 90) * ${day} from numbers`);
  // Batches as large as batches of real clicks, because their number decides the cost.
  await run(`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${clicks / 500})
    insert into postrider_link_click_batches (id, workspace_id, sandbox, clicks, created_at)
    select 'clb_' || n, '${id}', 0, hex(zeroblob(16000)), ${now} - (n % 90) * ${day} from numbers`);
  const dayOf = "strftime('%Y-%m-%d', created_at / 1000, 'unixepoch')";
  const values = { ...Object.fromEntries(Object.keys(columns).map((name) => [name, name])), clicks: "''" };
  for (const [dimension, column] of Object.entries(values)) {
    const value =
      dimension === 'city'
        ? "city || ', ' || country"
        : dimension === 'qr'
          ? "case qr when 1 then 'qr' else 'link' end"
          : column;
    await run(`insert into postrider_link_rollups (link_id, workspace_id, sandbox, dimension, day, value, clicks, uniques, bots, created_at)
      select '${linkId}', '${id}', 0, '${dimension}', ${dayOf}, ${value}, count(*), count(*), 0, ${now} from bench_clicks group by 5, 6`);
  }
  return {
    ask: () => links.analytics({ linkId, days: 90 }),
    async close() {
      await service.stop();
      for (const end of ['', '-wal', '-shm']) rmSync(filename + end, { force: true });
    },
  };
}

const few = await open(10_000);
const many = await open(1_000_000);
const times = { few: [] as number[], many: [] as number[] };
const time = async (measured: typeof few, into: number[]) => {
  const began = performance.now();
  const { cards } = await measured.ask();
  into.push(performance.now() - began);
  return cards.flatMap(({ rows }) => rows).length;
};
const rows = { few: 0, many: 0 };
for (let round = 0; round < Number(options.rounds); round += 1) {
  rows.few = await time(few, times.few);
  rows.many = await time(many, times.many);
}
const median = (values: readonly number[]): number =>
  Math.round(([...values].sort((one, other) => one - other)[values.length >> 1] ?? 0) * 100) / 100;
const [small, large] = [median(times.few), median(times.many)];
console.log(JSON.stringify({ cards10k: small, cards1M: large, ratio: Math.round((large / small) * 100) / 100, rows }));
await few.close();
await many.close();
