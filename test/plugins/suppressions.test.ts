// The suppression list: effect, scope, expiry, changes and lookup of suppressed addresses.
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const variables = { name: 'Ada' };
const hour = 3_600_000;

await twoDatabases('suppressions', (test, database) => {
  let bench: MailBench;
  let calls = 0;
  test.before(async () => {
    bench = await openMailBench(database);
    for (const category of ['transactional', 'system', 'marketing']) await bench.publish(category, { category });
  });
  test.after(() => bench.close());

  const suppress = async (email: string, body: object = {}) => {
    calls += 1;
    const headers = { 'idempotency-key': `suppress-${calls}` };
    return bench.request('/v1/suppressions', { body: { email, ...body }, headers });
  };
  const deleteSuppression = (email: string) =>
    bench.request(`/v1/suppressions/${encodeURIComponent(email)}`, { method: 'DELETE' });
  const statusOf = async (to: string, template = 'transactional', body: object = {}): Promise<string> => {
    const answer = await bench.send(template, { to, variables, ...body });
    assert.is(answer.status, 202, JSON.stringify(answer.body));
    return answer.body.status;
  };
  const list = async (query = 'limit=100') => (await bench.request(`/v1/suppressions?${query}`)).body.data;

  test('a suppression has exactly its fields, with the normalised address', async () => {
    const { status, body } = await suppress('Ada.Lovelace@GMail.com', { note: 'asked by phone' });
    assert.is(status, 201);
    assert.equal(body, {
      email: 'adalovelace@gmail.com',
      reason: 'manual',
      scope: 'all',
      send_id: null,
      note: 'asked by phone',
      created_at: new Date(bench.now()).toISOString(),
      expires_at: null,
    });
    assert.equal((await list())[0], body);
  });

  test('a suppression is found by any spelling of its address', async () => {
    await suppress('Found.Me@gmail.com');
    const results = await list('email=found.me%2Bx@gmail.com');
    assert.equal(await list('email=FoundMe@googlemail.com'), await list('email=foundme@gmail.com'));
    assert.equal(
      (await list('email=foundme@gmail.com')).map(({ email }: { email: string }) => email),
      ['foundme@gmail.com'],
    );
    assert.equal(results, []);
    assert.equal(await list('email=nobody@example.com'), []);
  });

  test('a whole domain or a pattern is refused, because it would suppress nothing', async () => {
    for (const email of ['x.example', '@x.example', '*@x.example', '*.x.example', 'sales*@x.example']) {
      const { status, body } = await suppress(email);
      assert.is(status, 422, email);
      assert.match(body.error.message, 'email: A suppression applies to one address, not to a whole domain', email);
    }
    assert.match((await suppress('no address')).body.error.message, 'This is not an email address');
    assert.is((await suppress('o*neil@x.example')).status, 201);
  });

  test('a suppression applies to every spelling of its address, and to no other address', async () => {
    await suppress('john.public@gmail.com');
    const gmail = ['johnpublic@gmail.com', 'JOHN.PUBLIC@GMAIL.COM', 'j.o.h.n.public@gmail.com'];
    for (const to of [...gmail, 'john.public@googlemail.com', 'JohnPublic@GoogleMail.com']) {
      assert.is(await statusOf(to), 'suppressed', to);
    }
    for (const to of ['johnpublic+a@gmail.com', 'john.public@example.org', 'johnpublic@mail.com']) {
      assert.is(await statusOf(to), 'sent', to);
    }
    await suppress('ada@MÜLLER.example');
    assert.is(await statusOf('ada@xn--mller-kva.example'), 'suppressed');
  });

  test('a suppression ends when it is deleted, and a second deletion returns deleted: false', async () => {
    await suppress('again@example.org');
    assert.is(await statusOf('again@example.org'), 'suppressed');
    const first = await deleteSuppression('AGAIN@example.org');
    assert.equal([first.status, first.body], [200, { email: 'again@example.org', deleted: true }]);
    const second = await deleteSuppression('again@example.org');
    assert.equal([second.status, second.body], [200, { email: 'again@example.org', deleted: false }]);
    assert.is(await statusOf('again@example.org'), 'sent');
  });

  test('a suppression ends at its expiry, is not listed afterwards, and is removed', async () => {
    const email = 'for-an-hour@example.org';
    await suppress(email, { expires_at: new Date(bench.now() + hour).toISOString() });
    bench.advanceClock(hour - 1);
    assert.is(await statusOf(email), 'suppressed');
    bench.advanceClock(1);
    assert.is(await statusOf(email), 'sent');
    const emails = (await list()).map((row: { email: string }) => row.email);
    assert.is(emails.includes(email), false);
    await bench.service.jobs.runSchedules();
    bench.advanceClock(2 * hour);
    await bench.service.jobs.runSchedules();
    assert.is((await deleteSuppression(email)).body.deleted, false);
  });

  test('a new suppression of an address whose old one has expired replaces it completely', async () => {
    const email = 'complained-once@example.org';
    await suppress(email, { reason: 'complaint', expires_at: new Date(bench.now() + hour).toISOString() });
    bench.advanceClock(hour);
    assert.is(await statusOf(email), 'sent');
    const { body } = await suppress(email, { reason: 'hard_bounce' });
    assert.equal(
      [body.reason, body.expires_at, body.created_at],
      ['hard_bounce', null, new Date(bench.now()).toISOString()],
    );
    assert.is(await statusOf(email), 'suppressed');
  });

  test('a suppression for a complaint can be widened, but not weakened', async () => {
    const email = 'complained@example.org';
    const expires_at = new Date(bench.now() + hour).toISOString();
    const firstAnswer = await suppress(email, { reason: 'complaint', scope: 'marketing', expires_at, note: 'first' });
    const weaker = await suppress(email, { reason: 'manual', scope: 'marketing', expires_at, note: 'second' });
    assert.equal(weaker.body, firstAnswer.body);
    const wider = await suppress(email, { reason: 'unsubscribe' });
    assert.equal(wider.body, { ...firstAnswer.body, scope: 'all', expires_at: null });
    const laterAnswer = await suppress(email, { reason: 'manual', scope: 'marketing', expires_at });
    assert.equal(laterAnswer.body, wider.body);
  });

  test('any other suppression is replaced by the latest suppression', async () => {
    const email = 'replaced@example.org';
    const first = await suppress(email, { reason: 'hard_bounce', note: 'old' });
    bench.advanceClock(1_000);
    const { body } = await suppress(email, { reason: 'manual', scope: 'marketing' });
    assert.equal(body, { ...first.body, reason: 'manual', scope: 'marketing', note: null });
  });

  test('a suppression with scope marketing lets receipts and login codes through', async () => {
    await suppress('no-news@example.org', { scope: 'marketing' });
    const statuses = await Promise.all(
      ['transactional', 'system', 'marketing'].map((template) => statusOf('no-news@example.org', template)),
    );
    assert.equal(statuses, ['sent', 'sent', 'suppressed']);
  });

  test('an unsubscription stops all mail except system mail; with unsubscribeScope it stops only marketing mail, or all mail', async () => {
    await suppress('unsubscribed@example.org', { reason: 'unsubscribe' });
    await suppress('bounced@example.org', { reason: 'hard_bounce' });
    const statuses = (to: string) =>
      Promise.all(['transactional', 'system', 'marketing'].map((template) => statusOf(to, template)));
    assert.equal(await statuses('unsubscribed@example.org'), ['suppressed', 'sent', 'suppressed']);
    await bench.service.workspaces.update(bench.workspaceId, { settings: { unsubscribeScope: 'marketing' } });
    assert.equal(await statuses('unsubscribed@example.org'), ['sent', 'sent', 'suppressed']);
    assert.equal(await statuses('bounced@example.org'), ['suppressed', 'suppressed', 'suppressed']);
    await bench.service.workspaces.update(bench.workspaceId, { settings: { unsubscribeScope: 'all' } });
    assert.equal(await statuses('unsubscribed@example.org'), ['suppressed', 'suppressed', 'suppressed']);
  });

  test('a bypass overrides every reason except a complaint', async () => {
    for (const reason of ['hard_bounce', 'unsubscribe', 'manual', 'complaint']) {
      const email = `${reason}@bypass.example.org`;
      await suppress(email, { reason });
      const status = await statusOf(email, 'transactional', { bypassSuppression: true });
      assert.is(status, reason === 'complaint' ? 'suppressed' : 'sent', reason);
      assert.is(await statusOf(email), 'suppressed');
    }
  });

  test('a suppression belongs to one workspace', async () => {
    await suppress('shared@example.org');
    const foreignCalls = bench.service.as(bench.foreignWorkspaceId);
    assert.equal((await foreignCalls.suppressions.list()).data, []);
    assert.is((await foreignCalls.suppressions.delete({ email: 'shared@example.org' })).deleted, false);
    assert.is(await statusOf('shared@example.org'), 'suppressed');
  });

  test('the list is newest first, can be filtered by reason, and has pages even with very long addresses', async () => {
    for (const email of (await list()).map((row: { email: string }) => row.email)) await deleteSuppression(email);
    const long = (index: number) =>
      `${index}@${['a', 'b', 'c'].map((letter) => letter.repeat(60)).join('.')}.${'d'.repeat(50)}.example`;
    for (let index = 0; index < 5; index += 1)
      await suppress(long(index), { reason: index === 2 ? 'complaint' : 'manual' });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await bench.request(`/v1/suppressions?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
      assert.is(page.status, 200, JSON.stringify(page.body));
      seen.push(...page.body.data.map((row: { email: string }) => row.email));
      cursor = page.body.next_cursor;
    } while (cursor !== null);
    assert.equal(seen, [4, 3, 2, 1, 0].map(long));
    assert.equal(
      (await list('reason=complaint')).map((row: { email: string }) => row.email),
      [long(2)],
    );
    assert.is((await bench.request('/v1/suppressions?reason=dislike')).status, 422);
  });

  test('only plain addresses and known fields are accepted', async () => {
    for (const [path, body] of Object.entries({
      email: { email: 'nobody' },
      reason: { email: 'a@b.co', reason: 'dislike' },
      scope: { email: 'a@b.co', scope: 'none' },
      expires_at: { email: 'a@b.co', expires_at: 'soon' },
      note: { email: 'a@b.co', note: 'x'.repeat(501) },
      ...Object.fromEntries(
        ['id', 'workspace_id', 'created_at', 'send_id', 'status', 'constructor'].map((name) => [
          name,
          { email: 'a@b.co', [name]: 'mine' },
        ]),
      ),
    })) {
      const { status, body: answer } = await suppress('', body);
      assert.equal([status, answer.error.details[0].path], [422, path]);
    }
  });

  test('the audit names the domain, but never the address', async () => {
    await suppress('secret-person@audited.example.org', { reason: 'complaint', note: 'a note' });
    await deleteSuppression('secret-person@audited.example.org');
    const { body } = await bench.request('/v1/audit?action=suppression.*&limit=2');
    const [removed, added] = body.data;
    assert.equal([added.action, removed.action], ['suppression.create', 'suppression.delete']);
    const target = { kind: 'domain', id: 'audited.example.org' };
    assert.equal([added.target, removed.target], [target, target]);
    assert.equal([added.metadata, removed.metadata], [{ reason: 'complaint' }, { deleted: true }]);
    assert.is(JSON.stringify(body.data).includes('secret-person'), false);
  });
});
