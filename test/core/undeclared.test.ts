// A plugin that emits undeclared events or enqueues undeclared jobs: callers get a plain 500, and the test of the plugin gets an error
// with the missing declaration.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { defineEvent } from '../../core/contract/declaration/events.ts';
import { defineJob } from '../../core/contract/declaration/jobs.ts';
import { defineOperation } from '../../core/contract/declaration/operation.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';
import { defineScopes } from '../../core/contract/declaration/scopes.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';

const test = suite('undeclared events and jobs in a test');

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const bell = defineJob({
  kind: 'bells.ring',
  payload: z.object({}),
  async handler(ctx) {
    await ctx.checkpoint(async (tx) => void tx.emit('bell.rung' as never, {} as never));
  },
});

const ring = defineOperation({
  id: 'bells.ring',
  summary: 'Ring a bell',
  http: 'POST /v1/bells',
  scopes: ['bells:write'],
  idempotency: 'recorded',
  audit: { action: 'bell.ring', target: () => ({ kind: 'bell', id: 'bell' }) },
  input: { body: z.object({ kind: z.string() }) },
  output: z.object({ rung: z.boolean() }),
  fixture: async () => ({ body: { kind: 'bells.ring' } }),
  async handler(ctx, { body: { kind } }) {
    if (kind === 'event') ctx.emit('bell.rung' as never, {} as never);
    else if (kind === 'data') ctx.emit('bell.cast' as never, { tons: 'heavy' } as never);
    else ctx.enqueue({ kind, payload: {} });
    return { rung: true };
  },
});

/** Emits an event that the plugin declares but the operation does not. */
const strike = defineOperation({
  id: 'bells.strike',
  summary: 'Strike a bell',
  http: 'POST /v1/strikes',
  scopes: ['bells:write'],
  idempotency: 'recorded',
  audit: { action: 'bell.strike', target: () => ({ kind: 'bell', id: 'bell' }) },
  output: z.object({ struck: z.boolean() }),
  fixture: async () => ({}),
  async handler(ctx) {
    ctx.emit('bell.struck' as never, {} as never);
    return { struck: true };
  },
});

const struck = defineEvent({ type: 'bell.struck', description: 'A bell was struck.', data: z.object({}), example: {} });

const cast = defineEvent({
  type: 'bell.cast',
  description: 'A bell was cast.',
  data: z.object({ tons: z.number() }),
  example: { tons: 2 },
});

const bells = definePlugin({
  id: 'bells',
  events: [struck, cast],
  scopes: defineScopes([{ scope: 'bells:write', description: 'Ring bells' }]),
  operations: [ring, strike],
  jobs: [bell],
});

const withBells = async (work: (testService: Awaited<ReturnType<typeof start>>) => Promise<void>) => {
  const testService = await start();
  try {
    await work(testService);
  } finally {
    await testService.close();
  }
};
const start = () => createTestService({ plugins: [bells], logger: quiet });

const rejection = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => assert.unreachable('the call succeeded') as never,
    ({ message }: Error) => message,
  );

test('a request rejects with an error that names the missing declaration', () =>
  withBells(async (testService) => {
    assert.is(
      await rejection(testService.request('/v1/bells', { body: { kind: 'event' } })),
      'No composed plugin declares the event bell.rung. Declare it, and list it under events in definePlugin.',
    );
    assert.is(
      await rejection(testService.request('/v1/bells', { body: { kind: 'bells.rign' } })),
      'No composed plugin declares the job bells.rign. Did you mean bells.ring? Declare it, and list it under jobs in definePlugin.',
    );
  }));

test('data that do not match their event cause an error with the event and the path', () =>
  withBells(async (testService) => {
    const message = await rejection(testService.request('/v1/bells', { body: { kind: 'data' } }));
    assert.match(message, /^The data do not match the declaration of the event bell\.cast: tons: /);
    assert.not.match(message, 'heavy');
  }));

test('draining a job that emits an undeclared event rejects, and so does reading its events', () =>
  withBells(async (testService) => {
    assert.is((await testService.request('/v1/bells', { body: { kind: 'bells.ring' } })).status, 200);
    assert.match(await rejection(testService.drain()), /^No composed plugin declares the event bell\.rung\./);
    assert.match(
      await rejection(testService.events('bell.rung' as never)),
      /^No composed plugin declares the event bell\.rung\./,
    );
  }));

test('an operation that emits an event missing in its own declaration rejects with an error that names the event', () =>
  withBells(async (testService) => {
    assert.is(
      await rejection(testService.request('/v1/strikes', { body: {} })),
      'The operation does not declare the event bell.struck. List it under emits in the declaration of bells.strike.',
    );
  }));

test('an operation that declares an unknown event of a known family is refused', async () => {
  const scopes = defineScopes([{ scope: 'bells:write', description: 'Ring bells' }]);
  const withUnknownEvent = definePlugin({
    id: 'bells',
    scopes,
    events: [struck],
    operations: [{ ...strike, emits: ['bell.stuck'] }],
  });
  assert.match(
    await rejection(createTestService({ plugins: [withUnknownEvent], logger: quiet })),
    /bells\.strike of bells names the undeclared event bell\.stuck/,
  );
});

test('an operation that declares an event of no plugin is refused, even if custom events are allowed', async () => {
  const scopes = defineScopes([{ scope: 'bells:write', description: 'Ring bells' }]);
  const emits = ['chime.stopped', 'approval.decided'];
  const withUnknownEvent = definePlugin({ id: 'bells', scopes, events: [struck], operations: [{ ...strike, emits }] });
  const takesCustom = definePlugin({
    id: 'custom',
    customEvents: { data: z.unknown(), example: {} as never, reservedFamilies: ['approval'] },
  });
  const thrown = await rejection(createTestService({ plugins: [withUnknownEvent, takesCustom], logger: quiet }));
  assert.match(thrown, /bells\.strike of bells names the undeclared event chime\.stopped/);
  assert.not.match(thrown, /approval\.decided/);
});

test('callers get only a general error', () =>
  withBells(async (testService) => {
    const { status, body } = await testService.service.dispatch({
      method: 'POST',
      url: '/v1/bells',
      headers: { authorization: `Bearer ${testService.liveKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'event' }),
    });
    assert.is(status, 500);
    assert.not.match(String(body), /bell\.rung/);
  }));

test.run();
