/*
 * Postrider as jobs.ts measures it: mails to an SMTP server, jobs that do nothing, or webhooks to a receiver. Runs in checkouts of
 * other releases, too.
 */
import { localKeyring } from '../../adapters/keyring/local.ts';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService, defineEvent, defineJob, definePlugin, z } from '../../core/index.ts';
import { createEffects } from '../../core/pipeline/call-effects.ts';
import { findWorkspace } from '../../core/pipeline/workspaces.ts';
import { standardPlugins } from '../../plugins/index.ts';
import type { JobsContestant, JobsRunOptions } from './jobs-process.ts';
import { defaultFrom, receiptHtml, receiptVariables, subject, variablesSchema } from './mail-fixture.ts';

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'bench.moved': { readonly parcel: string };
  }
}

let ranCount = 0;
const data = z.object({ parcel: z.string() });
const benchPlugin = definePlugin({
  id: 'bench',
  events: [
    defineEvent({
      type: 'bench.moved',
      description: 'A parcel moved.',
      data,
      example: { parcel: 'A' },
      minimumTier: 0,
    }),
  ],
  jobs: [
    defineJob({
      kind: 'bench.noop',
      payload: z.object({ note: z.string() }),
      async handler() {
        ranCount += 1;
      },
    }),
  ],
});

export async function createContestant(options: JobsRunOptions): Promise<JobsContestant> {
  const { work, storage, location: place, port, subscriptions } = options;
  const service = createService({
    environment: 'development',
    logger: { debug() {}, info() {}, warn: console.error, error: console.error },
    keyring: localKeyring({ keys: [{ id: 'bench', secret: 'a secret for the bench of jobs, 32 b' }] }),
    plugins: [...standardPlugins, benchPlugin],
    plans: { scale: { monthlySendBudget: 10_000_000, workspacePerMinute: Number.POSITIVE_INFINITY } },
    storage: storage === 'sqlite' ? sqliteStorage({ filename: place }) : postgresStorage({ connectionString: place }),
    mail: smtpMail({ host: '127.0.0.1', port }),
  });
  await service.migrate();
  const { id: workspaceId } = await service.workspaces.create({ name: 'Bench', plan: 'scale', defaultFrom });
  const api = service.as(workspaceId);
  const { core } = service;
  const database = await core.database();
  const workspace = await database.read(workspaceId, (handle) => findWorkspace(handle, core.plans));
  if (workspace === undefined) throw new Error('The workspace is missing.');
  if (work === 'mail') {
    const template = {
      key: 'bench-receipt',
      mode: 'html',
      subject,
      body: receiptHtml,
      variables: variablesSchema,
    } as const;
    await api.templates.create(template);
    await api.templates.publish({ key: template.key });
  }
  if (work === 'hooks')
    for (let index = 0; index < subscriptions; index += 1)
      await api.webhooks.create({ url: `http://127.0.0.1:${port}/hook/${index}`, events: ['bench.moved'] });

  /** Writes `count` units in groups of 500. */
  const write = async (count: number, one: (ctx: ReturnType<typeof createEffects>) => void): Promise<void> => {
    for (let writtenCount = 0; writtenCount < count; writtenCount += 500)
      await database.transact(async (scope) => {
        const ctx = createEffects({ core, scope, workspace, now: core.ports.now(), sandbox: false });
        for (let index = writtenCount; index < Math.min(writtenCount + 500, count); index += 1) one(ctx);
        await scope.flush();
      });
  };
  const expect = async (table: 'sends' | 'webhook_deliveries', status: string, count: number): Promise<void> => {
    const [row] = await database.read(workspaceId, ({ db }) =>
      db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('workspace_id', '=', workspaceId)
        .where('status', '=', status as never)
        .execute(),
    );
    if (Number(row?.count) !== count) throw new Error(`${row?.count} of ${count} are ${status}.`);
  };
  let all = 0;
  return {
    async queue(units) {
      all += units;
      if (work === 'noop') await write(units, (ctx) => ctx.enqueue({ kind: 'bench.noop', payload: { note: 'x' } }));
      else if (work === 'hooks')
        for (let index = 0; index < units / subscriptions; index += 1)
          await database.transact(async (scope) => {
            const ctx = createEffects({ core, scope, workspace, now: core.ports.now(), sandbox: false });
            ctx.emit('bench.moved', { parcel: 'p'.repeat(700) });
            await scope.flush();
          });
      else {
        const recipients = Array.from({ length: units }, (_, index) => {
          const mark = String(all + index).padStart(6, '0');
          return { to: `n${mark}@example.com`, variables: { ...receiptVariables(mark) } };
        });
        await api.email.batch({ template: 'bench-receipt', recipients });
      }
    },
    async run(units) {
      ranCount = 0;
      await service.drain();
      if (work === 'mail') await expect('sends', 'sent', all);
      else if (work === 'hooks') await expect('webhook_deliveries', 'delivered', all);
      else if (ranCount !== units) throw new Error(`${ranCount} of ${units} jobs ran.`);
    },
    close: () => service.stop(),
  };
}
