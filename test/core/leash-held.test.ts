// Calls with more recipients than a leash allows for one call: they wait for approval, count when they are carried out, and are refused if no
// plugin decides on approvals. Keys without a leash run no statement for leashes.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { defineOperation, definePlugin, defineScopes, heldResponse, respond, z } from '../../core/index.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { approvalsBenchOf, team } from '../support/approvals-bench.ts';
import { bareStandardPlugins, withoutPlugin } from '../support/plugins.ts';
import { recordStatements } from '../support/recorded-statements.ts';

const test = suite('calls that a leash holds');
const mailing = z.object({ id: z.string() });
type Answer = { status: number; body: { error?: { code: string; message: string }; leash?: { left: object } } };

/** A plugin of mailings. A call says how many people its mailing reaches. */
function mailings() {
  const mailingsSent: string[] = [];
  const start = defineOperation({
    id: 'mailings.start',
    summary: 'Start a mailing',
    http: 'POST /v1/mailings/{id}/start',
    scopes: ['mailings:send'],
    idempotency: 'replay',
    input: { params: z.object({ id: z.string() }), body: z.object({ people: z.int() }) },
    output: mailing,
    secondSuccess: heldResponse(mailing),
    contentKind: 'page',
    errors: ['state_conflict', 'limit_reached'],
    emits: ['approval.requested', 'approval.decided'],
    leash: { recipients: (_, { body }) => body.people, canWait: true },
    audit: { action: 'mailing.start', target: ({ id }) => ({ kind: 'mailing', id }) },
    fixture: async () => ({ params: { id: 'one' }, body: { people: 1 } }),
    async handler(ctx, { params: { id } }) {
      const approval = await ctx.requireDecision(id);
      if (approval !== undefined) return respond(202, { id, approval });
      mailingsSent.push(id);
      return { id };
    },
  });
  const plugin = definePlugin({
    id: 'mailings',
    scopes: defineScopes([{ scope: 'mailings:send', description: 'Start mailings.' }]),
    operations: [start],
    contentKinds: [
      { kind: 'page', targetKind: 'mailing', read: async (_, id) => ({ name: id, content: { id }, before: null }) },
    ],
  });
  return { sent: mailingsSent, plugin };
}

async function openBench(decides: boolean) {
  const { sent, plugin } = mailings();
  const otherPlugins = withoutPlugin(bareStandardPlugins, 'pages');
  const plugins = [...(decides ? otherPlugins : withoutPlugin(otherPlugins, 'approvals')), plugin];
  const testService = await createTestService({
    plugins: plugins as unknown as typeof bareStandardPlugins,
    members: { list: async () => team() },
  });
  const leash = { recipientsPerDay: 100, holdAbove: { recipients: 10 } };
  const key = { workspaceId: testService.workspaceId, name: 'agent', mode: 'mcp', preset: 'full', leash } as const;
  const { secret } = await testService.service.keys.create({ ...key, members: ['u_ada'] });
  let calls = 0;
  return {
    under: testService,
    sent,
    start(id: string, people: number): Promise<Answer> {
      calls += 1;
      const headers = { 'idempotency-key': `mailing-${calls}` };
      return testService.request(`/v1/mailings/${id}/start`, { key: secret, body: { people }, headers });
    },
    left: async () =>
      (await testService.request('/v1/workspace', { key: secret })).body.leash.left.recipientsPerDay.amount,
  };
}

test('a call above the leash waits for approval even without a policy, and counts when it is carried out', async () => {
  const { under, sent, start, left } = await openBench(true);
  assert.is((await start('small', 10)).status, 200);
  assert.equal([sent, await left()], [['small'], 90]);
  const heldAnswer = await start('large', 40);
  assert.is(heldAnswer.status, 202, JSON.stringify(heldAnswer.body));
  assert.equal([sent, await left()], [['small'], 90]);
  const bench = await approvalsBenchOf(under);
  const { requestId } = (heldAnswer.body as unknown as { approval: { requestId: string } }).approval;
  assert.is((await bench.approve(requestId, 'ada')).body.error.code, 'self_approval');
  assert.is((await bench.approve(requestId)).status, 200);
  await bench.drain();
  assert.equal([sent, await left()], [['small', 'large'], 50]);
  assert.is((await start('huge', 60)).body.error?.code, 'leash_exceeded');
  await under.close();
});

test('a call above the leash is refused if no composed plugin decides on approvals', async () => {
  const { under, sent, start, left } = await openBench(false);
  const { status, body } = await start('large', 40);
  assert.equal([status, body.error?.code], [403, 'leash_exceeded']);
  assert.match(body.error?.message ?? '', /allows calls with 10 recipients at most, and this call has 40/);
  assert.equal([sent, await left()], [[], 100]);
  await under.close();
});

test('a call of a key without a leash runs no statement for leashes', async () => {
  const { storage, statements } = recordStatements(sqliteStorage({ filename: ':memory:' }));
  const testService = await createTestService({ plugins: bareStandardPlugins, storage });
  const agent = { workspaceId: testService.workspaceId, name: 'agent', mode: 'mcp', preset: 'full' } as const;
  const plain = await testService.service.keys.create(agent);
  const leashedKey = await testService.service.keys.create({ ...agent, leash: { sendsPerHour: 10 } });
  const leashStatements = async (key: string): Promise<number> => {
    statements.clear();
    const body = { type: 'order.placed', contact: { external_id: 'ada' } };
    assert.is((await testService.request('/v1/events', { key, body })).status, 201);
    return [...statements.keys()].filter((sql) => sql.includes('leash_usage')).length;
  };
  assert.is(await leashStatements(plain.secret), 0);
  assert.ok((await leashStatements(leashedKey.secret)) > 0);
  await testService.close();
});

test.run();
