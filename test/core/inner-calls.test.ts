// Operations that jobs, subscribers and other operations call inside their own transaction, on each database: all writes commit together,
// a refusal rolls back only the refused call, and the audit shows the actor.
// time-limit: 240
// full-run: slow
import * as assert from 'uvu/assert';
import { z } from 'zod';
import type { TransactionContext } from '../../core/contract/context/context.ts';
import { defineSubscriber } from '../../core/contract/declaration/events.ts';
import { defineJob, type JobContext } from '../../core/contract/declaration/jobs.ts';
import { defineOperation } from '../../core/contract/declaration/operation.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';
import { isPostriderError } from '../../core/contract/errors/errors.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { eachDatabase } from '../support/databases.ts';
import { noRateLimits } from '../support/mail-bench.ts';
import { shopPlugin } from './shop-plugin.ts';
import { ledgerPlugin } from './transactions-ledger.ts';

type Ids = (typeof standardPlugins)[number]['id'] | 'ledger' | 'desk' | 'shop';
type Work = (ctx: JobContext) => Promise<void>;

/** Types for the calls of the shop, which declares no types */
interface ShopCalls {
  readonly shop: {
    buy(input: { price: number; fails?: boolean }): Promise<{ charged: number }>;
    count(input: { times: number; limit: number }): Promise<{ counted: number }>;
    prepare(input: object): Promise<unknown>;
  };
}

const shopOf = (ctx: TransactionContext): ShopCalls['shop'] => (ctx.as() as unknown as ShopCalls).shop;

interface Bench extends TestService<Ids> {
  /** Runs a job whose handler is `work`, and then every due job. */
  run(work: Work, sandbox?: boolean): Promise<void>;
  /** The names of the entries in the ledger */
  entries(): Promise<string[]>;
  /** Actions and actors in the audit, oldest first, without the entries of provisioning */
  audit(): Promise<string[]>;
  jobs(kind: string): Promise<number>;
}

const template = { key: 'hello', mode: 'html', subject: 'Hello {{name}}', body: '<p>{{name}}</p>' } as const;
const sendTo = (email: string) => ({ template: 'hello', to: email, variables: { name: 'Ada' } });

async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (isPostriderError(error)) return error.code;
    throw error;
  }
  return 'none';
}

