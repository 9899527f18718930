// A plugin for features that the standard plugins lack: charges, a deprecated operation, a response with a secret, an operation with a
// preparation, and jobs that enqueue jobs. For the tests of the pipeline.
import { z } from 'zod';
import { defineEvent } from '../../core/contract/declaration/events.ts';
import { defineJob } from '../../core/contract/declaration/jobs.ts';
import { defineOperation, defineOperationWithPrepare } from '../../core/contract/declaration/operation.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'shop.told': { readonly depth: number };
  }
}

const orderEvent = defineEvent({
  type: 'shop.told',
  description: 'A test told something.',
  data: z.object({ depth: z.int() }),
  example: { depth: 0 },
});

const audit = { action: 'shop.change', target: () => ({ kind: 'shop', id: 'shop' }) };

/** Charges `price` as many times as the body says, and then fails if the body says so. */
const buy = defineOperation({
  id: 'shop.buy',
  summary: 'Buy',
  http: 'POST /v1/purchases',
  tool: 'buy',
  scopes: ['shop:write'],
  idempotency: 'replay',
  input: {
    body: z.object({
      price: z.int().min(0),
      times: z.int().min(1).default(1),
      fails: z.boolean().default(false),
      note: z.string().optional(),
    }),
  },
  output: z.object({ charged: z.int() }),
  status: 201,
  errors: ['credits_exhausted'],
  audit,
  fixture: async () => ({ body: { price: 1 } }),
  async handler(ctx, { body }) {
    for (let count = 0; count < body.times; count += 1) await ctx.charge(body.price, 'a purchase');
    if (body.fails) throw new Error('the shop is closed');
    return { charged: body.price * body.times };
  },
});

/** Counts one by one in its own budget. Returns the number of counts that the budget allowed. */
const count = defineOperation({
  id: 'shop.count',
  summary: 'Count',
  http: 'POST /v1/counts',
  scopes: ['shop:write'],
  idempotency: 'natural',
  input: { body: z.object({ times: z.int().min(1), limit: z.int() }) },
  output: z.object({ counted: z.int() }),
  audit,
  fixture: async () => ({ body: { times: 1, limit: 1 } }),
  async handler(ctx, { body }) {
    let allowedCounts = 0;
    for (let time = 0; time < body.times; time += 1) {
      if (!(await ctx.spend('toys', 1, body.limit)).exceeded) allowedCounts += 1;
    }
    return { counted: allowedCounts };
  },
});

/** Returns a new secret for each call. */
const mint = defineOperation({
  id: 'shop.mint',
  summary: 'Mint a secret',
  http: 'POST /v1/secrets',
  scopes: ['shop:write'],
  idempotency: 'replay',
  secretOutput: true,
  output: z.object({ secret: z.string() }),
  status: 201,
  audit,
  fixture: async () => ({}),
  handler: async (ctx) => ({ secret: `whsec_${ctx.newId('x')}` }),
});

const old = defineOperation({
  id: 'shop.old',
  summary: 'An operation that ends',
  http: 'GET /v1/old/{key}',
  scopes: ['shop:read'],
  idempotency: 'read',
  deprecated: { since: '2026-01-01', sunset: '2026-12-01', link: 'https://example.com/notice' },
  input: { params: z.object({ key: z.string().max(20) }) },
  output: z.object({ key: z.string() }),
  fixture: async () => ({ params: { key: 'a' } }),
  handler: async (_ctx, { params }) => ({ key: params.key }),
});

/** `prepares` is called whenever `prepare` runs. */
const prepareOperation = (prepares: () => void) =>
  defineOperationWithPrepare({
    id: 'shop.prepare',
    summary: 'Prepare first',
    http: 'POST /v1/prepared',
    scopes: ['shop:write'],
    idempotency: 'replay',
    input: { body: z.object({ fails: z.enum(['prepare', 'handler']).optional() }) },
    output: z.object({ id: z.string() }),
    audit,
    fixture: async () => ({ body: {} }),
    async prepare(_ctx, { body }) {
      prepares();
      if (body.fails === 'prepare') throw new Error('prepare failed');
      return 'ready';
    },
    async handler(ctx, { body }) {
      if (body.fails === 'handler') throw new Error('the handler failed');
      return { id: ctx.newId('shop') };
    },
  });

/** Emits an event and starts a chain of jobs, each of which enqueues the next until none is left. */
const chain = defineOperation({
  id: 'shop.chain',
  summary: 'Start a chain of jobs',
  http: 'POST /v1/chains',
  scopes: ['shop:write'],
  idempotency: 'natural',
  output: z.object({ sandbox: z.boolean() }),
  emits: ['shop.told'],
  audit,
  fixture: async () => ({}),
  async handler(ctx) {
    ctx.emit('shop.told', { depth: 0 });
    ctx.enqueue({ kind: 'shop.link', payload: { depth: 1 } });
    return { sandbox: ctx.sandbox };
  },
});

const link = defineJob({
  kind: 'shop.link',
  payload: z.object({ depth: z.int() }),
  async handler(ctx, { depth }) {
    await ctx.complete(async (tx) => {
      tx.emit('shop.told', { depth });
      if (depth < 3) tx.enqueue({ kind: 'shop.link', payload: { depth: depth + 1 } });
    });
  },
});

/** Creates the plugin. `prepares` is called whenever the prepared operation starts its work. */
export const shopPlugin = (prepares: () => void = () => undefined) =>
  definePlugin({
    id: 'shop',
    scopes: [
      { scope: 'shop:read', description: 'See the shop.' },
      { scope: 'shop:write', description: 'Change the shop.' },
    ],
    operations: [buy, count, mint, old, prepareOperation(prepares), chain],
    events: [orderEvent],
    jobs: [link],
  });
