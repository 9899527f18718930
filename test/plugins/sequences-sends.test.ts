// time-limit: 480
// The effects of nodes: a webhook node delivers to one subscription, permissions are checked at every step, lists and SMS, an exhausted
// budget delays sends to the next month, and hundreds of members who join at once start runs.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { openSequenceBench, type SequenceBench } from '../support/sequence-bench.ts';

await twoDatabases('nodes of sequences', (test, database) => {
  let bench: SequenceBench;
  test.before.each(async () => {
    bench = await openSequenceBench(database);
  });
  test.after.each(() => bench.close());

  const contact = { email: 'ada@example.org' };

  test('a webhook node makes one delivery of sequence_run.node_reached to its subscription', async () => {
    const { calls } = bench;
    const url = 'https://127.0.0.1/hooks';
    const otherWebhook = await calls.webhooks.create({ url, events: ['send.bounced'] });
    await calls.webhooks.create({ url, events: ['*'] });
    const keyOrId = await bench.published({
      name: 'Tell',
      nodes: [{ id: 'tell', kind: 'webhook', webhookId: otherWebhook.id }],
    });
    const { runId } = await calls.sequences.enroll({ keyOrId, contact });
    const sandbox = bench.service.as(bench.workspaceId, { sandbox: true });
    const sandboxRun = await sandbox.sequences.enroll({ keyOrId, contact });
    await bench.drain();
    const reachedEvents = await bench.events('sequence_run.node_reached');
    assert.equal(
      reachedEvents.map(({ run, nodeId }) => [run.runId, nodeId]),
      [[runId, 'tell']],
    );
    const deliveries = (await calls.webhooks.deliveries({ id: otherWebhook.id })).data;
    assert.equal(
      deliveries.map(({ event_type: type }) => type),
      ['sequence_run.node_reached'],
    );
    const { steps } = await sandbox.sequences.runRead({ runId: sandboxRun.runId });
    assert.equal([steps[0]?.status, steps[0]?.reason], ['skipped', 'webhook_not_found']);
  });

  test('a simulation omits the HTML of its mails on request', async () => {
    const { calls } = bench;
    await bench.template('hello');
    const nodes = [{ id: 'greet', kind: 'send_email', templateKey: 'hello', variables: { name: 'you' } }] as const;
    const { key: keyOrId } = await calls.sequences.create({ name: 'Seen', nodes: [...nodes] });
    const renderedMail = async (options: object) =>
      (await calls.sequences.simulate({ keyOrId, ...options })).path[0]?.rendered;
    const withHtml = await renderedMail({});
    assert.type(withHtml?.html, 'string');
    assert.equal(await renderedMail({ html: false }), { ...withHtml, html: null });
  });

  test('a text knows whether the contact is subscribed, however it names the field', async () => {
    const { calls } = bench;
    await bench.template('hello');
    const email = 'left@example.org';
    await calls.suppressions.create({ email, reason: 'unsubscribe' });
    for (const name of ['is {{ contact.subscribed }}', 'is {{ contact["subscribed"] }}']) {
      const node = { id: 'greet', kind: 'send_email', templateKey: 'hello', variables: { name } } as const;
      await calls.sequences.enroll({ keyOrId: await bench.published({ name, nodes: [node] }), contact: { email } });
    }
    await bench.drain();
    const { data: sent } = await calls.sends.list({ to: email });
    assert.equal(
      sent.map(({ subject }) => subject),
      ['Hello is false', 'Hello is false'],
    );
  });

  test("a mail uses the language in the contact's attribute locale, both in a simulation and in a run", async () => {
    const { calls } = bench;
    await calls.templates.create({
      key: 'hello',
      mode: 'html',
      locale: 'en',
      subject: 'Hello',
      body: '<p>Hello</p>',
      locales: { de: { subject: 'Hallo', body: '<p>Hallo</p>' } },
    });
    await calls.templates.publish({ key: 'hello' });
    const nodes = [{ id: 'greet', kind: 'send_email', templateKey: 'hello' }] as const;
    const keyOrId = await bench.published({ name: 'Greeting', nodes: [...nodes] });
    const subjects: [locale: unknown, subject: string][] = [
      ['de-AT', 'Hallo'],
      ['fr', 'Hello'],
      ['no language at all', 'Hello'],
      [7, 'Hello'],
      [undefined, 'Hello'],
    ];
    for (const [index, [locale, subject]] of subjects.entries()) {
      const attributes = (locale === undefined ? {} : { locale }) as Record<string, string>;
      const simulation = await calls.sequences.simulate({ keyOrId, contact: { attributes }, html: false });
      assert.is((simulation.path[0]?.rendered as { subject: string } | undefined)?.subject, subject, String(locale));
      const email = `reader${index}@example.org`;
      await calls.contacts.upsert({ email, attributes });
      await calls.sequences.enroll({ keyOrId, contact: { email } });
      await bench.drain();
      const { data: sent } = await calls.sends.list({ to: email });
      assert.equal(
        sent.map((send) => send.subject),
        [subject],
        String(locale),
      );
    }
  });

  test('a step fails permanently if its publisher lacks the scope: not_permitted', async () => {
    const { calls } = bench;
    await bench.template('hello');
    const { key } = await calls.sequences.create({
      name: 'Draft',
      nodes: [{ id: 'greet', kind: 'send_email', templateKey: 'hello', variables: { name: 'you' } }],
    });
    const secret = await bench.keyWith(['sequences:trigger', 'sequences:read'], { mode: 'test' });
    const { body } = await bench.request(`/v1/sequences/${key}/enroll`, {
      key: secret,
      body: { contact },
      headers: { 'idempotency-key': 'draft' },
    });
    await bench.drain();
    const run = await bench.request(`/v1/sequence-runs/${body.runId}`, { key: secret });
    assert.equal(
      [run.body.status, run.body.exitReason, run.body.steps[0].status],
      ['failed', 'not_permitted', 'failed'],
    );
    assert.equal(
      (await bench.events('sequence_run.failed')).map(({ runId }) => runId),
      [body.runId],
    );
  });

  test('a run can join and leave lists, and an SMS needs the consent of the number', async () => {
    const { calls } = bench;
    const { listId } = await calls.lists.create({ name: 'In' });
    const sms = {
      kind: 'send_sms',
      templateKey: 'order_shipped',
      variables: { order: '1', carrier: 'DHL', url: 'https://example.com' },
    };
    const [template] = (await calls.sms.catalog({})).data.filter(({ templateKey }) => templateKey === 'order_shipped');
    const names = Object.keys((template?.variables['properties'] ?? {}) as object);
    const variables = Object.fromEntries(names.map((name) => [name, 'https://example.com/a']));
    const keyOrId = await bench.published({
      name: 'Both',
      nodes: [
        { id: 'join', kind: 'add_to_list', listId },
        { ...sms, id: 'text', kind: 'send_sms', variables },
      ],
      edges: [{ from: 'join', to: 'text', when: 'next' }],
      settings: { reentry: 'always' },
    });
    const stepsOf = async (options: object) => {
      const { runId } = await calls.sequences.enroll({ keyOrId, contact: options });
      await bench.drain();
      const { steps } = await calls.sequences.runRead({ runId });
      return steps.map(({ status, reason }) => `${status} ${reason}`);
    };
    assert.equal(await stepsOf(contact), ['completed null', 'skipped no_phone']);
    assert.is((await calls.lists.read({ listId })).contactCount, 1);
    await calls.contacts.upsert({ ...contact, attributes: { phone: '+12025550123' } });
    assert.equal(await stepsOf(contact), ['completed null', 'skipped no_consent']);
    const grantedAt = new Date(bench.now()).toISOString();
    await calls.sms.consentCreate({ to: '+12025550123', source: 'form', wording: 'Text me.', grantedAt: grantedAt });
    assert.equal(await stepsOf(contact), ['completed null', 'completed null']);
  });

  test('an exhausted budget delays a send to the next month', async () => {
    const { calls } = bench;
    await bench.template('hello');
    await bench.service.workspaces.update(bench.workspaceId, { figures: { monthlySendBudget: 0 } });
    const keyOrId = await bench.published({
      name: 'Send',
      nodes: [{ id: 'greet', kind: 'send_email', templateKey: 'hello', variables: { name: 'you' } }],
      settings: { overdueAfter: 'P60D' },
    });
    const { runId } = await calls.sequences.enroll({ keyOrId, contact });
    await bench.drain();
    const [step] = (await calls.sequences.runRead({ runId })).steps;
    assert.equal(
      [step?.status, step?.reason, step?.dueAt],
      ['pending', 'send_budget_exhausted', '2026-02-01T00:00:00.000Z'],
    );
    await bench.service.workspaces.update(bench.workspaceId, { figures: { monthlySendBudget: 10 } });
    bench.advanceClock(32 * 86_400_000);
    await bench.drain();
    assert.equal(await bench.stepsOf(runId), ['greet completed']);
  });

  test('after two hours of outage every mail of a list is sent, but after days the remaining mails are skipped and counted', async () => {
    const { calls } = bench;
    await bench.template('hello');
    const { listId } = await calls.lists.create({ name: 'Readers' });
    const contactIds: string[] = [];
    for (let index = 0; index < 30; index += 1)
      contactIds.push((await calls.contacts.upsert({ email: `late${index}@example.org` })).id);
    await calls.lists.membersAdd({ listId, contactIds });
    const keyOrId = await bench.published({
      name: 'News',
      nodes: [
        { id: 'pause', kind: 'delay', for: 'PT1H' },
        { id: 'one', kind: 'send_email', templateKey: 'hello', variables: { name: 'you' } },
        { id: 'rest', kind: 'delay', for: 'P1D' },
        { id: 'two', kind: 'send_email', templateKey: 'hello', variables: { name: 'you' } },
      ],
      edges: [
        { from: 'pause', to: 'one' },
        { from: 'one', to: 'rest' },
        { from: 'rest', to: 'two' },
      ],
    });
    const { enrollmentId } = await calls.sequences.enrollList({ keyOrId, listId });
    await bench.drain();
    bench.advanceClock(3 * 3_600_000);
    await bench.drain();
    assert.is(bench.mail.messages().length, 30);
    assert.equal((await calls.sequences.enrollmentRead({ keyOrId, enrollmentId })).skipped, {});
    bench.advanceClock(3 * 86_400_000);
    await bench.drain();
    assert.is(bench.mail.messages().length, 30);
    assert.equal((await calls.sequences.enrollmentRead({ keyOrId, enrollmentId })).skipped, { overdue: 30 });
    const { stats } = await calls.sequences.read({ keyOrId, stats: 'true' });
    assert.equal([stats?.['one']?.skipped, stats?.['two']?.skipped], [{}, { overdue: 30 }]);
  });

  test('a wait for a send event also matches an event from before the wait, both in the sandbox and live', async () => {
    await bench.template('hello');
    const keyOrId = await bench.published({
      name: 'Heard',
      nodes: [
        { id: 'greet', kind: 'send_email', templateKey: 'hello', variables: { name: 'you' } },
        { id: 'pause', kind: 'delay', for: 'PT1H' },
        { id: 'heard', kind: 'wait_for_event', type: 'send.delivered', ofNode: 'greet', timeout: 'P3D' },
        { id: 'again', kind: 'wait_for_event', type: 'send.delivered', ofNode: 'greet', timeout: 'P1D' },
      ],
      edges: [
        { from: 'greet', to: 'pause' },
        { from: 'pause', to: 'heard' },
        { from: 'heard', when: 'matched', to: 'again' },
      ],
    });
    const sandbox = bench.service.as(bench.workspaceId, { sandbox: true });
    const sandboxRun = await sandbox.sequences.enroll({ keyOrId, contact });
    const live = await bench.calls.sequences.enroll({ keyOrId, contact });
    const silent = await bench.calls.sequences.enroll({ keyOrId, contact: { email: 'bea@example.org' } });
    await bench.drain();
    // The report arrives during the pause, before the run waits for it.
    await bench.reportDelivered(contact.email);
    bench.advanceClock(3_600_000);
    await bench.drain();
    const edges = async (read: typeof sandbox, runId: string) =>
      (await read.sequences.runRead({ runId })).steps.map(
        ({ nodeId, output }) => `${nodeId} ${output?.['edge'] ?? ''}`,
      );
    // One event ends only one wait.
    assert.equal(await edges(sandbox, sandboxRun.runId), ['greet ', 'pause ', 'heard matched', 'again ']);
    assert.equal(await edges(bench.calls, live.runId), ['greet ', 'pause ', 'heard matched', 'again ']);
    assert.equal(await edges(bench.calls, silent.runId), ['greet ', 'pause ', 'heard ']);
    await bench.reportDelivered('bea@example.org');
    await bench.drain();
    assert.equal(await edges(bench.calls, silent.runId), ['greet ', 'pause ', 'heard matched', 'again ']);
  });

  test('if hundreds of members join a list in one call, each starts one run', async () => {
    const { calls } = bench;
    const { listId } = await calls.lists.create({ name: 'Many' });
    const keyOrId = await bench.published({
      name: 'Many',
      trigger: { kind: 'list_joined', listId },
      nodes: [{ id: 'wait', kind: 'delay', for: 'P30D' }],
    });
    const contactIds: string[] = [];
    const people = Array.from({ length: 300 }, (_, index) => ({ email: `m${index}@example.org` }));
    for (const one of people) contactIds.push((await calls.contacts.upsert(one)).id);
    await bench.drain();
    await calls.lists.membersAdd({ listId, contactIds });
    await bench.drain();
    const sequence = await calls.sequences.read({ keyOrId, stats: 'true' });
    assert.equal([sequence.enrolledCount, sequence.activeRunCount, sequence.stats?.['wait']?.waiting], [300, 300, 300]);
  });
});
