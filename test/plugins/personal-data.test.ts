// Exports and erases a person in every plugin. Afterwards no column of any table contains the address in any spelling, the statistics are
// unchanged, other people's data is unchanged, and a complaint still protects the address.
// time-limit: 240
// full-run: slow
import * as assert from 'uvu/assert';
import type { TestResponse } from '../../hosts/testing/test-service.ts';
import { eachDatabase } from '../support/databases.ts';
import { dumpTables, tablesWith } from '../support/dump-tables.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import type { SinkResponse } from '../support/smtp-sink.ts';

type Body = TestResponse['body'];

const spelling = 'Grace.M.Hopper@GMail.com';
const normalised = 'gracemhopper@gmail.com';
/** The address of another person, which ends with the erased address. */
const otherEmail = 'anne-gracemhopper@gmail.com';
const day = 86_400_000;

/** The tables that still contain data of the person. */
async function tracesIn(bench: MailBench): Promise<string[]> {
  const gracesData = /(?<![\w-])g\.?race\.?m\.?hopper@gmail|private note|Grace Hopper/i;
  return tablesWith(bench.service, gracesData);
}

await eachDatabase('personal data', (test, database) => {
  let bench: MailBench;
  let calls = 0;
  test.before.each(async () => {
    bench = await openMailBench(database);
    await bench.publish('receipt', { subject: 'Hello {{name}}' });
    bench.sink.answer('bounced+grace@example.org', { code: 550, text: '5.1.1 No such user' });
  });
  test.after.each(() => bench.close());

  const post = async (path: string, body: unknown, key = bench.liveKey): Promise<Body> => {
    calls += 1;
    const answer = await bench.request(path, { body, key, headers: { 'idempotency-key': `plant-${calls}` } });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  const send = (to: string, more: object = {}, key = bench.liveKey) =>
    post(
      '/v1/templates/receipt/send',
      {
        to,
        variables: { name: to },
        tags: ['receipts', `for ${to}`],
        metadata: { account: to, note: to === otherEmail ? 'kept' : 'private note' },
        ...more,
      },
      key,
    );

  /** Creates data about the person wherever a workspace can store such data. */
  async function plant(): Promise<{ id: string; metadata: object }> {
    const attributes = { full_name: 'Grace Hopper', says: 'private note', tags: ['vip', 'private note'] };
    const { id } = await post('/v1/contacts', { external_id: 'g1', email: spelling, attributes });
    const metadata = { ordered_by: spelling, note: 'private note', deep: { cc: [normalised] } };
    for (const type of ['order.placed', 'order.paid'])
      await post('/v1/events', { type, contact: { email: 'grace.mhopper@gmail.com' }, metadata });
    const attachments = [{ filename: 'a.txt', content_type: 'text/plain', data_base64: 'aGk=' }];
    await send(spelling, { attachments });
    await bench.drain();
    bench.sink.answer(spelling, { code: 451, text: `4.2.2 The mailbox of <${spelling}> is full` });
    await send(spelling);
    await bench.drain();
    bench.sink.answer(spelling, { code: 550, text: `5.1.1 user='${normalised}' is not here` });
    await send(spelling);
    await bench.drain();
    await post('/v1/suppressions', {
      email: spelling,
      reason: 'complaint',
      note: `${spelling} called us: private note`,
    });
    await send(normalised);
    await send(spelling, { send_at: new Date(bench.now() + day).toISOString(), bypassSuppression: true });
    await send(spelling, {}, bench.testKey);
    await bench.drain();
    for (const to of [otherEmail]) await send(to);
    await post('/v1/contacts', { email: otherEmail, attributes: { kept: true } });
    await post('/v1/events', { type: 'order.placed', contact: { email: otherEmail }, metadata: { kept: true } });
    await bench.drain();
    return { id, metadata };
  }

  const statistics = async () => {
    const sends = (await bench.request('/v1/sends?limit=100')).body.data;
    const { usage } = (await bench.request('/v1/workspace')).body;
    return {
      usage,
      templates: sends.map(({ templateKey }: Body) => templateKey),
      times: sends.map(({ createdAt }: Body) => createdAt),
      timelines: sends.filter(({ status }: Body) => status !== 'failed').map(({ events }: Body) => events.length),
    };
  };
  const everythingOf = async (to: string) => ({
    sends: (await bench.request(`/v1/sends?to=${encodeURIComponent(to)}`)).body.data,
    contacts: (await bench.request(`/v1/contacts?email=${encodeURIComponent(to)}`)).body.data,
  });

  test('an export contains everything, and erasing a contact leaves nothing in any column', async () => {
    const { id, metadata } = await plant();
    const tablesBefore = await tracesIn(bench);
    for (const table of [
      'contacts',
      'contact_events',
      'sends',
      'send_tags',
      'send_events',
      'inbox_messages',
      'suppressions',
    ])
      assert.ok(tablesBefore.includes(table), `${table} contains no data of the person`);
    for (const table of ['outbox', 'audit', 'idempotency', 'jobs'])
      assert.ok(tablesBefore.includes(table), `something was planted in ${table}`);
    const { personalData } = bench.service;
    const exported = await personalData.export(bench.workspaceId, { personId: id });
    assert.equal(exported, await personalData.export(bench.workspaceId, { email: 'GraceM.Hopper@gmail.com' }));
    assert.equal(JSON.parse(JSON.stringify(exported)), exported, 'the export consists of JSON values');
    const [contact] = (exported['contacts']?.['contacts'] ?? []) as Body[];
    assert.equal([contact.id, contact.address_as_given, contact.subscribed], [id, spelling, false]);
    assert.equal(contact.attributes.tags, ['vip', 'private note']);
    assert.equal(((exported['email']?.['sends'] ?? []) as Body[])[0].tags.length, 2);
    assert.equal(
      ((exported['contacts']?.['events'] ?? []) as Body[]).map((event) => event.metadata),
      [metadata, metadata],
    );
    assert.is(exported['email']?.['sends']?.length, 6);
    assert.match(JSON.stringify(exported['email']), '4.2.2 The mailbox of');
    assert.is(exported['suppressions']?.['suppressions']?.length, 1);
    assert.is(exported['inbox']?.['messages']?.length, 1);
    assert.ok((exported['core']?.['events']?.length ?? 0) > 5);
    const { data } = (await bench.request('/v1/audit?action=personal_data.*')).body;
    assert.equal(
      data.map(({ action, target }: Body) => [action, target.id]),
      [
        ['personal_data.export', id],
        ['personal_data.export', id],
      ],
    );

    const [before, others] = [await statistics(), await everythingOf(otherEmail)];
    assert.is(others.sends.length, 1);
    const deletion = await bench.request(`/v1/contacts/${id}`, { method: 'DELETE' });
    assert.equal(deletion.body, { id, deleted: true });
    assert.is((await bench.request(`/v1/contacts/${id}`)).status, 404);
    await bench.drain();
    assert.equal(await bench.service.jobs.list(), [], 'a job failed');
    assert.equal(await tracesIn(bench), []);
    const after = await statistics();
    assert.equal([after.usage, after.templates, after.times], [before.usage, before.templates, before.times]);
    assert.equal(await everythingOf(otherEmail), others);
    assert.match((await dumpTables(bench.service)).map(([, text]) => text).join('\n'), otherEmail);

    const list = (await bench.request('/v1/sends?limit=100')).body.data;
    const pseudonyms = new Set(list.map(({ to }: Body) => to).filter((to: string) => to !== otherEmail));
    assert.is(pseudonyms.size, 1, 'a person has one pseudonym');
    const [pseudonym] = [...pseudonyms] as string[];
    assert.match(String(pseudonym), /^erased:[0-9a-f]{40}$/);
    const path = `/v1/sends?to=${encodeURIComponent(String(pseudonym))}`;
    const sides = [bench.liveKey, bench.testKey].map((key) => bench.request(path, { key }));
    const counts = (await Promise.all(sides)).map(({ body }) => body.data.length);
    assert.equal(counts, [5, 1], 'both on the live side and in the sandbox');
    const receipts = (await bench.request('/v1/sends?tag=receipts')).body.data;
    assert.is(receipts.length, 6, 'a tag that names nobody is kept');
    const taggedSends = (await bench.request(`/v1/sends?tag=${encodeURIComponent(`for ${pseudonym}`)}`)).body.data;
    assert.equal([taggedSends.length, taggedSends[0].tags], [5, ['receipts', `for ${pseudonym}`]]);
    const audit = (await bench.request('/v1/audit?action=event.emit')).body.data;
    assert.equal(
      audit.filter(({ target }: Body) => target.id === id).map((entry: Body) => entry.metadata),
      [{}, {}],
    );
    assert.is(audit.length, 3);
  });

  test('a retry of a call that was accepted before the erasure gets its replay, without the address', async () => {
    const { id } = await post('/v1/contacts', { email: spelling });
    const call = () =>
      bench.request('/v1/templates/receipt/send', {
        body: { to: spelling, variables: { name: 'x' } },
        headers: { 'idempotency-key': 'retried' },
      });
    const first = await call();
    await bench.request(`/v1/contacts/${id}`, { method: 'DELETE' });
    await bench.drain();
    const repeat = await call();
    assert.is(repeat.headers['Idempotent-Replay'], 'true');
    assert.is(repeat.body.id, first.body.id);
    assert.match(repeat.body.to, /^erased:/);
  });

  test('if its recipient is erased, a message that was not sent yet is never sent', async () => {
    const { id } = await post('/v1/contacts', { email: spelling });
    const scheduledSend = await send(spelling, { send_at: new Date(bench.now() + day).toISOString() });
    await bench.request(`/v1/contacts/${id}`, { method: 'DELETE' });
    await bench.drain();
    bench.advanceClock(2 * day);
    await bench.drain();
    assert.is(bench.sink.messages.length, 0);
    const row = await bench.readSend(scheduledSend.id);
    assert.is(row.status, 'failed');
    assert.match(row.whyNotSent, 'was erased before');
    assert.equal(await bench.service.jobs.list(), []);
  });

  test('if its recipient is erased during delivery, a send stays failed', async () => {
    let count = 0;
    const statusAfterErasure = async (answer: SinkResponse | undefined) => {
      count += 1;
      const to = `in-flight-${count}@example.com`;
      if (answer !== undefined) bench.sink.answer(to, answer);
      const { id } = await send(to);
      bench.sink.before(to, () => bench.service.personalData.erase(bench.workspaceId, { email: to }));
      await bench.drain();
      const { status, events } = await bench.readSend(id);
      return [status, ...events.map(({ type }: { type: string }) => type)];
    };
    const expected = ['failed', 'send.queued', 'send.failed'];
    assert.equal(await statusAfterErasure(undefined), expected);
    assert.equal(await statusAfterErasure({ code: 550, text: '5.1.1 No such user' }), expected);
    assert.equal(await statusAfterErasure({ code: 554, text: '5.7.1 Refused' }), expected);
    assert.equal(await statusAfterErasure({ code: 451, text: '4.2.2 Later' }), expected);
    assert.equal(await bench.service.jobs.list(), []);
  });

  test('a complaint still protects an address after its erasure', async () => {
    const { id } = await post('/v1/contacts', { email: spelling });
    await post('/v1/suppressions', { email: spelling, reason: 'complaint' });
    await bench.request(`/v1/contacts/${id}`, { method: 'DELETE' });
    await bench.drain();
    assert.match((await bench.request('/v1/suppressions')).body.data[0].email, /^erased:/);
    const answer = await send('g.racemhopper@gmail.com', { bypassSuppression: true });
    assert.is(answer.status, 'suppressed');
    assert.is((await post('/v1/contacts', { email: normalised })).subscribed, false);
    const suppression = await post('/v1/suppressions', { email: spelling, reason: 'manual', note: spelling });
    assert.equal([suppression.email, suppression.reason], [normalised, 'complaint'], 'it is still a complaint');
    assert.is((await bench.request('/v1/suppressions')).body.data.length, 1);
    await bench.service.personalData.erase(bench.workspaceId, { email: spelling });
    assert.is((await bench.request('/v1/suppressions')).body.data.length, 1);
    assert.equal(await tracesIn(bench), []);
    const path = `/v1/suppressions/${encodeURIComponent(spelling)}`;
    assert.is((await bench.request(path, { method: 'DELETE' })).body.deleted, true);
    assert.is((await send(spelling)).status, 'sent');
  });

  test('a person with hundreds of rows is erased in batches, by an address without a contact', async () => {
    const many = 230;
    const email = bench.service.as(bench.workspaceId).email;
    const events = bench.service.as(bench.workspaceId).events;
    for (let index = 0; index < many; index += 10) {
      await Promise.all(
        Array.from({ length: 10 }, () => email.send({ template: 'receipt', to: spelling, variables: { name: 'x' } })),
      );
      bench.advanceClock(1);
      await Promise.all(Array.from({ length: 10 }, () => events.emit({ type: 'x', contact: { email: spelling } })));
    }
    await send(otherEmail);
    await bench.service.personalData.erase(bench.workspaceId, { email: spelling });
    assert.equal(await tracesIn(bench), []);
    const { data } = (await bench.request(`/v1/sends?to=${otherEmail}`)).body;
    assert.is(data.length, 1);
    const all = await bench.service.personalData.export(bench.workspaceId, { email: spelling });
    assert.equal(all['email']?.['sends'], []);
    const { data: audit } = (await bench.request('/v1/audit?action=personal_data.erase')).body;
    assert.is(audit.length, 1);
    await bench.drain();
    assert.equal(await tracesIn(bench), []);
    assert.is(
      bench.sink.messages.some(({ recipients: [to] }) => to !== otherEmail),
      false,
    );
  });

  test('export and erase refuse a call without a person, and never touch another workspace', async () => {
    const { personalData } = bench.service;
    const codes = await Promise.all(
      [personalData.export(bench.workspaceId, {}), personalData.erase(bench.workspaceId, {})].map((call) =>
        call.then(
          () => 'none',
          (error: { code?: string }) => error.code,
        ),
      ),
    );
    assert.equal(codes, ['validation_failed', 'validation_failed']);
    const foreignCalls = bench.service.as(bench.foreignWorkspaceId);
    const { id } = await foreignCalls.contacts.upsert({ email: spelling });
    await foreignCalls.suppressions.create({ email: spelling });
    await personalData.erase(bench.workspaceId, { email: spelling });
    await personalData.erase(bench.workspaceId, { personId: id });
    assert.is((await foreignCalls.contacts.read({ contactId: id })).email, normalised);
    assert.is((await foreignCalls.suppressions.list()).data[0]?.email, normalised);
  });

  test('an erasure returns the number of records per plugin', async () => {
    const { personalData } = bench.service;
    const calls = bench.service.as(bench.workspaceId);
    assert.equal(await personalData.erase(bench.workspaceId, { email: 'nobody@example.org' }), {
      found: false,
      records: {},
    });
    const { id } = await calls.contacts.upsert({ email: 'counted@example.org' });
    await calls.suppressions.create({ email: 'counted@example.org' });
    const counts = await personalData.erase(bench.workspaceId, { personId: id });
    assert.is(counts.found, true);
    assert.is(counts.records['contacts']?.['contacts'], 1);
    assert.is(counts.records['suppressions']?.['suppressions'], 1);
    assert.is(counts.records['sends'], undefined, 'plugins without records are omitted');
    assert.equal(await personalData.erase(bench.workspaceId, { personId: id }), { found: false, records: {} });
  });
});
