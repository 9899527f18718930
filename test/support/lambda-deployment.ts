// The example function in its deployed form: bundled, with a mail server, on its own database. If pgbouncer is installed, it runs in
// front of the database, in transaction mode. Used by tests that start instances of the function.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { captureMail } from '../../adapters/mail/capture.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { createService } from '../../core/index.ts';
import { bundleFunction } from '../../examples/lambda/build.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { httpEvent } from '../hosts/lambda-events.ts';
import { root } from './bundle.ts';
import { type FunctionInstance, startFunction } from './lambda-runtime.ts';
import { ownPooler } from './own-server.ts';
import { newSchema, postgresUrl, queryOnOwnConnection } from './postgres-server.ts';
import { SmtpSink } from './smtp-sink.ts';

/** A deployed function. */
export interface Deployment {
  readonly metafile: Metafile;
  /** The folder with function.cjs and the files that it starts. */
  readonly folder: string;
  readonly sink: SmtpSink;
  /** True if pgbouncer is in front of the database */
  readonly pooled: boolean;
  /** Starts an instance. */
  start(env?: Readonly<Record<string, string>>, nodeArguments?: readonly string[]): Promise<FunctionInstance>;
  /** Creates a workspace with the template `order-receipt`, and a key for it. Call it once, after the migration. */
  seed(): Promise<{ readonly workspaceId: string; readonly key: string }>;
  remove(): Promise<void>;
}

/** An event that sends to an address, through a function URL. */
export const sendTo = (key: string, to: string) =>
  httpEvent({
    method: 'POST',
    path: '/v1/templates/order-receipt/send',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': to },
    body: JSON.stringify({ to, variables: { name: 'Ada' } }),
  });

/** Bundles the example and creates its database. */
export async function deployExample(): Promise<Deployment> {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-function-'));
  const metafile = await bundleFunction(join(root, 'examples/lambda/function.ts'), folder);
  const database = newSchema();
  await queryOnOwnConnection(`create database ${database}`);
  const target = new URL(postgresUrl);
  target.pathname = `/${database}`;
  const pooler = await ownPooler(target.href, { mode: 'transaction', size: 3 });
  const sink = await SmtpSink.start({ disabledCommands: ['STARTTLS'] });
  const secret = randomBytes(32).toString('hex');
  const startedInstances: FunctionInstance[] = [];
  return {
    metafile,
    folder,
    sink,
    pooled: pooler !== undefined,
    async start(env = {}, nodeArguments = []) {
      const instance = await startFunction({
        folder,
        handler: 'function.handler',
        nodeArguments,
        env: {
          DATABASE_URL: pooler?.url ?? target.href,
          POSTRIDER_KEY: secret,
          SMTP_HOST: sink.host,
          SMTP_PORT: String(sink.port),
          ...env,
        },
      });
      startedInstances.push(instance);
      return instance;
    },
    async seed() {
      const service = createService({
        plugins: standardPlugins,
        storage: postgresStorage({ connectionString: target.href, maxConnections: 2 }),
        keyring: localKeyring({ keys: [{ id: 'a', secret }] }),
        mail: captureMail(),
      });
      const { id: workspaceId } = await service.workspaces.create({
        name: 'Acme',
        plan: 'enterprise',
        defaultFrom: { email: 'shop@acme.example', name: 'Acme' },
      });
      const { templates } = service.as(workspaceId);
      await templates.create({
        key: 'order-receipt',
        mode: 'html',
        subject: 'Thank you, {{name}}',
        body: '<p>{{name}}</p>',
      });
      await templates.publish({ key: 'order-receipt' });
      const { secret: key } = await service.keys.create({ workspaceId, name: 'shop', scopes: ['templates:send'] });
      await service.stop();
      return { workspaceId, key };
    },
    async remove() {
      for (const instance of startedInstances) await instance.stop();
      await sink.stop();
      await pooler?.remove();
      await queryOnOwnConnection(`drop database ${database} with (force)`);
      rmSync(folder, { recursive: true });
    },
  };
}
