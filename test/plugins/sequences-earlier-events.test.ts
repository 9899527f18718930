// time-limit: 480
// Events that come before a run waits for them or asks about them: between two nodes, while a mail waits for quiet hours, before a run is
// stored. Each event counts once.
// full-run: slow
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/index.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { inWorkspace } from '../../core/unstable.ts';
import { addEvent } from '../../plugins/contacts/store.ts';
import type { DefinitionInput } from '../../plugins/sequences/definition/schema.ts';
import { twoDatabases } from '../support/databases.ts';
import { openSequenceBench, type SequenceBench } from '../support/sequence-bench.ts';

const hour = 3_600_000;
const day = 24 * hour;
const contact = { email: 'ada@example.org' };
type Node = DefinitionInput['nodes'][number];
type Since = 'previous_wait' | 'run' | 'node';

const mail = (id: string) => ({ id, kind: 'send_email', templateKey: 'hello', variables: { name: 'you' } }) as const;
const exit = (id: string) => ({ id, kind: 'exit', reason: id }) as const;
const waitFor = (id: string, type: string, since?: Since) => {
  const node = { id, kind: 'wait_for_event', type, timeout: 'P3D' } as const;
  return since === undefined ? node : { ...node, since };
};
const signedUp = { kind: 'event', type: 'signed_up' } as const;

