/*
 * The service that hour.ts loads, as a process of its own: all standard plugins on PostgreSQL behind Fastify, mails over SMTP,
 * webhooks, short links, and a sequence that begins with an event. Sends its parent the port and the key, then answers `memory` and
 * `counts`. Start it with --expose-gc.
 */
import { localKeyring } from '../../adapters/keyring/local.ts';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { createService } from '../../core/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { dropSchema, newSchema, postgresUrl, queryOnOwnConnection } from '../support/postgres-server.ts';
import { serveWithFastify } from './fastify-server.ts';
import { defaultFrom, receiptHtml, subject, templateKey, variablesSchema } from './mail-fixture.ts';

const [mailPort, hookPort] = [Number(process.env['MAIL_PORT']), Number(process.env['HOOK_PORT'])];
const schema = newSchema();
const unlimited = { keyRate: 1e6, keyBurst: 2e6, workspacePerMinute: 1e9, monthlySendBudget: 1e9 };
const service = createService({
  plugins: standardPlugins,
  storage: postgresStorage({ connectionString: postgresUrl, schema }),
  mail: smtpMail({ host: '127.0.0.1', port: mailPort }),
  keyring: localKeyring({ keys: [{ id: 'bench', secret: 'a secret for the bench only, 32 b.' }] }),
  environment: 'development',
  logger: { debug: () => undefined, info: () => undefined, warn: console.error, error: console.error },
  publicUrl: 'http://127.0.0.1',
  plans: { pro: unlimited },
});
await service.migrate();
const { id: workspaceId } = await service.workspaces.create({ name: 'Bench', plan: 'pro', defaultFrom });
const api = service.as(workspaceId);
const template = { key: templateKey, mode: 'html', subject, body: receiptHtml, variables: variablesSchema } as const;
await api.templates.create(template);
await api.templates.create({ key: 'aboard', mode: 'html', subject: 'Welcome', body: '<p>Hello</p>' });
for (const key of [templateKey, 'aboard']) await api.templates.publish({ key });
await api.webhooks.create({ url: `http://127.0.0.1:${hookPort}/hook`, events: ['send.sent', 'send.queued'] });
await api.links.create({ destinationUrl: 'https://example.com/spring', slug: 'spring' });
await api.sequences.create({
  key: 'onboarding',
  name: 'Onboarding',
  trigger: { kind: 'event', type: 'signed_up' },
  nodes: [
    { id: 'pause', kind: 'delay', for: 'PT1M' },
    { id: 'started', kind: 'branch', conditions: [{ filter: { did: 'project_created', since: 'run' } }] },
    { id: 'welcome', kind: 'send_email', templateKey: 'aboard' },
    { id: 'active', kind: 'exit', reason: 'created a project' },
  ],
  edges: [
    { from: 'pause', to: 'started' },
    { from: 'started', when: 'branch:0', to: 'active' },
    { from: 'started', when: 'else', to: 'welcome' },
  ],
});
await api.sequences.publish({ keyOrId: 'onboarding' });
const { secret } = await service.keys.create({ workspaceId, name: 'Bench', preset: 'full' });
await service.start();
const port = await serveWithFastify(service, 0);

/** The number of rows that a query counts in the bench's own schema. */
async function count(table: string, where = 'true'): Promise<number> {
  const { rows } = await queryOnOwnConnection(
    `select count(*)::int as n from ${schema}.postrider_${table} where ${where}`,
  );
  return Number(rows[0]?.['n'] ?? 0);
}

/** The use of this process after a full collection: megabytes, and the seconds of processor time since its start. */
function memory() {
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const [rssMb, heapMb, externalMb] = [rss, heapUsed, external].map((bytes) => Math.round(bytes / 104_857.6) / 10);
  return { rssMb, heapMb, externalMb, processor: Math.round((user + system) / 1e6) };
}

async function counts() {
  return {
    sends: await count('sends'),
    delivered: await count('webhook_deliveries', "status = 'delivered'"),
    deliveries: await count('webhook_deliveries'),
    runs: await count('sequence_runs'),
    unfinishedJobs: await count('jobs', "state in ('ready', 'running')"),
  };
}

process.on('message', (question: 'memory' | 'counts' | 'stop') => {
  void (async () => {
    if (question === 'memory') process.send?.(memory());
    else if (question === 'counts') process.send?.(await counts());
    else {
      await service.stop();
      await dropSchema(schema);
      process.exit(0);
    }
  })();
});
process.send?.({ port, secret });
