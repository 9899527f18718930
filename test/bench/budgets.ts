/*
 * Workload: counting one call against a workspace's monthly budget, in process.
 * `npx tsx test/bench/budgets.ts [--rounds 5] [--seconds 2] [--connections 1,32] [--storage sqlite|postgres|mariadb] [--limit 5000000]`
 * `spend` is `ctx.spend`: deltas and leases. `atomic` is one conditional UPDATE of a counter in the call's own
 * transaction: `used = used + 1` if the budget allows it. Both operations are otherwise the same. `nothing` is the same
 * operation without a budget. The ways run in turn in each round; ratios are medians of the rounds.
 */
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import {
  type CallsOf,
  column,
  defineMigration,
  defineOperation,
  definePlugin,
  defineStatement,
  defineTable,
  type OperationContext,
  type StoredRow,
  z,
} from '../../core/index.ts';
import { createService } from '../../core/kernel/compose.ts';
import { type DatabaseKind, withDatabase } from '../faults/databases.ts';
import type { DatabaseLocation } from '../faults/mail-service.ts';
import { postgresUrl } from '../support/postgres-server.ts';
import { describeMachine } from './machine.ts';
import { median } from './measure.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '1,32' },
    storage: { type: 'string', default: 'sqlite' },
    limit: { type: 'string', default: '5000000' },
  },
});
const [rounds, seconds, limit] = [values.rounds, values.seconds, values.limit].map(Number) as [number, number, number];
const budget = 'bench';

const counters = defineTable('counters', { id: column.key(), used: column.integer() });

declare module '../../core/contract/open.ts' {
  interface Tables {
    counters: StoredRow<typeof counters>;
  }
  interface Api {
    counting: CallsOf<typeof operations>;
  }
}

const addOne = defineStatement((db, p: { id: string; rest: number }) =>
  db
    .updateTable('counters')
    .set(({ eb }) => ({ used: eb('used', '+', 1) }))
    .where('id', '=', p.id)
    .where('used', '<=', p.rest),
);

type Count = (ctx: OperationContext) => Promise<boolean>;
const counting = <const Name extends string>(name: Name, count: Count) =>
  defineOperation({
    id: `counting.${name}`,
    summary: 'Count',
    http: `POST /v1/counting/${name}`,
    scopes: ['counting:write'],
    idempotency: 'natural',
    output: z.object({ fits: z.boolean() }),
    audit: { action: 'count.add', target: () => ({ kind: 'count', id: name }) },
    fixture: async () => ({}),
    handler: async (ctx) => ({ fits: await count(ctx) }),
  });
const operations = [
  counting('nothing', async () => true),
  counting('spend', async (ctx) => !(await ctx.spend(budget, 1, limit)).exceeded),
  counting('atomic', async ({ trx }) => (await trx.run(addOne, { id: budget, rest: limit - 1 })) > 0),
] as const;
const variants = ['nothing', 'spend', 'atomic'] as const;
type Variant = (typeof variants)[number];

const plugin = definePlugin({
  id: 'counting',
  scopes: [{ scope: 'counting:write', description: 'Count.' }],
  operations,
  tables: { counters },
  migrations: [
    defineMigration({
      id: '0001-counters',
      changes: [
        {
          create: 'counters',
          columns: { id: 'key', workspace_id: 'id', used: 'integer' },
          primaryKey: ['workspace_id', 'id'],
        },
      ],
    }),
  ],
});

function storageOf(location: DatabaseLocation, maxConnections: number) {
  if (location.kind === 'sqlite') return sqliteStorage({ filename: location.filename });
  if (location.kind === 'mariadb') return mysqlStorage({ uri: location.uri, maxConnections });
  return postgresStorage({ connectionString: postgresUrl, schema: location.schema, maxConnections });
}

async function compare(location: DatabaseLocation, connections: number) {
  const service = createService({
    environment: 'production',
    keyring: localKeyring({ keys: [{ id: 'bench', secret: 'a secret for the bench of budgets' }] }),
    plugins: [plugin],
    storage: storageOf(location, connections + 2),
    tablePrefix: `c${connections}_`,
  });
  await service.migrate();
  const { id } = await service.workspaces.create({
    name: 'Bench',
    plan: 'scale',
    defaultFrom: { email: 'bench@example.com', name: 'Bench' },
  });
  const database = await service.core.database();
  await database.transact((scope) =>
    scope.handle(id).db.insertInto('counters').values({ id: budget, workspace_id: id, used: 0 }).execute(),
  );
  const calls = service.as(id).counting;
  const counts: Record<Variant, number> = { nothing: 0, spend: 0, atomic: 0 };
  const runVariant = async (variant: Variant, ms: number): Promise<number> => {
    const began = performance.now();
    let doneCount = 0;
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (performance.now() - began < ms) {
          assert.ok((await calls[variant]({})).fits);
          doneCount += 1;
        }
      }),
    );
    counts[variant] += doneCount;
    return (doneCount * 1_000) / (performance.now() - began);
  };
  for (const variant of variants) await runVariant(variant, 500);
  const rates: Record<Variant, number[]> = { nothing: [], spend: [], atomic: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const variant of round % 2 === 0 ? variants : variants.toReversed())
      rates[variant].push(await runVariant(variant, seconds * 1_000));
  const { used, spent } = await database.read(id, async ({ db }) => ({
    used: (await db.selectFrom('counters').select('used').executeTakeFirstOrThrow()).used,
    spent: Number(
      (
        await db
          .selectFrom('budgets')
          .select(({ fn }) => fn.sum('amount').as('amount'))
          .where('budget', '=', budget)
          .executeTakeFirstOrThrow()
      ).amount,
    ),
  }));
  assert.deepEqual([Number(used), spent], [counts.atomic, counts.spend], 'each call is counted once');
  await service.stop();
  const ratios = (over: Variant): number[] =>
    rates.atomic.map((rate, round) => rate / (rates[over][round] ?? Number.NaN));
  return {
    connections,
    ...Object.fromEntries(variants.map((variant) => [`${variant}/s`, Math.round(median(rates[variant]))])),
    'atomic/spend': Number(median(ratios('spend')).toFixed(2)),
    lowest: Number(Math.min(...ratios('spend')).toFixed(2)),
    highest: Number(Math.max(...ratios('spend')).toFixed(2)),
  };
}

const kind = values.storage as DatabaseKind;
const results = [];
for (const connections of values.connections.split(',').map(Number))
  results.push(await withDatabase(kind, (location) => compare(location, connections)));
console.table(results);
console.log(JSON.stringify({ workload: 'budgets', storage: kind, ...(await describeMachine('.')), results }));
