// Operations that jobs, subscribers and other operations call inside their own transaction, on each database:
// everything commits together, a refusal rolls back only the refused call, and the audit shows the actor.
// time-limit: 240
// full-run: slow
import * as assert from 'uvu/assert';
import { z } from 'zod';
import type { TransactionContext } from '../../core/contract/context.ts';
import { isPostriderError } from '../../core/contract/errors.ts';
import { defineSubscriber } from '../../core/contract/events.ts';
import { defineJob, type JobContext } from '../../core/contract/jobs.ts';
import { defineOperation } from '../../core/contract/operation.ts';
import { definePlugin } from '../../core/contract/plugin.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { eachDatabase } from '../support/databases.ts';
import { unhurried } from '../support/mail-bench.ts';
import { shopPlugin } from './shop-plugin.ts';
import { ledgerPlugin } from './transactions-ledger.ts';

type Ids = (typeof standardPlugins)[number]['id'] | 'ledger' | 'desk' | 'shop';
type Work = (context: JobContext) => Promise<void>;

/** Types for the calls of the shop, which declares none. */
interface ShopCalls {
  readonly shop: {
    buy(input: { price: number; fails?: boolean }): Promise<{ charged: number }>;
    count(input: { times: number; limit: number }): Promise<{ counted: number }>;
    prepare(input: object): Promise<unknown>;
  };
}

const shopOf = (effects: TransactionContext): ShopCalls['shop'] => (effects.as() as unknown as ShopCalls).shop;

interface Bench extends TestService<Ids> {
  /** Runs a job with the handler `work`, and every job that is due after it. */
  run(work: Work, sandbox?: boolean): Promise<void>;
  /** Names of the entries in the ledger. */
  entries(): Promise<string[]>;
  /** Actions and actors in the audit, oldest first, without provisioning. */
  audit(): Promise<string[]>;
  jobs(kind: string): Promise<number>;
}

