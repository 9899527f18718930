// Events of another plugin start sequences and move runs if they declare a person, like events of the service.
import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { defineEvent, definePlugin, isPostriderError, z } from '../../core/index.ts';
import { inWorkspace } from '../../core/unstable.ts';
import { twoDatabases } from '../support/databases.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { openSequenceBench, type SequenceBench } from '../support/sequence-bench.ts';

const answer = z.object({ email: z.string().nullable(), score: z.int() });
const pollAnswered = defineEvent({
  type: 'poll.answered',
  description: 'A contact answered the poll.',
  data: answer,
  person: ({ email }) => email,
  example: { email: 'ada@example.org', score: 9 },
});
const pollClosed = defineEvent({ type: 'poll.closed', description: 'It ended.', data: z.object({}), example: {} });

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'poll.answered': z.output<typeof answer>;
  }
}

const plugins = [...bareStandardPlugins, definePlugin({ id: 'polls', events: [pollAnswered, pollClosed] })];

await twoDatabases('events of other plugins in sequences', (test, database) => {
  let bench: SequenceBench;
  test.before.each(async () => {
    bench = await openSequenceBench(database, plugins as never);
  });
  test.after.each(() => bench.close());

  const emit = async (email: string | null, score: number) => {
    const { core } = bench.service;
    const workspace = await bench.service.workspaces.read(bench.workspaceId);
    await inWorkspace(core, workspace, async (ctx) => ctx.emit('poll.answered', { email, score }));
    await bench.drain();
  };

  test('an event that declares its person starts a run, is filtered by its data, and moves a waiting run', async () => {
    const { calls } = bench;
    const { id } = await calls.contacts.upsert({ email: 'ada@example.org' });
    const trigger = {
      kind: 'event',
      type: 'poll.answered',
      filter: { path: 'event.data.score', op: 'gte', value: 7 },
    } as const;
    const score = { id: 'score', kind: 'update_contact', attributes: { score: '{{ event.data.score }}' } } as const;
    const keyOrId = await bench.published({ name: 'Happy', trigger, nodes: [score] });
    const until = { id: 'until', kind: 'wait_for_event', type: 'poll.answered', timeout: 'P9D' } as const;
    const waiting = await bench.published({ name: 'Waits', nodes: [until] });
    const { runId } = await calls.sequences.enroll({ keyOrId: waiting, contact: { id } });
    await bench.drain();
    await emit('bob@example.org', 9);
    await emit(null, 9);
    assert.is((await calls.sequences.read({ keyOrId })).enrolledCount, 0, 'the person is unknown to the service');
    assert.is((await calls.sequences.runRead({ runId })).status, 'active');
    await emit('Ada@Example.org', 3);
    assert.is((await calls.sequences.read({ keyOrId })).enrolledCount, 0, 'the filter reads the data');
    assert.is((await calls.sequences.runRead({ runId })).status, 'completed');
    await emit('ada@example.org', 9);
    assert.is((await calls.sequences.read({ keyOrId })).enrolledCount, 1);
    assert.equal((await calls.contacts.read({ contactId: id })).attributes, { score: 9 });
  });

  test('publishing refuses a filter on a field that the event does not declare', async () => {
    const filter = { path: 'event.data.scroe', op: 'gte', value: 7 } as const;
    const trigger = { kind: 'event', type: 'poll.answered', filter } as const;
    const definition = { name: 'Misspelt', trigger, nodes: [{ id: 'end', kind: 'exit' }] } as const;
    const { key } = await bench.calls.sequences.create(definition as never);
    const refused = await bench.calls.sequences.publish({ keyOrId: key }).catch((error: unknown) => error);
    assert.ok(isPostriderError(refused, 'sequence_invalid'));
    assert.equal(refused.details, [
      {
        path: 'trigger',
        code: 'field_unknown',
        message: 'The trigger: no event poll.answered has event.data.scroe. Did you mean event.data.score?',
      },
    ]);
    const right = { ...trigger, filter: { ...filter, path: 'event.data.score' } };
    await bench.calls.sequences.update({ keyOrId: key, trigger: right } as never);
    assert.is((await bench.calls.sequences.publish({ keyOrId: key })).status, 'published');
  });

  /** Creates a sequence that starts for scores of at least 7, and simulates it with these events. */
  const simulateEvents = async (name: string, events: readonly object[], trigger: object = {}) => {
    const { key } = await bench.calls.sequences.create({
      name,
      trigger: {
        kind: 'event',
        type: 'poll.answered',
        filter: { path: 'event.data.score', op: 'gte', value: 7 },
        ...trigger,
      } as never,
      nodes: [{ id: 'score', kind: 'update_contact', attributes: { score: '{{ event.data.score }}' } }],
    });
    return bench.calls.sequences.simulate({ keyOrId: key, contact: { attributes: {} }, events: events as never });
  };
  const refusalOf = (name: string, event: object) => simulateEvents(name, [event]).catch((error: unknown) => error);

  test('a simulation accepts the values of an event as data or as metadata, but not as both', async () => {
    for (const values of ['data', 'metadata']) {
      const { status, warnings } = await simulateEvents(values, [{ type: 'poll.answered', [values]: { score: 9 } }]);
      assert.equal([status, warnings], ['completed', []], values);
    }
    const both = await refusalOf('Both', { type: 'poll.answered', data: { score: 9 }, metadata: { score: 9 } });
    assert.ok(isPostriderError(both, 'validation_failed'));
    assert.match(both.message, 'events.0.data: Give data or metadata, not both');
    const ownEventError = await refusalOf('Own', { type: 'order_paid', data: { total: 9 } });
    assert.ok(isPostriderError(ownEventError, 'validation_failed'));
    assert.match(
      ownEventError.message,
      'events.0.data: order_paid is not an event of the service, but one of your program: give metadata.',
    );
    const misspelt = await refusalOf('Misspelt', { type: 'poll.anwsered', data: { score: 9 } });
    assert.ok(isPostriderError(misspelt, 'validation_failed'));
    assert.match(misspelt.message, 'There is no event poll.anwsered. Did you mean poll.answered?');
  });

  test('a simulation warns about events that start no run, with the reason', async () => {
    const warningsFor = async (events: readonly object[], trigger: object = {}) =>
      (await simulateEvents(`Ignored ${randomUUID()}`, events, trigger)).warnings;
    const without = 'No event matches the trigger, so the run starts without an event.';
    assert.equal(await warningsFor([{ type: 'poll.answered', data: { score: 3 } }]), [
      'events.0, poll.answered: it starts no run, since the filter of the trigger is not true for it.',
      without,
    ]);
    assert.equal(await warningsFor([{ type: 'poll.answered', data: { note: 9 } }]), [
      'events.0, poll.answered: it starts no run, since the filter of the trigger is not true for it: there is no event.data.score, and the values of poll.answered are event.data.',
      without,
    ]);
    const wrong = { filter: { path: 'event.metadata.score', op: 'gte', value: 7 } };
    assert.match(
      (await warningsFor([{ type: 'poll.answered', metadata: { score: 9 } }], wrong))[0] ?? '',
      'there is no event.metadata.score, and the values of poll.answered are event.data.',
    );
    assert.equal(await warningsFor([{ type: 'order_paid' }, { type: 'poll.closed' }, { type: 'poll.anwsered' }]), [
      'events.0, order_paid: it starts no run, since the trigger is the event poll.answered. No node waits for it either.',
      'events.1, poll.closed: it is ignored. poll.closed is not about a contact, so sequences cannot listen to it. An event of a plugin is about a contact if it declares its `person`.',
      'events.2, poll.anwsered: it is ignored. There is no event poll.anwsered. Did you mean poll.answered? The family poll has poll.answered, poll.closed.',
      without,
    ]);
    const answers = [3, 9].map((score) => ({ type: 'poll.answered', data: { score } }));
    assert.equal(await warningsFor([...answers, { type: 'order_paid' }]), [
      'events.0, poll.answered: it starts no run, since the filter of the trigger is not true for it.',
      'events.2, order_paid: it is ignored, since no node waits for it.',
    ]);
    const { key } = await bench.calls.sequences.create({ name: 'By hand', nodes: [{ id: 'end', kind: 'exit' }] });
    const byHand = { keyOrId: key, contact: { attributes: {} }, events: [{ type: 'poll.answered', data: {} }] };
    assert.equal((await bench.calls.sequences.simulate(byHand)).warnings, [
      'events.0, poll.answered: it starts no run, since a simulation of the trigger manual begins without an event. No node waits for it either.',
    ]);
  });

  test('a simulation reads event values at the same path as a run', async () => {
    const trigger = { type: 'order_paid', filter: { path: 'event.data.total', op: 'gte', value: 7 } };
    const { warnings } = await simulateEvents('Wrong place', [{ type: 'order_paid', metadata: { total: 9 } }], trigger);
    assert.match(warnings[0] ?? '', 'there is no event.data.total, and the values of order_paid are event.metadata.');
  });

  test('a sequence refuses an event that declares no person, and gives the reason', async () => {
    const refusal = await bench.calls.sequences
      .create({ name: 'Closed', trigger: { kind: 'event', type: 'poll.closed' }, nodes: [] })
      .catch((error: unknown) => error);
    assert.ok(isPostriderError(refusal, 'validation_failed'));
    assert.match(refusal.message, 'poll.closed is not about a contact');
    assert.match(refusal.message, 'declares its `person`');
  });
});
