// Events of another plugin: those that declare the person start sequences and move runs, as the service's own do.
import * as assert from 'uvu/assert';
import { defineEvent, definePlugin, isPostriderError, z } from '../../core/index.ts';
import { inWorkspace } from '../../core/unstable.ts';
import { twoDatabases } from '../support/databases.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import type { SequenceBench } from '../support/sequence-bench.ts';
import { openSequenceBench } from '../support/sequence-bench.ts';

const answer = z.object({ email: z.string().nullable(), score: z.int() });
const answered = defineEvent({
  type: 'poll.answered',
  description: 'A contact answered the poll.',
  data: answer,
  person: ({ email }) => email,
  example: { email: 'ada@example.org', score: 9 },
});
const closed = defineEvent({ type: 'poll.closed', description: 'It ended.', data: z.object({}), example: {} });

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'poll.answered': z.output<typeof answer>;
  }
}

const plugins = [...bareStandardPlugins, definePlugin({ id: 'polls', events: [answered, closed] })];

await twoDatabases('events of other plugins in sequences', (test, database) => {
  let bench: SequenceBench;
  test.before.each(async () => {
    bench = await openSequenceBench(database, plugins as never);
  });
  test.after.each(() => bench.close());

  const emit = async (email: string | null, score: number) => {
    const { core } = bench.service;
    const workspace = await bench.service.workspaces.read(bench.workspaceId);
    await inWorkspace(core, workspace, async (effects) => effects.emit('poll.answered', { email, score }));
    await bench.drain();
  };

  test('one that declares the person starts a run, by its data, and moves one that waits', async () => {
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
    assert.is((await calls.sequences.read({ keyOrId })).enrolledCount, 0, 'nobody whom the service knows');
    assert.is((await calls.sequences.runRead({ runId })).status, 'active');
    await emit('Ada@Example.org', 3);
    assert.is((await calls.sequences.read({ keyOrId })).enrolledCount, 0, 'the filter reads the data');
    assert.is((await calls.sequences.runRead({ runId })).status, 'completed');
    await emit('ada@example.org', 9);
    assert.is((await calls.sequences.read({ keyOrId })).enrolledCount, 1);
    assert.equal((await calls.contacts.read({ contactId: id })).attributes, { score: 9 });
  });

  test('one that declares none is refused in a sequence, with the reason', async () => {
    const refusal = await bench.calls.sequences
      .create({ name: 'Closed', trigger: { kind: 'event', type: 'poll.closed' }, nodes: [] })
      .catch((error: unknown) => error);
    assert.ok(isPostriderError(refusal, 'validation_failed'));
    assert.match(refusal.message, 'poll.closed is not about a contact');
    assert.match(refusal.message, 'declares its `person`');
  });
});
