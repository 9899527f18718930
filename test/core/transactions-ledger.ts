// A small plugin with operations that the transaction tests need besides real operations: handlers that fail after a write or await
// something outside the database, and an operation with a preparation. Used only by transactions-*.test.ts.
import { z } from 'zod';
import type { CallsOf } from '../../core/contract/context/api.ts';
import type { OperationContext } from '../../core/contract/context/context.ts';
import { defineJob } from '../../core/contract/declaration/jobs.ts';
import { defineMigration } from '../../core/contract/declaration/migration.ts';
import { defineOperation, defineOperationWithPrepare } from '../../core/contract/declaration/operation.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';

declare module '../../core/contract/open.ts' {
  interface Tables {
    ledger_entries: { id: string; workspace_id: string; name: string };
  }
  interface Api {
    ledger: CallsOf<ReturnType<typeof operationsOf>>;
  }
}

const entry = z.object({ id: z.string(), name: z.string() });
const nameInput = { body: z.object({ name: z.string() }) };
const audit = { action: 'ledger.add', target: ({ id }: { id: string }) => ({ kind: 'entry', id }) };
const fixture = async () => ({ body: { name: 'fixture' } });
const commonFields = {
  summary: 'Add',
  scopes: ['ledger:write'],
  input: nameInput,
  output: entry,
  audit,
  fixture,
} as const;

async function add(ctx: OperationContext, name: string): Promise<{ id: string; name: string }> {
  const id = ctx.newId('ent');
  await ctx.trx.db.insertInto('ledger_entries').values({ id, workspace_id: ctx.workspace.id, name }).execute();
  ctx.enqueue({ kind: 'ledger.note', payload: { name } });
  return { id, name };
}

/** Hooks with which a test delays operations. */
export interface LedgerHooks {
  /** Awaited by `ledger.linger` between its two writes, and by `ledger.prepare` before its transaction */
  hold(name: string): Promise<void>;
  /** Called by the job that every entry enqueues */
  noted(name: string): void;
}

function operationsOf(hooks: LedgerHooks) {
  return [
    defineOperation({
      ...commonFields,
      id: 'ledger.add',
      http: 'POST /v1/ledger',
      idempotency: 'replay',
      handler: (ctx, { body }) => add(ctx, body.name),
    }),
    defineOperation({
      ...commonFields,
      id: 'ledger.fail',
      http: 'POST /v1/ledger/fail',
      idempotency: 'replay',
      async handler(ctx, { body }) {
        await add(ctx, body.name);
        throw new Error('The handler failed after it had written.');
      },
    }),
    defineOperation({
      ...commonFields,
      id: 'ledger.clash',
      http: 'POST /v1/ledger/clash',
      idempotency: 'replay',
      async handler(ctx, { body }) {
        const firstEntry = await add(ctx, body.name);
        const row = { ...firstEntry, workspace_id: ctx.workspace.id };
        await ctx.trx.db.insertInto('ledger_entries').values(row).execute();
        return firstEntry;
      },
    }),
    defineOperation({
      ...commonFields,
      id: 'ledger.linger',
      http: 'POST /v1/ledger/linger',
      idempotency: 'replay',
      timeoutSeconds: 1,
      async handler(ctx, { body }) {
        await add(ctx, `${body.name} before`);
        await hooks.hold(body.name);
        return add(ctx, `${body.name} after`);
      },
    }),
    defineOperation({
      ...commonFields,
      id: 'ledger.through',
      http: 'POST /v1/ledger/through',
      idempotency: 'replay',
      async handler(ctx, { body }) {
        // This type is written by hand, because the inferred type would depend on these operations themselves.
        type Add = (input: { name: string }) => Promise<{ id: string; name: string }>;
        const { ledger } = ctx.as() as unknown as { readonly ledger: Record<'add' | 'clash', Add> };
        const firstEntry = await ledger.add({ name: `${body.name} added` });
        await ledger.clash({ name: `${body.name} clashed` }).catch(() => undefined);
        await add(ctx, body.name);
        return firstEntry;
      },
    }),
    defineOperationWithPrepare({
      ...commonFields,
      id: 'ledger.prepare',
      http: 'POST /v1/ledger/prepare',
      idempotency: 'replay',
      async prepare(_ctx, { body }) {
        await hooks.hold(body.name);
        return body.name;
      },
      handler: (ctx, _input, name) => add(ctx, name),
    }),
  ] as const;
}

const table = defineMigration({
  id: '0001-ledger',
  changes: [{ create: 'ledger_entries', columns: { id: 'id', workspace_id: 'id', name: 'text' }, primaryKey: ['id'] }],
});

/** Creates the plugin. By default the hooks wait for nothing and record nothing. */
export function ledgerPlugin(overrides: Partial<LedgerHooks> = {}) {
  const hooks: LedgerHooks = { hold: async () => undefined, noted: () => undefined, ...overrides };
  return definePlugin({
    id: 'ledger',
    scopes: [{ scope: 'ledger:write', description: 'Write entries.' }],
    operations: operationsOf(hooks),
    tables: { ledger_entries: { tenant: true } },
    migrations: [table],
    jobs: [
      defineJob({
        kind: 'ledger.note',
        payload: z.object({ name: z.string() }),
        handler: async (_ctx, { name }) => hooks.noted(name),
      }),
    ],
  });
}