await eachDatabase('calls inside a transaction', (test, database) => {
  const each = (name: string, use: (bench: Bench) => Promise<void>) =>
    test(name, async () => {
      let work: Work = async () => undefined;
      const desk = definePlugin({
        id: 'desk',
        scopes: [{ scope: 'desk:write', description: 'Use the desk.' }],
        operations: [
          defineOperation({
            id: 'desk.add',
            summary: 'Add by way of the ledger',
            http: 'POST /v1/desk',
            scopes: ['desk:write'],
            idempotency: 'replay',
            input: { body: z.object({ name: z.string() }) },
            output: z.object({ id: z.string() }),
            audit: { action: 'desk.add', target: ({ id }) => ({ kind: 'entry', id }) },
            fixture: async () => ({ body: { name: 'fixture' } }),
            handler: async (ctx, { body }) => ctx.as().ledger.add({ name: body.name }),
          }),
        ],
        jobs: [
          defineJob({
            kind: 'desk.run',
            payload: z.object({}),
            retryDelaysMs: [1_000],
            handler: (ctx) => work(ctx),
          }),
        ],
        subscribers: [
          defineSubscriber({
            name: 'thanks',
            event: 'trial.ended',
            handler: (ctx, event) =>
              ctx.complete(async (tx) => {
                await tx.as().email.send(sendTo('trial@example.com'), { idempotencyKey: event.id });
              }),
          }),
        ],
      });
      const bench = await createTestService<Ids>({
        plugins: [...standardPlugins, ledgerPlugin(), shopPlugin() as never, desk],
        storage: database.createStorage(),
        tablePrefix: database.newPrefix(),
        plans: { pro: { ...noRateLimits, monthlyCredits: 0 } },
        logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
      });
      const { core } = bench.service;
      const readDatabase = async <T>(
        ask: Parameters<Awaited<ReturnType<typeof core.database>>['read']>[1],
      ): Promise<T> => (await (await core.database()).read(bench.workspaceId, ask)) as T;
      const enqueue = async (sandbox: boolean) => {
        const workspace = await readWorkspace(core, bench.workspaceId);
        await inWorkspace(core, workspace, async (ctx) => {
          ctx.enqueue({ kind: 'desk.run', payload: {}, sandbox });
        });
      };
      try {
        const calls = bench.service.as(bench.workspaceId, { actor: 'test' });
        await calls.templates.create(template);
        await calls.templates.publish({ key: template.key });
        await bench.drain();
        await use({
          ...bench,
          async run(job, sandbox = false) {
            work = job;
            await enqueue(sandbox);
            await bench.drain();
          },
          entries: async () =>
            (
              await readDatabase<{ name: string }[]>(({ db, workspaceId }) =>
                db.selectFrom('ledger_entries').select('name').where('workspace_id', '=', workspaceId).execute(),
              )
            )
              .map(({ name }) => name)
              .sort(),
          audit: async () =>
            (
              await readDatabase<{ action: string; actor_kind: string; actor: string }[]>(({ db, workspaceId }) =>
                db
                  .selectFrom('audit')
                  .select(['action', 'actor_kind', 'actor'])
                  .where('workspace_id', '=', workspaceId)
                  .where('action', 'in', ['transactional.send', 'ledger.add', 'desk.add', 'shop.change'])
                  .orderBy('id')
                  .execute(),
              )
            ).map(({ action, actor_kind, actor }) => `${action} ${actor_kind} ${JSON.parse(actor).client ?? ''}`),
          jobs: async (kind) =>
            (
              await readDatabase<unknown[]>(({ db, workspaceId }) =>
                db
                  .selectFrom('jobs')
                  .select('id')
                  .where('workspace_id', '=', workspaceId)
                  .where('kind', '=', kind)
                  .execute(),
              )
            ).length,
        });
      } finally {
        await bench.close();
      }
    });

  each(
    'if a job accepts a send, its rows, events, jobs and audit entries are committed at the end of the job',
    async (bench) => {
      await bench.run((ctx) =>
        ctx.complete(async (tx) => {
          const answer = await tx.as().email.send(sendTo('ada@example.com'));
          assert.match(answer.id, /^snd_/);
          await tx.as({ actor: 'onboarding' }).ledger.add({ name: 'welcomed' });
        }),
      );
      assert.is(bench.lastMailTo('ada@example.com')?.subject, 'Hello Ada');
      assert.equal(await bench.entries(), ['welcomed']);
      assert.equal(await bench.audit(), ['transactional.send system desk.run', 'ledger.add system onboarding']);
      assert.is((await bench.events('send.queued')).length, 1);
      const { usage } = await bench.service.as(bench.workspaceId).workspace.read();
      assert.is(usage.sends_this_month, 1);
    },
  );

  each('if the surrounding transaction fails, the call leaves no data', async (bench) => {
    let attempts = 0;
    await bench.run((ctx) =>
      ctx.complete(async (tx) => {
        attempts += 1;
        await tx.as().email.send(sendTo('ada@example.com'));
        throw new Error('after the call');
      }),
    );
    assert.is(attempts, 1);
    assert.is(bench.lastMailTo('ada@example.com'), undefined);
    assert.equal(await bench.audit(), []);
    assert.equal(await bench.events('send.queued'), []);
  });

  each('a failed call rolls back only its own writes, and the transaction continues', async (bench) => {
    const refusals: string[] = [];
    await bench.run((ctx) =>
      ctx.complete(async (tx) => {
        const calls = tx.as();
        await calls.ledger.add({ name: 'before' });
        refusals.push(await refusalOf(calls.ledger.fail({ name: 'fails' })));
        refusals.push(await refusalOf(calls.ledger.clash({ name: 'clashes' })));
        refusals.push(await refusalOf(calls.email.send({ ...sendTo('ada@example.com'), template: 'none' })));
        refusals.push(await refusalOf(calls.email.send({ ...sendTo('ada@example.com'), to: 'no address' })));
        await calls.ledger.add({ name: 'after' });
      }),
    );
    assert.equal(refusals, ['internal_error', 'state_conflict', 'template_not_found', 'validation_failed']);
    assert.equal(await bench.entries(), ['after', 'before']);
    assert.is(await bench.jobs('ledger.note'), 2, 'jobs of failed calls are not written');
    assert.is((await bench.audit()).length, 2);
  });

  each('a call is in the sandbox if its job is', async (bench) => {
    await bench.run(
      (ctx) =>
        ctx.complete(async (tx) => {
          const { sandbox } = await tx.as().email.send(sendTo('ada@example.com'));
          assert.is(sandbox, true);
          await shopOf(tx).buy({ price: 1_000_000 });
        }),
      true,
    );
    const { usage } = await bench.service.as(bench.workspaceId).workspace.read();
    assert.equal([usage.sends_this_month, usage.credits_balance], [0, 1_000]);
  });

  each(
    'a repeated call with an idempotency key from its job has no second effect and returns the same result',
    async (bench) => {
      const ids: string[] = [];
      await bench.run(async (ctx) => {
        await ctx.checkpoint(async (tx) => {
          const entry = await tx.as().ledger.add({ name: 'once' }, { idempotencyKey: `${ctx.jobId} add` });
          ids.push(entry.id);
        });
        if (ctx.attempt === 1) throw new Error('again');
      });
      bench.advanceClock(1_000);
      await bench.drain();
      assert.is(ids.length, 2);
      assert.is(new Set(ids).size, 1);
      assert.equal(await bench.entries(), ['once']);
      assert.equal(await bench.audit(), ['ledger.add system desk.run']);
      let mismatch = '';
      await bench.run((ctx) =>
        ctx.complete(async (tx) => {
          await tx.as().ledger.add({ name: 'a' }, { idempotencyKey: 'k' });
          mismatch = await refusalOf(tx.as().ledger.add({ name: 'b' }, { idempotencyKey: 'k' }));
        }),
      );
      assert.is(mismatch, 'idempotency_key_mismatch');
    },
  );

  each('calls that are started together run one after another', async (bench) => {
    await bench.run((ctx) =>
      ctx.complete(async (tx) => {
        const { ledger } = tx.as();
        const results = await Promise.allSettled(
          ['a', 'b', 'c'].flatMap((name) => [ledger.add({ name }), ledger.fail({ name: `${name} fails` })]),
        );
        assert.equal(
          results.map(({ status }) => status),
          ['a', 'b', 'c'].flatMap(() => ['fulfilled', 'rejected']),
        );
      }),
    );
    assert.equal(await bench.entries(), ['a', 'b', 'c']);
  });

  each(
    'an operation that prepares outside the transaction is refused, both by its type and at run time',
    async (bench) => {
      let code = '';
      await bench.run((ctx) =>
        ctx.complete(async (tx) => {
          // @ts-expect-error: not among the calls
          code = await refusalOf(tx.as().ledger.prepare({ name: 'x' }));
        }),
      );
      assert.is(code, 'state_conflict');
    },
  );

  each('an inner call refuses trx and dryRun', async (bench) => {
    const faults: unknown[] = [];
    await bench.run((ctx) =>
      ctx.complete(async (tx) => {
        for (const options of [{ trx: {} }, { dryRun: true }])
          await tx
            .as()
            .ledger.add({ name: 'x' }, options)
            .catch((error: unknown) => faults.push(error));
      }),
    );
    assert.equal(
      faults.map((fault) => fault instanceof TypeError),
      [true, true],
    );
    assert.equal(await bench.entries(), []);
  });

  each('charges and counts of a transaction and of its inner calls are added up', async (bench) => {
    const totals: unknown[] = [];
    await bench.run((ctx) =>
      ctx.complete(async (tx) => {
        const shop = shopOf(tx);
        await tx.charge(400, 'outside');
        await shop.buy({ price: 400 });
        totals.push(await refusalOf(shop.buy({ price: 150, fails: true })));
        totals.push(await refusalOf(shop.buy({ price: 201 })), await refusalOf(tx.charge(201, 'too much')));
        await tx.charge(200, 'the rest');
        totals.push((await tx.spend('toys', 4, 10)).exceeded);
        totals.push((await shop.count({ times: 4, limit: 10 })).counted);
        totals.push((await tx.spend('toys', 2, 10)).exceeded, (await tx.spend('toys', 1, 10)).exceeded);
        totals.push((await shop.count({ times: 1, limit: 10 })).counted);
      }),
    );
    assert.equal(totals, [
      ...['internal_error', 'credits_exhausted', 'credits_exhausted'],
      ...[false, 4, false, true, 0],
    ]);
    const { usage } = await bench.service.as(bench.workspaceId).workspace.read();
    assert.is(usage.credits_balance, 0);
  });

  each('an operation calls another operation as its own actor, and a dry run leaves no data', async (bench) => {
    const dry = await bench.request('/v1/desk', { body: { name: 'dry' }, headers: { 'dry-run': 'true' } });
    assert.is(dry.status, 200, JSON.stringify(dry.body));
    assert.equal(await bench.entries(), []);
    const answer = await bench.request('/v1/desk', { body: { name: 'made' }, headers: { 'idempotency-key': 'k1' } });
    assert.is(answer.status, 200);
    assert.equal(await bench.entries(), ['made']);
    const [inner, outer] = await bench.audit();
    assert.match(String(inner), /^ledger.add api/);
    assert.match(String(outer), /^desk.add api/);
    await bench.drain();
    assert.is(await bench.jobs('ledger.note'), 1);
  });

  each('a subscriber sends one mail for each event', async (bench) => {
    const calls = bench.service.as(bench.workspaceId);
    await calls.events.emit({ type: 'trial.ended', contact: { external_id: 'user_1' } });
    await bench.drain();
    assert.is(bench.lastMailTo('trial@example.com')?.subject, 'Hello Ada');
    assert.match((await bench.audit()).join(), 'transactional.send system on:desk.thanks');
  });
});
