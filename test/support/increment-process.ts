// A second process on one SQLite file: `tsx increment-process.ts FILE TIMES` adds 1 TIMES times, several additions at once. Started by
// test/adapters/storage-sqlite.test.ts.
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';

const [, , filename = '', times = '0'] = process.argv;

async function increment(): Promise<void> {
  const storage = await sqliteStorage({ filename }).open();
  console.log('open');
  const add = { sql: "update suite_items set n = n + 1 where id = 'counter'", parameters: [] };
  for (let finished = 0; finished < Number(times); finished += 4) {
    await Promise.all([1, 2, 3, 4].map(() => storage.transact((connection) => connection.query(add))));
  }
  await storage.close();
}

void increment();
