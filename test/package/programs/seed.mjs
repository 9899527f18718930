// Seeds a program's database with a workspace, a key and a published template; prints the key. Uses PostgreSQL if
// DATABASE_URL names it, else SQLite. POSTRIDER_KEY must be the program's: another keyring could not read the key.
import { createService } from 'postrider';
import { localKeyring } from 'postrider/adapters/keyring/local';
import { captureMail } from 'postrider/adapters/mail/capture';
import { standardPlugins } from 'postrider/plugins';

async function storageOf(connectionString) {
  if (connectionString !== undefined)
    return (await import('postrider/adapters/storage/postgres')).postgresStorage({ connectionString });
  return (await import('postrider/adapters/storage/sqlite')).sqliteStorage({ filename: 'app.sqlite' });
}

const storage = await storageOf(process.env.DATABASE_URL);
const keyring = localKeyring({ keys: process.env.POSTRIDER_KEY });
const service = createService({ plugins: standardPlugins, storage, keyring, mail: captureMail() });
await service.migrate();
const defaultFrom = { email: 'hello@acme.example', name: 'Acme' };
const workspace = await service.workspaces.create({ name: 'Acme', defaultFrom });
const { secret } = await service.keys.create({ workspaceId: workspace.id, name: 'backend', preset: 'full' });
const { templates } = service.as(workspace.id);
const body =
  '<mjml><mj-body><mj-section><mj-column><mj-text>Hello {{name}}</mj-text></mj-column></mj-section></mj-body></mjml>';
await templates.create({ key: 'hello', subject: 'Hello {{name}}', body });
await templates.publish({ key: 'hello' });
await service.stop();
console.log(secret);
