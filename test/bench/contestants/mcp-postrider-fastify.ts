/*
 * The tool endpoint with 120 tools, one of them narrowed to the workspace's templates: key look-up, both limits, scope,
 * validation, answer.
 */
import { localKeyring } from '../../../adapters/keyring/local.ts';
import { captureMail } from '../../../adapters/mail/capture.ts';
import { sqliteStorage } from '../../../adapters/storage/sqlite.ts';
import { createService } from '../../../core/index.ts';
import { announce, readSettings } from '../contestant.ts';
import { serveWithFastify } from '../fastify-server.ts';
import { defaultFrom, receiptHtml, subject, templateKey, variablesSchema } from '../mail-fixture.ts';
import { benchPlugins } from '../mcp-fixture.ts';

const settings = readSettings();
const service = createService({
  storage: sqliteStorage({ filename: settings.databasePath }),
  plugins: benchPlugins,
  mail: captureMail(),
  keyring: localKeyring({ keys: [{ id: 'bench', secret: 'a secret for the bench only, 32 b.' }] }),
  environment: 'production',
  plans: { pro: { keyRate: 1e6, keyBurst: 2e6, workspacePerMinute: 1e9, monthlySendBudget: 1e9 } },
});
await service.migrate();
const keys: string[] = [];
for (let index = 0; index < settings.workspaces; index += 1) {
  const { id } = await service.workspaces.create({ name: `Bench ${index}`, plan: 'pro', defaultFrom });
  const { templates } = service.as(id);
  await templates.create({ key: templateKey, mode: 'html', subject, body: receiptHtml, variables: variablesSchema });
  await templates.publish({ key: templateKey });
  for (let count = index; count < settings.keys; count += settings.workspaces) {
    keys.push((await service.keys.create({ workspaceId: id, name: `bench ${count}`, preset: 'full' })).secret);
  }
}
const port = await serveWithFastify(service, settings.port);
announce({ port, keys });
