// Passes a handle of node:sqlite in place of a handle of better-sqlite3, and prints both refusals.
import { DatabaseSync } from 'node:sqlite';
import { createService } from 'postrider';
import { captureMail } from 'postrider/adapters/mail/capture';
import { sqliteStorage } from 'postrider/adapters/storage/sqlite';
import { standardPlugins } from 'postrider/plugins';

const handle = new DatabaseSync(':memory:');
const refusals = [];
try {
  sqliteStorage({ database: handle });
} catch (error) {
  refusals.push(error.message);
}
const storage = sqliteStorage({ filename: ':memory:' });
const service = createService({ plugins: standardPlugins, storage, mail: captureMail() });
await service.migrate();
const { id } = await service.workspaces.create({
  name: 'Acme',
  defaultFrom: { email: 'a@acme.example', name: 'Acme' },
});
handle.exec('BEGIN IMMEDIATE');
const call = service.as(id).contacts.upsert({ email: 'ada@example.com' }, { trx: handle });
await call.catch((error) => refusals.push(error.message));
await service.stop();
console.log(JSON.stringify(refusals));