const template = { key: 'hello', mode: 'html', subject: 'Hello {{name}}', body: '<p>{{name}}</p>' } as const;
const to = (email: string) => ({ template: 'hello', to: email, variables: { name: 'Ada' } });

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
            handler: (context) => work(context),
          }),
        ],
        subscribers: [
          defineSubscriber({
            name: 'thanks',
            event: 'trial.ended',
            handler: (context, event) =>
              context.complete(async (effects) => {
                await effects.as().email.send(to('trial@example.com'), { idempotencyKey: event.id });
              }),
          }),
        ],
      });
      const bench = await createTestService<Ids>({
        plugins: [...standardPlugins, ledgerPlugin(), shopPlugin() as never, desk],
        storage: database.createStorage(),
        tablePrefix: database.newPrefix(),
        plans: { pro: { ...unhurried, monthlyCredits: 0 } },
        logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
      });
      const { core } = bench.service;
      const read = async <T>(ask: Parameters<Awaited<ReturnType<typeof core.database>>['read']>[1]): Promise<T> =>
        (await (await core.database()).read(bench.workspaceId, ask)) as T;
      const enqueue = async (sandbox: boolean) => {
        const workspace = await readWorkspace(core, bench.workspaceId);
        await inWorkspace(core, workspace, async (effects) => {
          effects.enqueue({ kind: 'desk.run', payload: {}, sandbox });
        });
      };
      try {
        const calls = bench.service.as(bench.workspaceId, { actor: 'test' });
        await calls.templates.create(template);
        await calls.templates.publish({ key: template.key });
        await bench.drain();
        await use({
          ...bench,
          async run(given, sandbox = false) {
            work = given;
            await enqueue(sandbox);
            await bench.drain();
          },
          entries: async () =>
            (
              await read<{ name: string }[]>(({ db, workspaceId }) =>
                db.selectFrom('ledger_entries').select('name').where('workspace_id', '=', workspaceId).execute(),
              )
            )
              .map(({ name }) => name)
              .sort(),
          audit: async () =>
            (
              await read<{ action: string; actor_kind: string; actor: string }[]>(({ db, workspaceId }) =>
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
              await read<unknown[]>(({ db, workspaceId }) =>
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

  each('a job accepts a send: its rows, events, jobs and audit commit with the end of the job', async (bench) => {
    await bench.run((context) =>
      context.complete(async (effects) => {
        const sent = await effects.as().email.send(to('ada@example.com'));
        assert.match(sent.id, /^snd_/);
        await effects.as({ actor: 'onboarding' }).ledger.add({ name: 'welcomed' });
      }),
    );
    assert.is(bench.lastMailTo('ada@example.com')?.subject, 'Hello Ada');
    assert.equal(await bench.entries(), ['welcomed']);
    assert.equal(await bench.audit(), ['transactional.send system desk.run', 'ledger.add system onboarding']);
    assert.is((await bench.events('send.queued')).length, 1);
    const { usage } = await bench.service.as(bench.workspaceId).workspace.read();
    assert.is(usage.sends_this_month, 1);
  });

  each('nothing of the call is left when the transaction around it fails', async (bench) => {
    let tries = 0;
    await bench.run((context) =>
      context.complete(async (effects) => {
        tries += 1;
        await effects.as().email.send(to('ada@example.com'));
        throw new Error('after the call');
      }),
    );
    assert.is(tries, 1);
    assert.is(bench.lastMailTo('ada@example.com'), undefined);
    assert.equal(await bench.audit(), []);
    assert.equal(await bench.events('send.queued'), []);
  });

  each('a call that fails undoes itself alone, whatever it had written, and the transaction goes on', async (bench) => {
    const refusals: string[] = [];
    await bench.run((context) =>
      context.complete(async (effects) => {
        const calls = effects.as();
        await calls.ledger.add({ name: 'before' });
        refusals.push(await refusalOf(calls.ledger.fail({ name: 'fails' })));
        refusals.push(await refusalOf(calls.ledger.clash({ name: 'clashes' })));
        refusals.push(await refusalOf(calls.email.send({ ...to('ada@example.com'), template: 'none' })));
        refusals.push(await refusalOf(calls.email.send({ ...to('ada@example.com'), to: 'no address' })));
        await calls.ledger.add({ name: 'after' });
      }),
    );
    assert.equal(refusals, ['internal_error', 'state_conflict', 'template_not_found', 'validation_failed']);
    assert.equal(await bench.entries(), ['after', 'before']);
    assert.is(await bench.jobs('ledger.note'), 2, 'jobs of failed calls are not written');
    assert.is((await bench.audit()).length, 2);
  });

  each('the sandbox is inherited', async (bench) => {
    await bench.run(
      (context) =>
        context.complete(async (effects) => {
          const { sandbox } = await effects.as().email.send(to('ada@example.com'));
          assert.is(sandbox, true);
          await shopOf(effects).buy({ price: 1_000_000 });
        }),
      true,
    );
    const { usage } = await bench.service.as(bench.workspaceId).workspace.read();
    assert.equal([usage.sends_this_month, usage.credits_balance], [0, 1_000]);
  });

  each('a key made of the job makes a repeated call harmless, and a replay answers the same', async (bench) => {
    const ids: string[] = [];
    await bench.run(async (context) => {
      await context.checkpoint(async (effects) => {
        const entry = await effects.as().ledger.add({ name: 'once' }, { idempotencyKey: `${context.jobId} add` });
        ids.push(entry.id);
      });
      if (context.attempt === 1) throw new Error('again');
    });
    bench.advanceClock(1_000);
    await bench.drain();
    assert.is(ids.length, 2);
    assert.is(new Set(ids).size, 1);
    assert.equal(await bench.entries(), ['once']);
    assert.equal(await bench.audit(), ['ledger.add system desk.run']);
    let mismatch = '';
    await bench.run((context) =>
      context.complete(async (effects) => {
        await effects.as().ledger.add({ name: 'a' }, { idempotencyKey: 'k' });
        mismatch = await refusalOf(effects.as().ledger.add({ name: 'b' }, { idempotencyKey: 'k' }));
      }),
    );
    assert.is(mismatch, 'idempotency_key_mismatch');
  });

  each('calls that are not awaited one by one still run one after another', async (bench) => {
    await bench.run((context) =>
      context.complete(async (effects) => {
        const { ledger } = effects.as();
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

  each('what prepares something outside a transaction is refused, by its type and at run time', async (bench) => {
    let code = '';
    await bench.run((context) =>
      context.complete(async (effects) => {
        // @ts-expect-error: not among the calls
        code = await refusalOf(effects.as().ledger.prepare({ name: 'x' }));
      }),
    );
    assert.is(code, 'state_conflict');
  });

  each('trx and dryRun have no place in such a call', async (bench) => {
    const faults: unknown[] = [];
    await bench.run((context) =>
      context.complete(async (effects) => {
        for (const options of [{ trx: {} }, { dryRun: true }])
          await effects
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

  each('charges and counts of a transaction and of the calls in it are one sum', async (bench) => {
    const seen: unknown[] = [];
    await bench.run((context) =>
      context.complete(async (effects) => {
        const shop = shopOf(effects);
        await effects.charge(400, 'outside');
        await shop.buy({ price: 400 });
        seen.push(await refusalOf(shop.buy({ price: 150, fails: true })));
        seen.push(await refusalOf(shop.buy({ price: 201 })), await refusalOf(effects.charge(201, 'too much')));
        await effects.charge(200, 'the rest');
        seen.push((await effects.spend('toys', 4, 10)).exceeded);
        seen.push((await shop.count({ times: 4, limit: 10 })).counted);
        seen.push((await effects.spend('toys', 2, 10)).exceeded, (await effects.spend('toys', 1, 10)).exceeded);
        seen.push((await shop.count({ times: 1, limit: 10 })).counted);
      }),
    );
    assert.equal(seen, [
      ...['internal_error', 'credits_exhausted', 'credits_exhausted'],
      ...[false, 4, false, true, 0],
    ]);
    const { usage } = await bench.service.as(bench.workspaceId).workspace.read();
    assert.is(usage.credits_balance, 0);
  });

  each('an operation calls another in its own name; a dry run of it leaves nothing', async (bench) => {
    const dry = await bench.request('/v1/desk', { body: { name: 'dry' }, headers: { 'dry-run': 'true' } });
    assert.is(dry.status, 200, JSON.stringify(dry.body));
    assert.equal(await bench.entries(), []);
    const made = await bench.request('/v1/desk', { body: { name: 'made' }, headers: { 'idempotency-key': 'k1' } });
    assert.is(made.status, 200);
    assert.equal(await bench.entries(), ['made']);
    const [inner, outer] = await bench.audit();
    assert.match(String(inner), /^ledger.add api/);
    assert.match(String(outer), /^desk.add api/);
    await bench.drain();
    assert.is(await bench.jobs('ledger.note'), 1);
  });

  each('a subscriber sends a mail once for each event', async (bench) => {
    const calls = bench.service.as(bench.workspaceId);
    await calls.events.emit({ type: 'trial.ended', contact: { external_id: 'user_1' } });
    await bench.drain();
    assert.is(bench.lastMailTo('trial@example.com')?.subject, 'Hello Ada');
    assert.match((await bench.audit()).join(), 'transactional.send system on:desk.thanks');
  });
});
