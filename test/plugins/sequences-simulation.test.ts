// Warnings of a simulation: variables without a value in the contact, the event or the run. Publishing cannot check this, because
// contacts may have any attributes, and events any metadata.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { openSequenceBench, type SequenceBench } from '../support/sequence-bench.ts';

await twoDatabases('warnings of simulations', (test, database) => {
  let bench: SequenceBench;
  test.before.each(async () => {
    bench = await openSequenceBench(database);
  });
  test.after.each(() => bench.close());

  test('a mail uses the language of the node or of the contact, both in a simulation and in a send', async () => {
    const { templates, sequences, sends } = bench.calls;
    const german = { subject: 'Willkommen', body: '<p>Hallo</p>' };
    await templates.create({
      key: 'hi',
      mode: 'html',
      subject: 'Welcome',
      body: '<p>Hello</p>',
      locale: 'en',
      locales: { de: german },
    });
    await templates.publish({ key: 'hi' });
    const publishNode = async (name: string, locale: object) => {
      const nodes = [{ id: 'hi', kind: 'send_email' as const, templateKey: 'hi', ...locale }];
      const { key } = await sequences.create({ name, nodes });
      await sequences.publish({ keyOrId: key });
      return key;
    };
    const ofContact = await publishNode('By the attribute locale', {});
    const ofLiquid = await publishNode('By Liquid', { locale: '{{ contact.attributes.language }}' });
    const germanSequence = await publishNode('Always German', { locale: 'de' });
    const cases = [
      [ofContact, { locale: 'de-AT' }, 'Willkommen'],
      [ofContact, { locale: 'fr' }, 'Welcome'],
      [ofContact, { locale: 'no tag!' }, 'Welcome'],
      [ofContact, {}, 'Welcome'],
      [ofLiquid, { language: 'de', locale: 'en' }, 'Willkommen'],
      [ofLiquid, { locale: 'de' }, 'Welcome'],
      [germanSequence, { locale: 'en' }, 'Willkommen'],
    ] as const;
    for (const [index, [keyOrId, attributes, subject]] of cases.entries()) {
      const email = `person${index}@example.org`;
      await bench.calls.contacts.upsert({ email, attributes });
      const { path } = await sequences.simulate({ keyOrId, contact: { email } });
      assert.is(path[0]?.rendered?.subject, subject, `simulated ${index}`);
      await sequences.enroll({ keyOrId, contact: { email } });
      await bench.drain();
      assert.is((await sends.list({ to: email })).data[0]?.subject, subject, `sent ${index}`);
    }
  });

  test('an invalid language tag is refused, and a language that reads an unknown path is an error', async () => {
    const { sequences } = bench.calls;
    await bench.template('hello');
    const node = { id: 'a', kind: 'send_email' as const, templateKey: 'hello', variables: { name: 'you' } };
    const refused = await sequences
      .create({ name: 'No tag', nodes: [{ ...node, locale: 'no tag!' }] })
      .catch((error) => error);
    assert.match(refused.message, 'nodes.0.locale: This is neither a language tag');
    const { key } = await sequences.create({ name: 'Path', nodes: [{ ...node, locale: '{{ contact.language }}' }] });
    const fault = await sequences.publish({ keyOrId: key }).catch((error) => error);
    assert.match(fault.message, 'a, locale: contact has no language. Did you mean contact.attributes.language?');
  });

  const open = async (required: readonly string[]) => {
    const { templates, sequences } = bench.calls;
    await templates.create({
      key: 'welcome',
      mode: 'html',
      subject: 'Hello {{name}}',
      body: '<p>{{plan}} {{items}} {{code}}</p>',
      variables: {
        type: 'object',
        required: [...required],
        properties: {
          name: { type: 'string' },
          plan: { type: 'string', default: 'free' },
          items: { type: 'integer' },
          code: { type: 'string' },
        },
      },
    });
    await templates.publish({ key: 'welcome' });
    const variables = {
      name: '{{ contact.attributes.frist_name }}',
      plan: '{{contact.attributes.plan}}',
      items: '{{ event.metadata.itmes }}',
      code: '{{ variables.code }}',
    };
    const nodes = [{ id: 'hello', kind: 'send_email' as const, templateKey: 'welcome', variables }];
    const { key } = await sequences.create({ name: 'Welcome', trigger: { kind: 'event', type: 'signed_up' }, nodes });
    await sequences.publish({ keyOrId: key });
    return async (contact: Readonly<Record<string, string>>, metadata: Readonly<Record<string, number>>) =>
      sequences.simulate({
        keyOrId: key,
        contact: { attributes: contact },
        variables: { code: 'X1' },
        events: [{ type: 'signed_up', metadata }],
      });
  };

  test('each variable without a value is reported with its path, even if the message is not sent', async () => {
    const simulate = await open([]);
    const missing = ({ warnings }: { readonly warnings: readonly string[] }) =>
      warnings.filter((warning) => warning.startsWith('hello: '));
    const sentResult = await simulate({ first_name: 'Ada', plan: 'pro' }, { items: 2 });
    assert.is(sentResult.path[0]?.outcome, 'completed');
    assert.equal(missing(sentResult), [
      'hello: name is left out, since this run has no value for {{ contact.attributes.frist_name }}.',
      'hello: items is left out, since this run has no value for {{ event.metadata.itmes }}.',
    ]);
    assert.equal(missing(await simulate({ frist_name: 'Ada', plan: 'pro' }, { itmes: 2 })), []);
  });

  test('missing variables are also reported if the message fails', async () => {
    const simulate = await open(['name']);
    const failedResult = await simulate({ first_name: 'Ada' }, { itmes: 2 });
    assert.is(failedResult.status, 'failed');
    assert.match(failedResult.path[0]?.reason ?? '', 'variables_invalid');
    assert.equal(failedResult.warnings.slice(0, 2), [
      'hello: name is left out, since this run has no value for {{ contact.attributes.frist_name }}.',
      'hello: plan is left out, since this run has no value for {{contact.attributes.plan}}.',
    ]);
  });

  test('an unknown contact is reported with the given reference and with remedies', async () => {
    const { sequences } = bench.calls;
    const { key } = await sequences.create({ name: 'Empty run', nodes: [{ id: 'end', kind: 'exit' }] });
    for (const [contact, name] of [
      [{ email: 'nobody@example.com' }, 'the address nobody@example.com'],
      [{ external_id: 'u@7' }, 'the external_id u@7'],
    ] as const) {
      const refused = await sequences.simulate({ keyOrId: key, contact }).catch((error) => error);
      const advice = /creates it\. Or give attributes of a made-up person\.$/;
      assert.match(refused.message, `There is no contact with ${name}. `);
      assert.match(refused.message, advice);
    }
  });

  test('an archived template fails the run with the message of the refusal', async () => {
    const { templates, sequences } = bench.calls;
    await bench.template('gone_soon');
    const nodes = [{ id: 'a', kind: 'send_email' as const, templateKey: 'gone_soon', variables: { name: 'you' } }];
    const { key } = await sequences.create({ name: 'Gone soon', nodes });
    await templates.archive({ key: 'gone_soon' });
    const { path } = await sequences.simulate({ keyOrId: key, contact: { attributes: {} } });
    assert.match(path[0]?.reason ?? '', 'template_archived: The template gone_soon is archived for good: ');
  });

  test('a key without further scopes gets no mails and no memberships, and a missing time is reported', async () => {
    const { sequences, lists } = bench.calls;
    await bench.template('hello');
    const { listId } = await lists.create({ name: 'Secret list' });
    const { id } = await bench.calls.contacts.upsert({ email: 'member@example.org' });
    await lists.membersAdd({ listId, contactIds: [id] });
    const { key } = await sequences.create({
      name: 'Looked at',
      nodes: [
        {
          id: 'which',
          kind: 'branch',
          conditions: [{ filter: { path: `list.${listId}`, op: 'exists', value: true } }],
        },
        { id: 'greet', kind: 'send_email', templateKey: 'hello', variables: { name: 'you' } },
        { id: 'soon', kind: 'delay', relativeTo: { path: 'contact.attributes.ends', offset: '-P3D' } },
      ],
      edges: [
        { from: 'which', when: 'branch:0', to: 'greet' },
        { from: 'which', when: 'else', to: 'greet' },
        { from: 'greet', to: 'soon' },
      ],
    });
    const simulateWith = async (scopes: string[]) => {
      const by = await bench.keyWith(scopes);
      const body = { contact: { email: 'member@example.org' } };
      return (await bench.request(`/v1/sequences/${key}/simulate`, { key: by, body })).body;
    };
    const all = await simulateWith(['sequences:read', 'contacts:read', 'templates:read', 'lists:read']);
    assert.is(all.path[0].outcome, 'branch:0');
    assert.ok(all.path[1].rendered.subject);
    assert.equal([all.status, all.path[2].reason], ['failed', 'time_missing']);
    assert.ok(all.warnings.includes('soon: There is no time at contact.attributes.ends. The step fails.'));
    const few = await simulateWith(['sequences:read', 'contacts:read']);
    assert.equal([few.path[0].outcome, few.path[1].outcome, few.path[1].rendered], ['else', 'completed', null]);
    assert.match(few.warnings.join(' '), /templates:read.*lists:read/);
  });

  test('an event about a message of a node belongs to this run, whether its values are data or metadata', async () => {
    const { sequences } = bench.calls;
    await bench.template('greeting');
    const nodes = [
      { id: 'a', kind: 'send_email' as const, templateKey: 'greeting', variables: { name: 'you' } },
      { id: 'wait', kind: 'wait_for_event' as const, type: 'send.opened', ofNode: 'a', timeout: 'P1D' },
    ];
    const { key: keyOrId } = await sequences.create({
      name: 'Opened',
      nodes,
      edges: [{ from: 'a', when: 'next', to: 'wait' }],
    });
    const startAt = '2026-05-20T09:00:00Z';
    const at = '2026-05-20T10:00:00Z';
    const contact = { attributes: {} };
    const outcomeOf = async (values: { readonly data?: object; readonly metadata?: object }) => {
      const events = [{ type: 'send.opened', at, ...values }] as never;
      return (await sequences.simulate({ keyOrId, contact, startAt, events })).path[1]?.outcome;
    };
    assert.is(await outcomeOf({ data: { metadata: { nodeId: 'a' } } }), 'matched');
    assert.is(await outcomeOf({ metadata: { nodeId: 'a' } }), 'matched');
    assert.is(await outcomeOf({ data: { metadata: { nodeId: 'other' } } }), 'timeout');
  });
});
