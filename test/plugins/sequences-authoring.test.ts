// time-limit: 480
// Authoring sequences: drafts and versions, checks and permissions for publishing, limits, compromised keys, lists in use, and sequences
// in code.
// full-run: slow
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/index.ts';
import { sequencesPlugin } from '../../plugins/sequences/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { bareStandardPlugins, withoutPlugin } from '../support/plugins.ts';
import { openSequenceBench, type SequenceBench } from '../support/sequence-bench.ts';

const mark = (id: string) => ({ id, kind: 'update_contact', attributes: { [id]: true } }) as const;

await twoDatabases('authoring sequences', (test, database) => {
  let bench: SequenceBench;
  test.before.each(async () => {
    bench = await openSequenceBench(database);
  });
  test.after.each(() => bench.close());

  let requests = 0;
  const headers = () => {
    requests += 1;
    return { 'idempotency-key': `authoring-${requests}` };
  };

  test('a published version and its runs stay unchanged while the draft changes, and each version can be read', async () => {
    const { calls } = bench;
    const key = await bench.published({ key: 'welcome', name: 'Welcome', nodes: [mark('one')] });
    const changedDraft = await calls.sequences.update({ keyOrId: key, nodes: [mark('one'), mark('two')], edges: [] });
    assert.equal(
      [changedDraft.status, changedDraft.version, changedDraft.draft, changedDraft.nodeCount],
      ['published', 1, true, 2],
    );
    const back = await calls.sequences.update({ keyOrId: key, nodes: [mark('one')] });
    assert.is(back.draft, false, 'the draft equals the published version again');
    await calls.sequences.update({
      keyOrId: key,
      nodes: [mark('one'), mark('two')],
      edges: [{ from: 'one', to: 'two', when: 'next' }],
      settings: { reentry: 'never', quietHours: { from: '21:00', to: '08:00' } },
    });
    const afterMerge = await calls.sequences.update({ keyOrId: key, settings: { quietHours: null } });
    assert.equal([afterMerge.settings.reentry, afterMerge.settings.quietHours], ['never', undefined]);
    const emptyQuietHours = { keyOrId: key, settings: { quietHours: { from: '08:00', to: '08:00' } } };
    assert.is(await bench.codeOf(() => calls.sequences.update(emptyQuietHours)), 'validation_failed');
    const { runId } = await calls.sequences.enroll({ keyOrId: key, contact: { email: 'ada@example.org' } });
    assert.is((await calls.sequences.publish({ keyOrId: key })).version, 2);
    await bench.drain();
    assert.equal(await bench.stepsOf(runId), ['one completed']);
    assert.is((await calls.sequences.runRead({ runId })).sequenceVersion, 1);
    assert.is((await calls.sequences.read({ keyOrId: key, version: 1 })).nodeCount, 1);
    assert.is((await calls.sequences.read({ keyOrId: key })).nodeCount, 2);
    assert.is(await bench.codeOf(() => calls.sequences.read({ keyOrId: key, version: 9 })), 'sequence_not_found');
  });

  test('if a template reads the contact, the error contains the missing variables as JSON; with them the sequence can be published', async () => {
    const { calls } = bench;
    const send = { id: 'm1', kind: 'send_email', templateKey: 'hi' } as const;
    const messagesFor = async (body: string, variables: Record<string, string>) => {
      await calls.templates.create({ key: 'hi', mode: 'html', subject: 'Hi', body: `<p>${body}</p>` });
      await calls.templates.publish({ key: 'hi' });
      const { key } = await calls.sequences.create({ name: 'Hi', nodes: [{ ...send, variables }] });
      const refusal = await bench.request(`/v1/sequences/${key}/publish`, { body: {}, headers: headers() });
      assert.equal([refusal.status, refusal.body.error.code], [422, 'sequence_invalid']);
      return { key, messages: refusal.body.error.details.map(({ message }: { message: string }) => message) };
    };
    const { key, messages } = await messagesFor('Hi {{ contact.attributes.name }} {{ contact.email }}', {
      plan: 'pro',
    });
    const values = { plan: 'pro', name: '{{ contact.attributes.name }}', email: '{{ contact.email }}' };
    const advice =
      'm1 gives no contact, which the template hi needs. Templates do not see contact. Write {{name}}, {{email}} in the template, and in the node "variables": ';
    const [first = ''] = messages;
    assert.ok(first.startsWith(advice), first);
    assert.equal(JSON.parse(first.slice(advice.length).replace(/\.$/, '')), values);
    // With the variables from the error, the sequence can be published.
    await calls.templates.update({ key: 'hi', body: '<p>Hi {{name}} {{email}} {{plan}}</p>' });
    await calls.templates.publish({ key: 'hi', allowBreaking: true });
    await calls.sequences.update({ keyOrId: key, nodes: [{ ...send, variables: values }] });
    assert.is((await calls.sequences.publish({ keyOrId: key })).status, 'published');
  });

  test('publishing reports every error of the graph, and needs the scope and plan for every node', async () => {
    const { calls } = bench;
    const { key } = await calls.sequences.create({
      name: 'Faulty',
      nodes: [
        mark('one'),
        mark('alone'),
        { id: 'greet', kind: 'send_email', templateKey: 'none', variables: {} },
        { id: 'list', kind: 'add_to_list', listId: 'lst_01ARZ3NDEKTSV4RRFFQ69G5FAV' },
        { id: 'named', kind: 'update_contact', attributes: { greeting: 'Hi {{ contact.first_name }}' } },
      ],
      edges: [
        { from: 'one', to: 'greet', when: 'next' },
        { from: 'greet', to: 'list' },
        { from: 'list', to: 'named', when: 'next' },
      ],
    });
    const { status, body } = await bench.request(`/v1/sequences/${key}/publish`, { body: {}, headers: headers() });
    assert.equal([status, body.error.code], [422, 'sequence_invalid']);
    const paths = body.error.details.map(({ path }: { path: string }) => path);
    for (const id of ['greet', 'list', 'named'])
      assert.ok(
        paths.some((path: string) => path.includes(id)),
        `${id} in ${paths}`,
      );

    const fine = await calls.sequences.create({ name: 'Fine', nodes: [mark('one')] });
    const writer = await bench.keyWith(['sequences:write']);
    const refusal = await bench.request(`/v1/sequences/${fine.key}/publish`, {
      body: {},
      key: writer,
      headers: headers(),
    });
    assert.equal([refusal.status, refusal.body.error.code], [403, 'insufficient_scope']);
    assert.match(refusal.body.error.message, /contacts:write.*one/);
    const sandbox = await bench.request(`/v1/sequences/${fine.key}/publish`, {
      body: {},
      key: bench.testKey,
      headers: headers(),
    });
    assert.is(sandbox.body.error.code, 'live_key_required');
  });

  test('a graph shows the names of lists, cut if they are long, and the definition keeps their ids', async () => {
    const { lists, sequences } = bench.calls;
    const { listId } = await lists.create({ name: 'READERS OF THE WEEKLY NEWSLETTER' });
    const { key } = await sequences.create({
      name: 'Named',
      trigger: { kind: 'list_joined', listId },
      nodes: [
        { id: 'if', kind: 'branch', conditions: [{ filter: { path: `list.${listId}`, op: 'exists', value: true } }] },
        { id: 'gone', kind: 'remove_from_list', listId },
      ],
      edges: [{ from: 'if', to: 'gone', when: 'branch:0' }],
    });
    for (const graph of ['svg', 'mermaid'] as const) {
      const view = await sequences.read({ keyOrId: key, graph });
      assert.match(view.graph ?? '', 'READERS OF THE');
      assert.not.match(view.graph ?? '', listId);
      assert.match(JSON.stringify(view.nodes), listId);
    }
    const { graph = '' } = await sequences.read({ keyOrId: key, graph: 'svg' });
    assert.match(graph, /READERS OF [A-Z ]*…</);
  });

  test('publishing reports a template that is still a draft', async () => {
    const { templates, sequences } = bench.calls;
    await templates.create({ key: 'unpublished', mode: 'html', subject: 'Hi {{ name }}', body: '<p>{{ name }}</p>' });
    const { key } = await sequences.create({
      name: 'Draft',
      nodes: [{ id: 'mail', kind: 'send_email', templateKey: 'unpublished' }],
    });
    const refused = await sequences.publish({ keyOrId: key }).catch((error: unknown) => error);
    assert.ok(isPostriderError(refused, 'sequence_invalid'), String(refused));
    assert.equal(
      refused.details?.map(({ path, code }) => [path, code]),
      [['nodes.mail', 'template_draft']],
    );
  });

  test('a trigger of a missing plugin is refused at once', async () => {
    const without = withoutPlugin(bareStandardPlugins, 'pages') as unknown as typeof bareStandardPlugins;
    const smaller = await openSequenceBench(database, without);
    const trigger = { kind: 'form_submitted', pageId: 'pg_1' };
    const answer = await smaller.request('/v1/sequences', { body: { name: 'A', nodes: [], trigger } });
    await smaller.close();
    const [{ path, code }] = answer.body.error.details;
    assert.equal([answer.status, path, code], [422, 'trigger.kind', 'not_composed']);
  });

  test('events that are not about a contact are refused at once', async () => {
    const refuse = async (nodes: readonly object[]) => {
      const { status, body } = await bench.request('/v1/sequences', {
        body: { name: 'A', nodes, trigger: { kind: 'manual' } },
        headers: headers(),
      });
      return `${status} ${body.error?.details?.[0]?.path} ${body.error?.details?.[0]?.code}`;
    };
    const wait = (type: string) => ({ id: 'wait', kind: 'wait_for_event', type, timeout: 'P1D' });
    assert.is(await refuse([wait('webhook.disabled')]), '422 nodes.0.type event_unknown');
    assert.is(await refuse([wait('send.invented')]), '422 nodes.0.type event_unknown');
  });

  test('if a key is revoked as compromised, its published sequences are paused; after another revocation they are not', async () => {
    const { calls, service, workspaceId } = bench;
    const key = await service.keys.create({ workspaceId, name: 'CI', mode: 'live', preset: 'full' });
    const otherKey = await service.keys.create({ workspaceId, name: 'CI 2', mode: 'live', preset: 'full' });
    const keys: string[] = [];
    for (const { secret } of [key, otherKey]) {
      const { key: created } = await calls.sequences.create({ name: 'By key', nodes: [mark('one')] });
      await bench.request(`/v1/sequences/${created}/publish`, { body: {}, key: secret, headers: headers() });
      keys.push(created);
    }
    await service.keys.revoke(workspaceId, otherKey.id);
    await service.keys.revoke(workspaceId, key.id, { compromised: true });
    const statuses = [];
    for (const keyOrId of keys) statuses.push((await calls.sequences.read({ keyOrId })).status);
    assert.equal(statuses, ['paused', 'published']);
    const { data } = await calls.sequences.list({ publishedBy: otherKey.id });
    assert.equal(
      data.map(({ key: one }) => one),
      [keys[1]],
    );
  });

  test('a list that a published sequence names cannot be deleted', async () => {
    const { calls } = bench;
    const { listId } = await calls.lists.create({ name: 'News' });
    const keyOrId = await bench.published({ name: 'Joins', nodes: [{ id: 'join', kind: 'add_to_list', listId }] });
    assert.is(await bench.codeOf(() => calls.lists.delete({ listId })), 'list_in_use');
    await calls.sequences.archive({ keyOrId });
    assert.is(await bench.codeOf(() => calls.lists.delete({ listId })), 'none');
  });

  test('a template that a published sequence sends cannot be archived', async () => {
    const { calls } = bench;
    await bench.template('greeting');
    const variables = { name: 'Ada' };
    const greet = { id: 'greet', kind: 'send_email', templateKey: 'greeting', variables } as const;
    const keyOrId = await bench.published({ key: 'greets', name: 'Greets', nodes: [greet] });
    const refusal = await calls.templates.archive({ key: 'greeting' }).catch((error: unknown) => error);
    assert.ok(isPostriderError(refusal, 'template_in_use'));
    assert.match(refusal.message, 'greeting is sent by the sequence greets.');
    await calls.sequences.archive({ keyOrId });
    assert.is(await bench.codeOf(() => calls.templates.archive({ key: 'greeting' })), 'none');
  });

  test('a workspace has at most 500 sequences: archived sequences do not count, but their keys stay reserved', async () => {
    const { calls } = bench;
    const keyOrId = await bench.published({ key: 'first', name: 'First', nodes: [mark('one')] });
    for (let created = 1; created < 500; created += 1) await calls.sequences.create({ name: `Sequence ${created}` });
    assert.is(await bench.codeOf(() => calls.sequences.create({ name: 'One more' })), 'limit_reached');
    await calls.sequences.archive({ keyOrId });
    assert.is(await bench.codeOf(() => calls.sequences.create({ key: 'first', name: 'Again' })), 'key_taken');
    assert.is(await bench.codeOf(() => calls.sequences.create({ name: 'One more' })), 'none');
  });

  test('sequences in code exist in every workspace, and the API cannot change them', async () => {
    const open = (nodes: readonly ReturnType<typeof mark>[]) =>
      bareStandardPlugins.map((plugin) =>
        plugin.id === 'sequences'
          ? sequencesPlugin({
              sequences: [
                { key: 'in-code', name: 'In code', trigger: { kind: 'manual' }, nodes: [...nodes], edges: [] },
              ],
            })
          : plugin,
      ) as typeof bareStandardPlugins;
    const ownBench = await openSequenceBench(database, open([mark('one')]));
    try {
      const { calls } = ownBench;
      const created = await calls.sequences.read({ keyOrId: 'in-code' });
      assert.equal(
        [created.status, created.source, created.version, created.publishedBy],
        ['published', 'code', 1, null],
      );
      for (const act of [
        () => calls.sequences.update({ keyOrId: 'in-code', name: 'Mine' }),
        () => calls.sequences.publish({ keyOrId: 'in-code' }),
        () => calls.sequences.pause({ keyOrId: 'in-code' }),
        () => calls.sequences.archive({ keyOrId: 'in-code' }),
      ])
        assert.is(await ownBench.codeOf(act), 'state_conflict');
      const { runId } = await calls.sequences.enroll({ keyOrId: 'in-code', contact: { email: 'ada@example.org' } });
      await ownBench.drain();
      assert.equal(await ownBench.stepsOf(runId), ['one completed']);
    } finally {
      await ownBench.close();
    }
    assert.throws(
      () =>
        sequencesPlugin({ sequences: [{ key: 'No', name: 'No', trigger: { kind: 'manual' }, nodes: [], edges: [] }] }),
      TypeError,
    );
  });
});
