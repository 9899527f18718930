// Inputs that broke other senders, over HTTP: attribute names that every JavaScript object has, texts that look like dates or numbers,
// rows as spreadsheets write them, programs that open every link, and time zones at the edges.
// full-run: slow
// time-limit: 400
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { form } from '../support/list-bench.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { headerOf, publicUrl, urlsOf, visit } from '../support/tracked-mail.ts';

const hour = 3_600_000;
const day = 24 * hour;
const variables = { name: 'Ada' };

await twoDatabases('input that broke other senders', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database, { publicUrl });
  });
  test.after.each(() => bench.close());
  const calls = () => bench.service.as(bench.workspaceId);

  const contact = async (email: string, attributes: unknown = {}): Promise<string> => {
    const { status, body } = await bench.request('/v1/contacts', { body: { email, attributes } });
    assert.ok(status < 300, JSON.stringify(body));
    return body.id;
  };
  /** The addresses for which a filter is true, and the status. */
  const emailsOf = async (filter: unknown): Promise<string[] | number> => {
    const { status, body } = await bench.request('/v1/segments/preview', { body: { filter } });
    if (status !== 200) return status;
    return body.sample.map(({ email }: { email: string }) => email).sort();
  };
  const about = (name: string, op: string, value: unknown) => ({ path: `contact.attributes.${name}`, op, value });
  const importCsv = async (csv: string, columns: object = {}) => {
    const { status, body } = await bench.request('/v1/contacts/imports', {
      body: { csv, ...columns },
      headers: { 'idempotency-key': `import-${Math.random()}` },
    });
    if (status >= 300) return body;
    await bench.drain();
    return (await bench.request(`/v1/contacts/imports/${body.import_id}`)).body;
  };

  test('an attribute may have any name, even a name that every JavaScript object has, and a filter finds only its value', async () => {
    const names = [
      'constructor',
      'toString',
      '🎉 party',
      'العمر',
      'a.b',
      'a"b',
      "a'b",
      'a\\b',
      '$.x',
      'x[0]',
      '%',
      '\u00e9',
      'e\u0301',
    ];
    for (const [index, name] of names.entries()) await contact(`p${index}@example.org`, { [name]: `v${index}` });
    await contact('nobody@example.org');
    for (const [index, name] of names.entries()) {
      assert.equal(await emailsOf(about(name, 'eq', `v${index}`)), [`p${index}@example.org`], name);
      assert.equal(await emailsOf(about(name, 'exists', true)), [`p${index}@example.org`], name);
    }
    const rows = names.map(
      (name, index) => `q${index}@example.org,"${JSON.stringify({ [name]: 1 }).replaceAll('"', '""')}"`,
    );
    const result = await importCsv(['email,attributes', ...rows].join('\n'));
    assert.equal([result.created, result.rejected], [names.length, 0]);
    assert.equal(await emailsOf(about('constructor', 'eq', 1)), ['q0@example.org']);
  });

  test('the name __proto__ is refused or stored, and changes no other contact', async () => {
    const body = '{"email":"ada@example.org","attributes":{"__proto__":{"plan":"pro"},"plan":"free"}}';
    const { status } = await bench.request('/v1/contacts', { body: JSON.parse(body) });
    assert.ok(status < 500);
    await contact('bob@example.org');
    assert.equal(await emailsOf(about('plan', 'eq', 'pro')), []);
    assert.is(({} as { plan?: string }).plan, undefined);
  });

  test('a date that does not exist and a number with a comma are stored as texts', async () => {
    await contact('ada@example.org', { since: '2026-02-30', total: '1.234,50' });
    await contact('bob@example.org', { since: new Date(bench.now() - day).toISOString(), total: 1_234.5 });
    assert.equal(await emailsOf(about('since', 'within_days', 30)), ['bob@example.org']);
    assert.equal(await emailsOf(about('since', 'older_than_days', 30)), []);
    assert.equal(await emailsOf(about('since', 'eq', '2026-02-30')), ['ada@example.org']);
    assert.equal(await emailsOf(about('total', 'gt', 1)), ['bob@example.org']);
    const result = await importCsv('email;total\neve@example.org;1.234,50\nkim@example.org;7', {
      mapping: { email: 'email', total: 'attributes.total:number' },
    });
    assert.equal([result.created, result.faults.map(({ line }: { line: number }) => line)], [1, [2]]);
  });

  test('a contact without the attribute differs from every value, and an empty text counts as a value', async () => {
    await contact('ada@example.org', { plan: '' });
    await contact('bob@example.org');
    await contact('kim@example.org', { plan: 'pro' });
    assert.equal(await emailsOf(about('plan', 'ne', 'pro')), ['ada@example.org', 'bob@example.org']);
    assert.equal(await emailsOf(about('plan', 'exists', false)), ['bob@example.org']);
    assert.equal(await emailsOf(about('plan', 'eq', '')), ['ada@example.org']);
  });

  test('a filter with thousands of values, of great depth or of a wrong type gets 422', async () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => `user_${index}`);
    assert.is(await emailsOf({ path: 'contact.external_id', op: 'in', value: ids }), 422);
    let deep: unknown = about('a', 'eq', 1);
    for (let depth = 0; depth < 2_000; depth += 1) deep = { not: deep };
    for (const filter of [
      deep,
      [],
      'all',
      null,
      { all: {} },
      { all: [null] },
      { path: 'contact.__proto__', op: 'eq', value: 1 },
    ])
      assert.is(await emailsOf(filter), 422, JSON.stringify(filter)?.slice(0, 60));
  });

  test('an import reads rows as spreadsheets write them: padding, empty columns at the end, addresses in capitals', async () => {
    const csv =
      'Email     , name ,,\nADA+news@Example.org   , Ada ,,\nada+news@example.org,Ada L.,,,,\r\nkim@bücher.example,Kim\n\n,,,\nbob@example.org,Bob,,,7\n';
    const result = await importCsv(csv);
    assert.equal(
      [result.status, result.created, result.updated, result.faults.map(({ line }: { line: number }) => line)],
      ['completed', 2, 1, [7]],
    );
    const { body } = await bench.request('/v1/contacts');
    const emails = body.data.map(({ email }: { email: string }) => email).sort();
    assert.equal(emails, ['ada+news@example.org', 'kim@xn--bcher-kva.example']);
    const unicode = (await bench.request('/v1/contacts', { body: { email: 'kim@BÜCHER.example' } })).body;
    assert.is(unicode.email, 'kim@xn--bcher-kva.example');
    assert.is((await bench.request('/v1/contacts')).body.data.length, 2);
  });

  test('a cell of 64 kB, a zero byte and half a character are errors of their rows, and the other rows are imported', async () => {
    const csv = `email,note\nbig@example.org,${'x'.repeat(65_536)}\nzero@example.org,a\0b\nfine@example.org,fine\n`;
    const result = await importCsv(csv);
    if (result.error === undefined) {
      assert.is(result.created, 1);
      assert.equal(
        result.faults.map(({ line }: { line: number }) => line),
        [2, 3],
      );
    } else assert.is(result.error.code, 'validation_failed');
    const half = await bench.request('/v1/contacts', {
      body: { email: 'a@example.org', attributes: { note: '\ud83d' } },
    });
    assert.ok(half.status < 500, JSON.stringify(half.body));
  });

  test('programs that open links by GET or HEAD unsubscribe nobody, but a one-click request does, and receipts still arrive', async () => {
    await calls().topics.create({ key: 'news', name: 'News', default: 'subscribed' });
    await bench.publish('letter', { category: 'marketing', topicKey: 'news' });
    await bench.publish('receipt');
    await bench.send('letter', { to: 'ada@example.org', variables });
    await bench.drain();
    const [mail] = await bench.received();
    assert.ok(mail);
    const leave = (headerOf(mail, 'List-Unsubscribe') ?? '').slice(1, -1);
    const links = [leave, ...urlsOf(mail).links];
    const programs: Readonly<Record<string, string>>[] = [
      {},
      { purpose: 'prefetch' },
      { 'sec-purpose': 'prefetch;prerender' },
    ];
    for (const link of links)
      for (const method of ['GET', 'HEAD'])
        for (const headers of programs)
          assert.ok((await visit(bench, link, { method, headers })).status < 500, `${method} ${link}`);
    const id = await contact('ada@example.org');
    const wants = async () => (await calls().preferences.read({ contactId: id })).preferences[0]?.subscribed;
    assert.is(await wants(), true);
    const click = await visit(bench, leave, { method: 'POST', headers: { 'content-type': 'application/json' } });
    assert.is(click.status, 200);
    assert.is(await wants(), false);
    assert.is((await bench.send('receipt', { to: 'ada@example.org', variables })).body.status, 'sent');
    assert.is((await bench.send('letter', { to: 'ada@example.org', variables })).body.whyNotSent, 'topic');
  });

  test('unticking every topic on the page ends these topics, not all marketing mail', async () => {
    const { topics } = calls();
    await topics.create({ key: 'news', name: 'News', default: 'subscribed' });
    await topics.create({ key: 'offers', name: 'Offers', default: 'subscribed' });
    const body = '<p>Hi {{name}} <a href="%unsubscribe_url%">Leave</a> <a href="%preferences_url%">Choose</a></p>';
    await bench.publish('letter', { category: 'marketing', topicKey: 'news', body });
    await bench.publish('plain', { category: 'marketing' });
    await bench.send('letter', { to: 'ada@example.org', variables });
    await bench.drain();
    const [mail] = await bench.received();
    assert.ok(mail);
    const page = urlsOf(mail).links.find((link) => link.includes('/preferences/')) ?? '';
    const nothing = [
      ['do', 'save'],
      ['ticked_topic', 'news'],
      ['ticked_topic', 'offers'],
    ] as const;
    assert.is((await visit(bench, page, form(nothing))).status, 303);
    const id = await contact('ada@example.org');
    const { preferences } = await calls().preferences.read({ contactId: id });
    assert.equal(
      preferences.map(({ subscribed }) => subscribed),
      [false, false],
    );
    assert.is((await bench.send('plain', { to: 'ada@example.org', variables })).body.status, 'sent');
  });

  test('a name that every JavaScript object has is an unknown topic', async () => {
    const id = await contact('ada@example.org');
    await calls().topics.create({ key: 'news', name: 'News', default: 'subscribed' });
    for (const topics of ['{"__proto__":true}', '{"constructor":true}', '{"news":false,"toString":true}', '{}', '[]']) {
      const { status } = await bench.request(`/v1/contacts/${id}/preferences`, {
        method: 'PUT',
        body: { topics: JSON.parse(topics) },
        headers: { 'idempotency-key': topics },
      });
      assert.ok(status === 404 || status === 422, `${topics}: ${status}`);
    }
    const { preferences } = await calls().preferences.read({ contactId: id });
    assert.equal(
      preferences.map(({ subscribed, source }) => [subscribed, source]),
      [[true, null]],
    );
  });

  test('if ten requests change two topics at the same time, each topic has one preference, and each change has one event', async () => {
    const id = await contact('ada@example.org');
    for (const key of ['news', 'offers']) await calls().topics.create({ key, name: key, default: 'subscribed' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        bench.request(`/v1/contacts/${id}/preferences`, {
          method: 'PUT',
          body: { topics: index % 2 === 0 ? { news: true, offers: false } : { offers: true, news: false } },
          headers: { 'idempotency-key': `set-${index}` },
        }),
      ),
    );
    assert.equal([...new Set(answers.map(({ status }) => status))], [200]);
    const { preferences } = await calls().preferences.read({ contactId: id });
    assert.is(preferences.length, 2);
    // Each call sets the two topics to opposite values, so they are opposite after the last call.
    assert.is.not(preferences[0]?.subscribed, preferences[1]?.subscribed);
    for (const { topic, subscribed } of preferences) {
      const events = [...(await bench.events('topic.subscribed')), ...(await bench.events('topic.unsubscribed'))];
      const topicEvents = events.filter((event) => JSON.stringify(event).includes(`"${topic}"`));
      const counts = ['subscribed', 'unsubscribed'].map(
        (type) => topicEvents.filter((event) => JSON.stringify(event).includes(`topic.${type}`)).length,
      );
      // Events of a topic alternate between subscribed and unsubscribed.
      assert.ok(Math.abs((counts[0] ?? 0) - (counts[1] ?? 0)) <= 1, `${topic} ${subscribed} ${counts}`);
    }
  });

  test('a contact keeps the zone of the calendar if its time zone has another type or does not exist', async () => {
    await bench.publish('news', { category: 'marketing' });
    await bench.request('/v1/marketing/calendar', {
      method: 'PATCH',
      body: { quietHours: { from: '00:00', to: '23:59' }, timezone: 'UTC' },
    });
    const zones = [
      '+25:00',
      'x'.repeat(2_000),
      5,
      true,
      ['Europe/Vienna'],
      '',
      'constructor',
      'Europe/Vienna\n',
      '+14:01',
    ];
    for (const [index, timezone] of zones.entries()) {
      await contact(`z${index}@example.org`, { timezone });
      const { status, body } = await bench.send('news', { to: `z${index}@example.org`, variables });
      assert.is(status, 202, JSON.stringify(body));
      assert.ok(['scheduled', 'sent'].includes(body.status), JSON.stringify([timezone, body]));
    }
  });

  test('the weekday is that of the recipient, even 14 hours ahead of UTC, and the month of a cap has 30 days', async () => {
    await bench.publish('news', { category: 'marketing' });
    const noon = 12 * hour;
    const start = bench.now();
    // Noon of a Friday in UTC is Saturday on Kiritimati.
    const days = (5 - new Date(start).getUTCDay() + 7) % 7 || 7;
    bench.advanceClock(Math.floor(start / day) * day + days * day + noon - start);
    await bench.request('/v1/marketing/calendar', {
      method: 'PATCH',
      body: { weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'], caps: [{ max: 1, per: 'month' }] },
    });
    await contact('far@example.org', { timezone: 'Pacific/Kiritimati' });
    await contact('offset@example.org', { timezone: '+14:00' });
    const friday = Math.floor(bench.now() / day) * day;
    for (const to of ['far@example.org', 'offset@example.org']) {
      const { body } = await bench.send('news', { to, variables });
      // There, Monday begins at 10:00 UTC on Sunday.
      assert.equal(
        [body.status, body.scheduledAt],
        ['scheduled', new Date(friday + 2 * day + 10 * hour).toISOString()],
      );
    }
    assert.is((await bench.send('news', { to: 'near@example.org', variables })).body.status, 'sent');
    bench.advanceClock(28 * day);
    assert.is((await bench.send('news', { to: 'near@example.org', variables })).body.whyNotSent, 'frequency_cap');
    bench.advanceClock(3 * day);
    assert.is((await bench.send('news', { to: 'near@example.org', variables })).body.status, 'sent');
  });
});
