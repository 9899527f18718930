// time-limit: 120
// Approved calls that fail until their job is given up, and approvals that stay unused for a long time.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defineOperation, definePlugin, defineScopes, heldResponse, respond, z } from '../../core/index.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { approvalsBenchOf, inMemory, openApprovalsBench, team } from '../support/approvals-bench.ts';
import { bareStandardPlugins, withoutPlugin } from '../support/plugins.ts';

const test = suite('approved calls that are given up');
const day = 86_400_000;
const leaflet = z.object({ id: z.string() });

/** A plugin of leaflets whose publishing fails as often as the test wants. */
function leaflets() {
  const state = { broken: true, tries: 0, released: [] as string[] };
  const publish = defineOperation({
    id: 'leaflets.publish',
    summary: 'Publish a leaflet',
    http: 'POST /v1/leaflets/{id}/publish',
    scopes: ['leaflets:write'],
    idempotency: 'replay',
    input: { params: z.object({ id: z.string() }) },
    output: leaflet,
    secondSuccess: heldResponse(leaflet),
    contentKind: 'page',
    errors: ['state_conflict', 'limit_reached'],
    emits: ['approval.requested', 'approval.decided'],
    audit: { action: 'leaflet.publish', target: ({ id }) => ({ kind: 'leaflet', id }) },
    fixture: async () => ({ params: { id: 'one' } }),
    async handler(ctx, { params: { id } }) {
      const approval = await ctx.requireDecision(id);
      if (approval !== undefined) return respond(202, { id, approval });
      state.tries += 1;
      if (state.broken) throw new Error('The press is broken.');
      return { id };
    },
  });
  const plugin = definePlugin({
    id: 'leaflets',
    scopes: defineScopes([{ scope: 'leaflets:write', description: 'Publish leaflets.' }]),
    operations: [publish],
    contentKinds: [
      {
        kind: 'page',
        targetKind: 'leaflet',
        read: async (_, id) => ({ name: id, content: { id }, before: null }),
        async restore(_, id) {
          state.released.push(id);
        },
      },
    ],
  });
  return { state, plugin };
}

test('when the job of an approved call is given up, the call is marked failed and its target is released, once', async () => {
  const { state, plugin } = leaflets();
  const bench = await approvalsBenchOf(
    await createTestService({
      plugins: [...withoutPlugin(bareStandardPlugins, 'pages'), plugin] as unknown as typeof bareStandardPlugins,
      members: { list: async () => team() },
    }),
  );
  await bench.policy({ required: true }, 'page');
  const heldAnswer = await bench.by('ada', '/v1/leaflets/one/publish');
  assert.is(heldAnswer.status, 202, JSON.stringify(heldAnswer.body));
  const { requestId } = heldAnswer.body.approval;
  assert.is((await bench.approve(requestId)).status, 200);
  // Between two attempts the request waits, and the target is not released.
  for (const pause of [0, 1_000, 10_000, 60_000]) {
    bench.advanceClock(pause);
    await bench.drain();
    assert.equal([(await bench.read(requestId)).execution.status, state.released], ['waiting', []]);
  }
  bench.advanceClock(600_000);
  await bench.drain();
  assert.is(state.tries, 5);
  const { execution } = await bench.read(requestId);
  assert.equal([execution.status, execution.error], ['failed', 'internal_error']);
  assert.equal(state.released, ['one']);
  assert.is((await bench.events('approval.execution_failed')).length, 1);
  bench.advanceClock(day);
  await bench.drain();
  assert.equal([state.tries, state.released], [5, ['one']]);
  // The approval was not used up.
  state.broken = false;
  assert.is((await bench.by('ada', '/v1/leaflets/one/publish')).status, 200);
  assert.is((await bench.read(requestId)).execution.status, 'done');
  await bench.close();
});

test('an unused approval stays valid until its request is removed', async () => {
  const bench = await openApprovalsBench(inMemory);
  await bench.policy({ required: true, expiresAfterHours: 1 });
  for (const [key, days, status] of [
    ['kept', 399, 200],
    ['gone', 401, 202],
  ] as const) {
    const { requestId } = (await bench.submit(await bench.edited(key))).body;
    await bench.approve(requestId);
    bench.advanceClock(days * day);
    await bench.drain();
    assert.is((await bench.publish(key)).status, status, key);
  }
  await bench.close();
});

test.run();
