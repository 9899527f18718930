// The buttons of the inbox, and the functions behind them: the effect of a provider's report on a send, live and simulated.
// full-run: slow
import * as assert from 'uvu/assert';
import { isStorageError } from '../../core/index.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import type { SendReport } from '../../plugins/email/index.ts';
import type { ReportType } from '../../plugins/inbox/wire.ts';
import { eachDatabase } from '../support/databases.ts';
import { type InboxBench, openInboxBench } from '../support/inbox-bench.ts';

const variables = { name: 'Ada' };

const ends: Readonly<
  Record<ReportType, { readonly type: string; readonly status: string; readonly suppresses?: string }>
> = {
  delivered: { type: 'send.delivered', status: 'delivered' },
  soft_bounce: { type: 'send.bounced', status: 'bounced' },
  hard_bounce: { type: 'send.bounced', status: 'bounced', suppresses: 'hard_bounce' },
  complaint: { type: 'send.complained', status: 'complained', suppresses: 'complaint' },
  open: { type: 'send.opened', status: 'sent' },
  click: { type: 'send.clicked', status: 'sent' },
};

await eachDatabase('reports', (test, database) => {
  let bench: InboxBench;
  let sent = 0;
  test.before(async () => {
    bench = await openInboxBench({ database });
    await bench.publish('hello');
    await bench.publish('plain', { body: '<p>No link, {{name}}</p>' });
  });
  test.after(() => bench.close());

  const newSend = async (key = bench.liveKey, body: object = {}, template = 'hello') => {
    sent += 1;
    const to = `reader-${sent}@example.com`;
    return { to, id: await bench.send(template, { to, variables, ...body }, key) };
  };
  const press = (id: string, body: unknown) => bench.ask(`/messages/${id}/reports`, { method: 'POST', body });
  const suppressionOf = async (email: string) => {
    const sides = [bench.liveKey, bench.testKey].map((key) => bench.request('/v1/suppressions?limit=100', { key }));
    const rows = (await Promise.all(sides)).flatMap(({ body }) => body.data);
    return rows.find((row: { email: string }) => row.email === email);
  };
  const sendOf = async (id: string) => {
    const live = await bench.request(`/v1/sends/${id}`);
    return live.status === 404 ? (await bench.request(`/v1/sends/${id}`, { key: bench.testKey })).body : live.body;
  };
  const outboxOf = async (id: string) => {
    const db = await bench.service.core.database();
    const rows = await db.read(bench.workspaceId, (handle) =>
      handle.db.selectFrom('outbox').selectAll().where('workspace_id', '=', bench.workspaceId).orderBy('id').execute(),
    );
    return rows.filter(({ data }) => data.includes(id)).map(({ type, synthetic }) => [type, synthetic]);
  };

  for (const [type, end] of Object.entries(ends)) {
    test(`${type} of a live send: timeline, status, event${end.suppresses === undefined ? '' : ', suppression'}`, async () => {
      const { to, id } = await newSend();
      const { status, json } = await press(id, { type });
      assert.equal([status, json], [200, { recorded: true, status: end.status }]);
      const send = await sendOf(id);
      const timelineEntry = send.events.at(-1);
      assert.equal([send.status, timelineEntry.type, timelineEntry.synthetic], [end.status, end.type, undefined]);
      assert.equal([send.opens, send.clicks], [type === 'open' ? 1 : 0, type === 'click' ? 1 : 0]);
      if (type === 'click') assert.equal(timelineEntry.click, { url: 'https://example.com/go' });
      assert.equal((await outboxOf(id)).at(-1), [end.type, 0]);
      const suppression = await suppressionOf(to);
      assert.is(suppression?.reason, end.suppresses);
      if (end.suppresses !== undefined) assert.equal([suppression.send_id, suppression.scope], [id, 'all']);
      assert.is((await bench.messages(`?to=${to}`))[0].status, end.status);
    });

    test(`${type} of a sandbox send: the effect is the same but marked as simulated, and no address is suppressed`, async () => {
      const { to, id } = await newSend(bench.testKey, { simulationScenario: 'opened' });
      assert.is((await press(id, { type })).json.status, end.status);
      const timelineEntry = (await sendOf(id)).events.at(-1);
      assert.equal([timelineEntry.type, timelineEntry.synthetic], [end.type, true]);
      assert.equal((await outboxOf(id)).at(-1), [end.type, 1]);
      assert.is(await suppressionOf(to), undefined);
    });
  }

  test('a report on a test send of a live key suppresses no address either', async () => {
    const to = 'tested@example.com';
    const { email } = bench.service.as(bench.workspaceId);
    const { id } = await email.sendTest({ template: 'hello', to, variables });
    await bench.drain();
    assert.is((await press(id, { type: 'hard_bounce' })).json.status, 'bounced');
    assert.is((await sendOf(id)).events.at(-1).synthetic, true);
    assert.is(await suppressionOf(to), undefined);
  });

  for (const type of ['delivered', 'soft_bounce', 'hard_bounce', 'complaint'] as const) {
    test(`a second ${type} has no further effect`, async () => {
      const { id } = await newSend();
      const first = (await press(id, { type })).json;
      const before = await sendOf(id);
      const second = await press(id, { type });
      assert.equal([second.status, second.json], [200, { recorded: false, status: first.status }]);
      assert.equal(await sendOf(id), before);
    });
  }

  test('each open and each click is counted', async () => {
    const { id } = await newSend();
    for (const type of ['open', 'open', 'click', 'open']) await press(id, { type });
    const { opens, clicks, events } = await sendOf(id);
    assert.equal([opens, clicks, events.length], [3, 1, 6]);
  });

  test('reports of bots are on the timeline but not counted; reports of unknown origin are counted', async () => {
    const { id } = await newSend();
    const { core } = bench.service;
    const workspace = await readWorkspace(core, bench.workspaceId);
    for (const verdict of ['bot', 'unknown', 'human'] as const) {
      const bot = { verdict, reason: 'a test' };
      for (const report of [
        { kind: 'opened', bot },
        { kind: 'clicked', url: 'https://example.com/go', bot },
      ] satisfies SendReport[])
        await inWorkspace(core, workspace, (ctx) => core.services.sendReports.report(ctx, id, report));
    }
    const { opens, clicks, events } = await sendOf(id);
    assert.equal([opens, clicks, events.length], [2, 2, 8]);
  });

  test('a status never moves backwards, and only a harder bounce can follow a softer one', async () => {
    const { to, id } = await newSend();
    const status = async (type: string) => (await press(id, { type })).json;
    assert.equal(await status('soft_bounce'), { recorded: true, status: 'bounced' });
    assert.is(await suppressionOf(to), undefined);
    assert.equal(await status('delivered'), { recorded: true, status: 'bounced' });
    assert.equal(await status('hard_bounce'), { recorded: true, status: 'bounced' });
    assert.is((await suppressionOf(to)).reason, 'hard_bounce');
    assert.equal(await status('soft_bounce'), { recorded: false, status: 'bounced' });
    assert.equal(await status('complaint'), { recorded: true, status: 'complained' });
    assert.is((await suppressionOf(to)).reason, 'complaint');
    assert.equal(await status('hard_bounce'), { recorded: false, status: 'complained' });
    assert.equal(
      (await sendOf(id)).events.map((event: { type: string }) => event.type),
      ['send.queued', 'send.sent', 'send.bounced', 'send.delivered', 'send.bounced', 'send.complained'],
    );
  });

  test('a report on a send that has ended is recorded, but changes no final status', async () => {
    const { id } = await newSend(bench.testKey, { simulationScenario: 'failed' });
    assert.equal((await press(id, { type: 'delivered' })).json, { recorded: true, status: 'failed' });
  });

  test('a reported complaint stops the next send', async () => {
    const { to, id } = await newSend();
    await press(id, { type: 'complaint' });
    const body = { to, variables };
    const next = await bench.request('/v1/templates/hello/send', { body, headers: { 'idempotency-key': 'next' } });
    assert.is(next.body.status, 'suppressed');
  });

  test('a click must be on a link in the message', async () => {
    const { id } = await newSend();
    assert.is((await press(id, { type: 'click', url: 'https://example.com/go' })).status, 200);
    const foreignClick = await press(id, { type: 'click', url: 'https://attacker.example/' });
    assert.equal([foreignClick.status, foreignClick.json.error.details[0].path], [422, 'url']);
    const without = await newSend(bench.liveKey, {}, 'plain');
    assert.is((await press(without.id, { type: 'click' })).status, 422);
    assert.is((await sendOf(without.id)).clicks, 0);
  });

  test('an invalid report is refused with the reason', async () => {
    const { id } = await newSend();
    for (const body of [{}, { type: 'lost' }, { type: 'open', by: 'me' }, [], 'open', null]) {
      const { status, json } = await press(id, body);
      assert.equal([status, json.error.code], [422, 'validation_failed'], JSON.stringify(body));
    }
    const form = await bench.ask(`/messages/${id}/reports`, {
      method: 'POST',
      body: { type: 'complaint' },
      headers: { 'content-type': 'text/plain' },
    });
    assert.is(form.json.error.code, 'media_type_unsupported');
    assert.is((await press('snd_none', { type: 'open' })).json.error.code, 'inbox_message_not_found');
    assert.is((await sendOf(id)).events.length, 2);
  });

  test('simultaneous identical reports have one effect', async () => {
    const { to, id } = await newSend();
    const answers = await Promise.all(Array.from({ length: 8 }, () => press(id, { type: 'hard_bounce' })));
    assert.equal(answers.map(({ json }) => json.recorded).sort(), [
      false,
      false,
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
    assert.is((await sendOf(id)).events.length, 3);
    assert.is((await suppressionOf(to)).reason, 'hard_bounce');
  });

  test('simultaneous bounces of many sends to one address are all recorded, and suppress the address once', async () => {
    const to = 'many@example.com';
    const ids: string[] = [];
    for (let count = 0; count < 6; count += 1) ids.push((await newSend(bench.liveKey, { to })).id);
    const answers = await Promise.all(ids.map((id) => press(id, { type: 'hard_bounce' })));
    assert.equal([...new Set(answers.map(({ status, json }) => `${status} ${json.recorded}`))], ['200 true']);
    assert.is((await suppressionOf(to)).reason, 'hard_bounce');
  });

  test('the function behind the buttons reports without a button, and rejects an unknown send', async () => {
    const { id } = await newSend();
    const { core } = bench.service;
    const workspace = await readWorkspace(core, bench.workspaceId);
    const report = (sendId: string, fact: SendReport) =>
      inWorkspace(core, workspace, (ctx) => core.services.sendReports.report(ctx, sendId, fact)).catch(
        (error: unknown) => (isStorageError(error) ? error.fault : Promise.reject(error)),
      );
    const delay = { kind: 'delivery_delayed', reason: 'The queue is full.' } as const;
    assert.equal(await report(id, delay), { recorded: true, status: 'delivery_delayed' });
    assert.equal(await report(id, delay), { recorded: false, status: 'delivery_delayed' });
    assert.is((await sendOf(id)).events.at(-1).reason, 'The queue is full.');
    assert.is(await report('snd_none', delay), undefined);
    const foreign = await readWorkspace(core, bench.foreignWorkspaceId);
    const stolen = await inWorkspace(core, foreign, (ctx) =>
      core.services.sendReports.report(ctx, id, { kind: 'complained' }),
    );
    assert.is(stolen, undefined);
    assert.is((await sendOf(id)).status, 'delivery_delayed');
  });
});
