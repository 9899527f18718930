// time-limit: 600
// Sequences under attack: foreign ids in nodes and calls, the largest filters and graphs, one event for very many runs.
// full-run: slow
import * as assert from 'uvu/assert';
import type { TestResponse } from '../../hosts/testing/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { openSequenceBench, type SequenceBench } from '../support/sequence-bench.ts';

const mark = { id: 'mark', kind: 'update_contact', attributes: { marked: true } } as const;
const url = 'https://127.0.0.1/hooks';
const contact = { email: 'ada@example.org' };

await twoDatabases('sequences under attack', (test, database) => {
  let bench: SequenceBench;
  test.before.each(async () => {
    bench = await openSequenceBench(database);
  });
  test.after.each(() => bench.close());

  const create = (body: object): Promise<TestResponse> =>
    bench.request('/v1/sequences', { method: 'POST', body: { name: 'Attack', ...body } });
  /** The error codes for a sequence of these nodes: those of creating it, or else those of publishing it. */
  const faultsOf = async (body: object): Promise<string[]> => {
    const created = await create(body);
    if (created.status !== 201) return [created.body.error.code];
    const answer = await bench.request(`/v1/sequences/${created.body.key}/publish`, { method: 'POST' });
    return answer.status === 200 ? ['none'] : answer.body.error.details.map(({ code }: { code: string }) => code);
  };

  test('no node and no call can reach data of another workspace', async () => {
    const { calls, service } = bench;
    const others = service.as(bench.foreignWorkspaceId);
    await others.templates.create({ key: 'theirs', mode: 'html', subject: 'Hi', body: '<p>Hi</p>' });
    await others.templates.publish({ key: 'theirs' });
    const { listId } = await others.lists.create({ name: 'Theirs' });
    const { id: webhookId } = await others.webhooks.create({ url, events: ['*'] });
    const { key: theirKey } = await others.sequences.create({ key: 'theirs', name: 'Theirs', nodes: [mark] });
    await others.sequences.publish({ keyOrId: theirKey });
    const { id: theirContact } = await others.contacts.upsert({ email: 'bob@example.org' });
    const { runId: theirRun } = await others.sequences.enroll({ keyOrId: theirKey, contact: { id: theirContact } });
    const inFilter = { path: `list.${listId}`, op: 'exists', value: true };
    for (const [body, code] of [
      [{ nodes: [{ id: 'a', kind: 'send_email', templateKey: 'theirs' }] }, 'template_not_found'],
      [{ nodes: [{ id: 'a', kind: 'add_to_list', listId }] }, 'list_not_found'],
      [{ nodes: [{ id: 'a', kind: 'remove_from_list', listId }] }, 'list_not_found'],
      [{ nodes: [{ id: 'a', kind: 'webhook', webhookId }] }, 'webhook_not_found'],
      [{ nodes: [{ id: 'a', kind: 'enroll', sequenceKey: 'theirs' }] }, 'sequence_not_found'],
      [{ nodes: [mark], trigger: { kind: 'list_joined', listId } }, 'list_not_found'],
      [{ nodes: [mark], settings: { exitWhen: inFilter } }, 'list_not_found'],
      [{ nodes: [{ id: 'a', kind: 'branch', conditions: [{ filter: inFilter }] }] }, 'list_not_found'],
    ] as const)
      assert.equal(await faultsOf(body), [code], JSON.stringify(body));

    const ownSequence = await bench.published({ name: 'Own', nodes: [mark] });
    const { listId: ownList } = await calls.lists.create({ name: 'Own' });
    const codes: string[] = [];
    for (const call of [
      () => calls.sequences.enroll({ keyOrId: ownSequence, contact: { id: theirContact } }),
      () => calls.sequences.enroll({ keyOrId: theirKey, contact }),
      () => calls.sequences.enrollList({ keyOrId: ownSequence, listId }),
      () => calls.sequences.enrollList({ keyOrId: theirKey, listId: ownList }),
      () => calls.sequences.transition({ id: ownSequence, runId: theirRun, nodeId: 'mark', reason: 'Mine now.' }),
      () => calls.sequences.runCancel({ runId: theirRun }),
      () => calls.sequences.runRead({ runId: theirRun }),
      () => calls.sequences.simulate({ keyOrId: ownSequence, contact: { id: theirContact } }),
    ])
      codes.push(await bench.codeOf(call));
    assert.equal(codes, [
      'contact_not_found',
      'sequence_not_found',
      'list_not_found',
      'sequence_not_found',
      'run_not_found',
      'run_not_found',
      'run_not_found',
      'contact_not_found',
    ]);
    const { data } = await calls.sequences.runs({ keyOrId: ownSequence, contactId: theirContact });
    assert.equal(data, []);
  });

  test('a sandbox call cannot reach a live run, and a call cannot reach a run of another sequence', async () => {
    const { calls, service, workspaceId } = bench;
    const sandbox = service.as(workspaceId, { sandbox: true });
    const wait = { id: 'wait', kind: 'delay', for: 'P1D' } as const;
    const key = await bench.published({ name: 'Waits', nodes: [wait] });
    const otherSequence = await bench.published({ name: 'Waits too', nodes: [wait] });
    const { runId } = await calls.sequences.enroll({ keyOrId: key, contact });
    const { runId: tried } = await sandbox.sequences.enroll({ keyOrId: key, contact });
    const moveBody = { nodeId: 'wait', reason: 'Mine now.' };
    const codes: string[] = [];
    for (const call of [
      () => sandbox.sequences.runCancel({ runId }),
      () => sandbox.sequences.transition({ id: key, runId, ...moveBody }),
      () => calls.sequences.runCancel({ runId: tried }),
      () => calls.sequences.transition({ id: otherSequence, runId, ...moveBody }),
      () => sandbox.sequences.pause({ keyOrId: key }),
      () => sandbox.sequences.archive({ keyOrId: key }),
    ])
      codes.push(await bench.codeOf(call));
    assert.equal(codes, [
      'run_not_found',
      'run_not_found',
      'run_not_found',
      'run_not_found',
      'live_key_required',
      'live_key_required',
    ]);
    assert.is((await calls.sequences.runRead({ runId })).status, 'active');
  });

  test('the largest allowed graphs and filters run, and larger graphs and filters are refused', async () => {
    const { calls } = bench;
    const text = 'x'.repeat(500);
    const no = { path: 'contact.attributes.plan', op: 'eq', value: text };
    let filter: object = { all: Array.from({ length: 50 }, () => ({ ...no, op: 'ne' })) };
    for (let level = 0; level < 3; level += 1) filter = { not: { not: filter } };
    const nested = (levels: number): object => (levels === 1 ? no : { not: nested(levels - 1) });
    const conditions = (count: number) => ({ any: Array.from({ length: count }, () => no) });
    const wide = (count: number) => ({ ...no, op: 'in', value: Array.from({ length: count }, (_, at) => at) });
    const exitWhen = (value: object) => ({ nodes: [mark], settings: { exitWhen: value } });
    for (const [body, expected] of [
      [exitWhen(nested(5)), 'none'],
      [exitWhen(nested(6)), 'validation_failed'],
      [exitWhen(filter), 'validation_failed'],
      [exitWhen(nested(3_000)), 'validation_failed'],
      [exitWhen(conditions(50)), 'none'],
      [exitWhen(conditions(51)), 'validation_failed'],
      [exitWhen(wide(100)), 'none'],
      [exitWhen(wide(101)), 'validation_failed'],
    ] as const)
      assert.equal(await faultsOf(body), [expected], JSON.stringify(body).slice(0, 100));

    // 200 nodes in a row: 199 branches, each with both edges to the next node
    const branch = { kind: 'branch', conditions: [{ filter: { any: [no, { ...no, path: 'event.metadata.a.b' }] } }] };
    const chain = Array.from({ length: 199 }, (_, at) => ({ id: `n${at}`, ...branch }));
    const nodes = [...chain, { ...mark, id: 'n199' }];
    const edges = chain.flatMap(({ id }, at) => [
      { from: id, to: `n${at + 1}`, when: 'branch:0' },
      { from: id, to: `n${at + 1}`, when: 'else' },
    ]);
    const created = await create({ nodes, edges });
    assert.is(created.status, 201, JSON.stringify(created.body).slice(0, 300));
    const { key } = created.body;
    await calls.sequences.publish({ keyOrId: key });
    const simulation = await calls.sequences.simulate({ keyOrId: key, contact: { attributes: {} } });
    assert.equal([simulation.status, simulation.path.length], ['completed', 200]);
    for (const graph of ['svg', 'mermaid'] as const)
      assert.match((await calls.sequences.read({ keyOrId: key, graph })).graph ?? '', 'n199');
    const { runId } = await calls.sequences.enroll({ keyOrId: key, contact });
    await bench.drain();
    assert.is((await calls.sequences.runRead({ runId })).steps.length, 200);
    const tooMany = [...nodes, { ...mark, id: 'n200' }];
    assert.is((await create({ nodes: tooMany, edges })).status, 422);
    const large = chain.map((node) => ({ ...node, conditions: Array.from({ length: 3 }, () => node.conditions[0]) }));
    const tooLarge = await create({ nodes: large, edges: [] });
    assert.is(tooLarge.status, 422);
    assert.match(JSON.stringify(tooLarge.body), 'too_large');
    // Many paths through one graph: 20 layers, each fully connected to the next
    const layers = Array.from({ length: 20 }, (_, layer) =>
      Array.from({ length: 4 }, (_, at) => ({ id: `l${layer}-${at}`, kind: 'split', weights: [25, 25, 25, 25] })),
    );
    const layerEdges = layers.flatMap((layer, number) =>
      layer.flatMap(({ id }) =>
        (layers[number + 1] ?? []).map(({ id: to }, at) => ({ from: id, to, when: `split:${at}` })),
      ),
    );
    const entry = { id: 'in', kind: 'split', weights: [25, 25, 25, 25] };
    const into = (layers[0] ?? []).map(({ id: to }, at) => ({ from: 'in', to, when: `split:${at}` }));
    const dense = { nodes: [entry, ...layers.flat()], edges: [...into, ...layerEdges] };
    assert.equal(await faultsOf(dense), ['none']);
  });

  test('one event moves every waiting run of its contact once', async () => {
    const { calls } = bench;
    const many = 60;
    const wait = { id: 'wait', kind: 'wait_for_event', type: 'order_paid', timeout: 'P30D' } as const;
    const keys: string[] = [];
    for (let number = 0; number < many; number += 1) {
      const settings = { reentry: 'always' as const };
      keys.push(await bench.published({ name: `Waits ${number}`, nodes: [wait], settings }));
    }
    const { id } = await calls.contacts.upsert(contact);
    for (const keyOrId of keys)
      for (let time = 0; time < 5; time += 1) await calls.sequences.enroll({ keyOrId, contact: { id } });
    await bench.drain();
    const startTime = performance.now();
    const { fan_out } = await calls.events.emit({ type: 'order_paid', contact: { id } });
    console.log(`# ${database.name}: ${5 * many} runs moved in ${Math.round(performance.now() - startTime)} ms`);
    assert.is(fan_out.sequences_woken, 5 * many);
    const secondEvent = await calls.events.emit({ type: 'order_paid', contact: { id } });
    assert.is(secondEvent.fan_out.sequences_woken, 0);
    for (const keyOrId of keys.slice(0, 3))
      assert.is((await calls.sequences.read({ keyOrId })).activeRunCount, 0, keyOrId);
  });
});