await twoDatabases('events before a wait', (test, database) => {
  let bench: SequenceBench;
  test.before.each(async () => {
    bench = await openSequenceBench(database);
    await bench.template('hello');
  });
  test.after.each(() => bench.close());

  const emit = async (type: string, metadata: Record<string, unknown> = {}) =>
    (await bench.calls.events.emit({ type, contact, metadata })).fan_out.sequences_woken;
  const passTime = async (ms: number) => {
    bench.advanceClock(ms);
    await bench.drain();
  };
  /** Advances the clock to the next occurrence of this time of day in UTC, and runs the due jobs. */
  const untilHour = async (hours: number) => {
    const ahead = (hours * hour - (bench.now() % day) + day) % day;
    await passTime(ahead);
  };
  /** The steps of a run with the edges that it took, and how it ended. `index`: its position in the list of runs (Default: 0) */
  const pathOf = async (keyOrId: string, index = 0) => {
    const run = (await bench.calls.sequences.runs({ keyOrId })).data[index];
    const { steps, exitReason, status } = await bench.calls.sequences.runRead({ runId: run?.runId ?? '' });
    const path = steps.map(({ nodeId, status: of, output }) => `${nodeId} ${String(output?.['edge'] ?? of)}`);
    return { path, end: exitReason ?? status };
  };
  const linear = (nodes: readonly Node[], more: Partial<DefinitionInput> = {}) => {
    const edges = nodes.slice(1).map(({ id: to }, index) => {
      const from = nodes[index];
      return { from: from?.id ?? '', to, when: from?.kind === 'wait_for_event' ? 'matched' : 'next' };
    });
    return bench.published({ name: 'Onboarding', trigger: signedUp, nodes: [...nodes], edges, ...more });
  };

  test('an event 20 ms after the sign-up is not lost, neither for a wait nor for a branch', async () => {
    const did = { did: 'project_created', since: 'run' } as const;
    const wait = await linear([mail('welcome'), waitFor('wait', 'project_created'), exit('created')]);
    const branch = await bench.published({
      name: 'Branch',
      trigger: signedUp,
      nodes: [
        mail('welcome'),
        { id: 'pause', kind: 'delay', for: 'P1D' },
        { id: 'which', kind: 'branch', conditions: [{ filter: did }] },
        exit('created'),
        mail('help'),
      ],
      edges: [
        { from: 'welcome', to: 'pause' },
        { from: 'pause', to: 'which' },
        { from: 'which', when: 'branch:0', to: 'created' },
        { from: 'which', when: 'else', to: 'help' },
      ],
    });
    await emit('signed_up');
    bench.advanceClock(20);
    assert.is(await emit('project_created'), 0);
    await passTime(20);
    assert.equal(await pathOf(wait), {
      path: ['welcome completed', 'wait matched', 'created completed'],
      end: 'created',
    });
    await passTime(day);
    assert.equal((await pathOf(branch)).end, 'created');
    await bench.calls.events.emit({ type: 'signed_up', contact: { email: 'bob@example.org' } });
    await bench.drain();
    await passTime(day);
    assert.equal((await pathOf(branch)).path, ['welcome completed', 'pause completed', 'which else', 'help completed']);
  });

  test('an event while the mail waits for quiet hours ends the wait after the mail, at the same times as without quiet hours', async () => {
    const keyOrId = await linear([mail('welcome'), waitFor('wait', 'project_created'), mail('more')], {
      settings: { quietHours: { from: '00:00', to: '23:00' } },
    });
    await untilHour(3);
    await emit('signed_up');
    await passTime(hour);
    await emit('project_created');
    assert.equal((await pathOf(keyOrId)).path, ['welcome pending']);
    await untilHour(23);
    assert.equal((await pathOf(keyOrId)).path, ['welcome completed', 'wait matched', 'more completed']);
  });

  test('previous_wait counts from the end of the last delay, run counts from the start of the run, node counts from the wait', async () => {
    const paths: string[] = [];
    for (const since of [undefined, 'run', 'node'] as const) {
      const keyOrId = await linear(
        [{ id: 'pause', kind: 'delay', for: 'PT1H' }, mail('hint'), waitFor('wait', 'used', since), exit('used')],
        { trigger: { kind: 'manual' }, settings: { quietHours: { from: '02:00', to: '06:00' }, reentry: 'never' } },
      );
      for (const [index, at] of [0.5, 3].entries()) {
        await untilHour(1.25);
        const person = { email: `${since}${index}@example.org` };
        const { runId } = await bench.calls.sequences.enroll({ keyOrId, contact: person });
        await bench.drain();
        await passTime(at * hour);
        await bench.calls.events.emit({ type: 'used', contact: person });
        await passTime(8 * hour);
        const { status, exitReason } = await bench.calls.sequences.runRead({ runId });
        paths.push(`${since} ${at} ${exitReason ?? status}`);
      }
    }
    // The delay ends at 02:15, the mail waits for quiet hours until 06:00, and the events come at 01:45 and 04:15.
    assert.equal(paths, [
      'undefined 0.5 active',
      'undefined 3 used',
      'run 0.5 used',
      'run 3 used',
      'node 0.5 active',
      'node 3 active',
    ]);
  });

  test('an event ends only one wait, and the event that starts a run ends no wait', async () => {
    const keyOrId = await linear(
      [
        waitFor('first', 'signed_up', 'run'),
        waitFor('second', 'signed_up', 'run'),
        waitFor('third', 'signed_up', 'run'),
      ],
      { settings: { reentry: 'never' } },
    );
    await emit('signed_up');
    await passTime(hour);
    assert.equal((await pathOf(keyOrId)).path, ['first waiting']);
    await emit('signed_up');
    await passTime(hour);
    assert.equal((await pathOf(keyOrId)).path, ['first matched', 'second waiting']);
    await emit('signed_up');
    await passTime(hour);
    assert.equal((await pathOf(keyOrId)).path, ['first matched', 'second matched', 'third waiting']);
  });

  test('two events between two nodes end two waits in the order of the events', async () => {
    const keyOrId = await linear([mail('welcome'), waitFor('paid', 'paid'), waitFor('used', 'used'), exit('both')]);
    await emit('signed_up');
    for (const type of ['used', 'paid', 'used']) {
      bench.advanceClock(20);
      await emit(type);
    }
    await passTime(hour);
    assert.equal((await pathOf(keyOrId)).path, ['welcome completed', 'paid matched', 'used matched', 'both completed']);
  });

  test('an event between the start event and the run is not lost, neither for a wait nor for a goal', async () => {
    const { calls } = bench;
    const { listId } = await calls.lists.create({ name: 'News' });
    const { id } = await calls.contacts.upsert(contact);
    const trigger = { kind: 'list_joined', listId } as const;
    const wait = await linear([mail('welcome'), waitFor('wait', 'paid'), exit('paid')], { trigger });
    const goal = await bench.published({
      name: 'Goal',
      trigger,
      nodes: [{ id: 'pause', kind: 'delay', for: 'P1D' }, mail('hint'), { id: 'done', kind: 'goal', type: 'paid' }],
      edges: [{ from: 'pause', to: 'hint' }],
    });
    await calls.lists.membersAdd({ listId, contactIds: [id] });
    bench.advanceClock(20);
    await emit('paid');
    bench.advanceClock(20);
    await bench.drain();
    assert.is((await pathOf(wait)).end, 'paid');
    assert.equal(await pathOf(goal), { path: ['pause skipped', 'done completed'], end: 'goal' });
  });

  test('an event of the service between two nodes is found and counts once', async () => {
    const { calls } = bench;
    const { listId } = await calls.lists.create({ name: 'News' });
    const { id } = await calls.contacts.upsert(contact);
    const keyOrId = await linear([
      { id: 'pause', kind: 'delay', for: 'P1D' },
      waitFor('joined', 'list_member.added', 'run'),
      waitFor('again', 'list_member.added', 'run'),
    ]);
    await emit('signed_up');
    await passTime(hour);
    await calls.lists.membersAdd({ listId, contactIds: [id] });
    await passTime(hour);
    assert.equal((await pathOf(keyOrId)).path, ['pause waiting']);
    await passTime(day);
    assert.equal((await pathOf(keyOrId)).path, ['pause completed', 'joined matched', 'again waiting']);
    await passTime(4 * day);
    assert.equal((await pathOf(keyOrId)).path, ['pause completed', 'joined matched', 'again timeout']);
  });

  test('an event that another process could not deliver counts when the wait times out', async () => {
    const keyOrId = await linear([waitFor('wait', 'paid'), exit('paid')]);
    await emit('signed_up');
    await passTime(hour);
    const { core } = bench.service;
    const open = await core.database();
    const everywhere = unscoped('the test loses a wait');
    await open.transact(async (scope) => scope.handle(everywhere).db.deleteFrom('sequence_waits').execute());
    assert.is(await emit('paid'), 0);
    await passTime(3 * day);
    assert.is((await pathOf(keyOrId)).end, 'paid');
  });

  test('a goal and exitWhen end runs by activities of the contact', async () => {
    const did = {
      did: 'paid',
      since: 'run',
      atLeast: 2,
      where: { path: 'event.metadata.total', op: 'gt', value: 5 },
    } as const;
    const pause = [{ id: 'pause', kind: 'delay', for: 'P30D' }] as const;
    const goal = await bench.published({
      name: 'Goal',
      trigger: { kind: 'event', type: 'paid' },
      nodes: [...pause, { id: 'done', kind: 'goal', filter: did }],
      settings: { reentry: 'never' },
    });
    const exits = await linear([...pause, mail('hint')], { settings: { exitWhen: { did: 'paid', since: 'P40D' } } });
    await emit('signed_up');
    await emit('paid', { total: 10 });
    await passTime(hour);
    assert.is(await emit('paid', { total: 1 }), 0);
    await passTime(hour);
    assert.is(await emit('paid', { total: 10 }), 0);
    await passTime(hour);
    assert.is(await emit('paid', { total: 10 }), 1);
    assert.is((await pathOf(goal)).end, 'goal');
    await passTime(31 * day);
    assert.equal(await pathOf(exits), { path: ['pause skipped'], end: 'exit_when' });
  });

  test('a condition with `where` compares only the newest 2,000 events', async () => {
    const { id } = await bench.calls.contacts.upsert(contact);
    const { core } = bench.service;
    const addEvents = async (count: number, total: number) =>
      inWorkspace(core, await bench.service.workspaces.read(bench.workspaceId), async ({ trx, newId, now }) => {
        for (let index = 0; index < count; index += 1)
          addEvent(trx, { id: newId('evt'), contact_id: id, type: 'paid', ts: now, metadata: { total } });
      });
    const where = { path: 'event.metadata.total', op: 'eq', value: 7 } as const;
    const exit = await bench.published({
      name: 'Capped',
      nodes: [{ id: 'pause', kind: 'delay', for: 'P1D' }],
      settings: { exitWhen: { did: 'paid', where }, reentry: 'always' },
    });
    const isExited = async () => {
      const { runId } = await bench.calls.sequences.enroll({ keyOrId: exit, contact });
      await bench.drain();
      return (await bench.calls.sequences.runRead({ runId })).status === 'exited';
    };
    await addEvents(1, 7);
    bench.advanceClock(hour);
    await addEvents(1_999, 1);
    assert.is(await isExited(), true);
    bench.advanceClock(hour);
    await addEvents(1, 1);
    assert.is(await isExited(), false);
  });

  test('a simulation counts the events in the call, and stored events of a contact that it looks up', async () => {
    const { sequences, contacts } = bench.calls;
    await contacts.upsert(contact);
    await emit('project_created');
    bench.advanceClock(day);
    const keyOrId = await linear([
      { id: 'which', kind: 'branch', conditions: [{ filter: { did: 'project_created' } }] },
    ] as const);
    const edgeOf = async (body: object) => (await sequences.simulate({ keyOrId, ...body })).path[0]?.outcome;
    assert.is(await edgeOf({ contact }), 'branch:0');
    assert.is(await edgeOf({ contact: { attributes: {} } }), 'else');
    const startAt = new Date(bench.now()).toISOString();
    const before = [{ type: 'project_created', at: new Date(bench.now() - hour).toISOString() }];
    const simulation = await sequences.simulate({
      keyOrId,
      contact: { attributes: {} },
      startAt,
      events: [...before, { type: 'signed_up', at: startAt }],
    });
    assert.equal([simulation.path[0]?.outcome, simulation.warnings], ['branch:0', []]);
  });

  test('an invalid combination is refused with an explanation', async () => {
    const faultOf = async (node: Node, more: Partial<DefinitionInput> = {}) => {
      try {
        await bench.calls.sequences.create({ name: 'Wrong', nodes: [mail('welcome'), node], ...more });
        return 'none';
      } catch (error) {
        if (!isPostriderError(error)) throw error;
        return (error.details ?? []).map(({ message }) => message).join();
      }
    };
    const wait = { id: 'wait', kind: 'wait_for_event', type: 'paid', timeout: 'P1D' } as const;
    const branch = (filter: object) => ({ id: 'which', kind: 'branch', conditions: [{ filter }] }) as unknown as Node;
    assert.match(
      await faultOf({ ...wait, type: 'send.clicked', ofNode: 'welcome', since: 'run' }),
      /Leave out `since`/,
    );
    assert.match(await faultOf({ ...wait, filter: { did: 'paid' } }), /cannot contain did/);
    assert.match(
      await faultOf(wait, { trigger: { kind: 'event', type: 'paid', filter: { not: { did: 'paid' } } } }),
      /cannot contain did/,
    );
    assert.match(await faultOf(branch({ did: 'send.clicked' })), /send\.clicked is an event of the service/);
    assert.match(await faultOf(branch({ did: 'paid', since: 'yesterday' })), /ISO 8601|Invalid/);
    assert.match(
      await faultOf(branch({ did: 'paid', where: { path: 'contact.email', op: 'exists', value: true } })),
      /contact\.email is not a value of the event/,
    );
    assert.match(await faultOf(branch({ did: 'paid', where: { did: 'paid' } })), /cannot contain did/);
    assert.match(
      await faultOf(wait, { settings: { exitWhen: { did: 'contact.updated' } } }),
      /contact\.updated is an event of the service/,
    );
  });
});
