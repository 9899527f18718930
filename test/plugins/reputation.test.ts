// The reputation guard from outside: a bad list is stopped, mail that people wait for still leaves, and a member or the program releases
// the hold.
// time-limit: 400
// full-run: slow
import * as assert from 'uvu/assert';
import type { PostriderError } from '../../core/index.ts';
import type { Reputation } from '../../plugins/reputation/schema.ts';
import { twoDatabases } from '../support/databases.ts';
import { openReputationBench, type ReputationBench } from '../support/reputation-bench.ts';

const minute = 60_000;
const hour = 60 * minute;
const variables = { name: 'Ada' };
const noMailbox = { code: 550, text: '5.1.1 No such user' };

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'succeeded',
    ({ code }: PostriderError) => code,
  );

await twoDatabases('reputation', (test, database) => {
  let bench: ReputationBench;
  test.before.each(async () => {
    bench = await openReputationBench(database);
  });
  test.after.each(() => bench.close());

  const calls = () => bench.service.as(bench.workspaceId);
  const addresses = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}@list.example`);
  const bounce = { class: 'hard', subType: 'no_mailbox', diagnostic: '550 5.1.1 No such user' } as const;
  const reportBounces = (ids: readonly string[]) =>
    bench.transact(async (ctx) => {
      for (const id of ids) await ctx.services.sendReports.report(ctx, id, { kind: 'bounced', bounce });
    });
  /** Sends the newsletter to a list. Servers accept all mails, and afterwards return the first `bad` of them. Returns the ids. */
  const newsletter = async (count: number, bad: number, prefix = 'r') => {
    const recipients = addresses(count, prefix).map((to) => ({ to, variables }));
    const { data } = await calls().email.batch({ template: 'news', recipients });
    await bench.drain();
    const ids = data.flatMap((item) => ('id' in item ? [item.id] : []));
    await reportBounces(ids.slice(0, bad));
    await bench.drain();
    return ids;
  };
  const send = async (template: string, to: string) => (await bench.send(template, { to, variables })).body;
  const row = (body: Pick<Reputation, 'windows'>, domain: string | null) =>
    body.windows.filter((one) => one.domain === domain && one.kind === 'hard_bounces');

  test('a bought list of 150 addresses with 80 hard bounces is stopped, while receipts still leave', async () => {
    await newsletter(150, 80);
    const reputation = await bench.reputation();
    assert.is(reputation.state, 'held');
    const [day] = row(reputation, 'example.com').filter(({ window }) => window === '24h');
    assert.equal(day, {
      domain: 'example.com',
      window: '24h',
      kind: 'hard_bounces',
      handedOver: 150,
      faults: 80,
      rate: 0.533333,
      warn: 0.025,
      hold: 0.05,
    });
    const [latest] = reputation.history;
    assert.equal([latest.state, latest.by], ['held', 'system']);
    assert.match(
      latest.note,
      /^Hard bounces in (1 hour|24 hours).*: \d+ of \d+ mails, [\d.]+ %\. The limit is \d+ %\.$/,
    );
    const [event, ...more] = await bench.events('reputation.held');
    assert.equal([event?.state, event?.history[0]?.state, more.length], ['held', 'held', 0]);

    const news = await send('news', 'eve@example.org');
    assert.equal([news.status, news.whyNotSent, news.scheduledAt], ['scheduled', 'reputation_hold', null]);
    const receipt = await send('receipt', 'eve@example.org');
    assert.is(receipt.status, 'sent');
    await bench.drain();
    assert.is((await bench.readSend(receipt.id)).status, 'sent');
    assert.is((await bench.readSend(news.id)).status, 'scheduled');
    const { id: contactId } = await calls().contacts.upsert({ email: 'eve@example.org' });
    const { reasons } = await calls().contacts.deliverability({ contactId, templateKey: 'news' });
    assert.equal(
      reasons.map(({ code }: { code: string }) => code),
      ['reputation_hold'],
    );
  });

  test('a bounce rate of one in 13 has no effect', async () => {
    await newsletter(13, 1);
    assert.is(await bench.state(), 'ok');
    assert.equal((await bench.reputation()).history, []);
  });

  test('after a release waiting mail leaves, and the rates start again', async () => {
    await newsletter(150, 80);
    const heldSend = await send('news', 'eve@example.org');
    await bench.drain();
    bench.advanceClock(30 * hour);
    await bench.drain();
    assert.is(await bench.state(), 'held', 'a hold does not end by itself');
    assert.is((await bench.readSend(heldSend.id)).status, 'scheduled');

    await bench.release('The list was bought. It is deleted.');
    const after = await bench.reputation();
    assert.is(after.state, 'ok');
    assert.equal(
      after.history.map(({ state, by, note }: Reputation['history'][number]) => [state, by, note.slice(0, 12)]),
      [
        ['ok', 'service', 'The list was'],
        ['held', 'system', 'Hard bounces'],
      ],
    );
    assert.ok(row(after, null).every(({ handedOver }) => handedOver === 0));
    bench.advanceClock(15 * minute);
    await bench.drain();
    assert.is((await bench.readSend(heldSend.id)).status, 'sent');
    // 19 more bounces are below the minimum of faults, because the 80 bounces before the release no longer count.
    await newsletter(60, 19, 'again');
    assert.is(await bench.state(), 'ok');
    await newsletter(1, 1, 'more');
    assert.is(await bench.state(), 'held');
  });

  test('a late bounce of mail that was sent before the release does not count after it', async () => {
    const ids = await newsletter(150, 80);
    bench.advanceClock(minute);
    await bench.release();
    await reportBounces(ids.slice(80, 140));
    await bench.drain();
    assert.is(await bench.state(), 'ok');
  });

  test('a list is stopped while it is being sent, if the servers of its recipients refuse the mail at once', async () => {
    const list = addresses(150, 'now');
    for (const to of list.slice(0, 80)) bench.sink.answer(to, noMailbox);
    await calls().email.batch({ template: 'news', recipients: list.map((to) => ({ to, variables })) });
    await bench.drain();
    const { state, windows } = await bench.reputation();
    const [hourly] = row({ windows }, null);
    assert.is(state, 'held');
    assert.ok(hourly);
    const { handedOver, faults } = hourly;
    assert.ok(handedOver >= 50 && handedOver < 150 && faults >= 20, `${faults} of ${handedOver}`);
    const { data: waiting } = await calls().sends.list({ status: 'scheduled', limit: 100 });
    assert.is(waiting.length, Math.min(150 - handedOver, 100), 'mail that was accepted and not handed over waits');
    assert.ok(waiting.every(({ whyNotSent }) => whyNotSent === 'reputation_hold'));
  });

  test('mail of the sandbox is neither counted nor held', async () => {
    await newsletter(150, 80);
    const { body: sandboxed } = await bench.send('news', { to: 'eve@example.org', variables }, { key: bench.testKey });
    await bench.drain();
    assert.is((await bench.readSend(sandboxed.id)).status, 'delivered');
    const empty = await bench.reputation(bench.testKey);
    assert.equal([empty.state, empty.history], ['ok', []]);
    assert.ok(empty.windows.every(({ handedOver }: { handedOver: number }) => handedOver === 0));
    const foreign = await bench.service.as(bench.foreignWorkspaceId).reputation.read();
    assert.equal([foreign.state, foreign.history], ['ok', []]);
    await bench.release();
    const simulatedBounce = { simulationScenario: 'hard_bounced', variables };
    for (const to of addresses(60, 's'))
      await bench.send('receipt', { to, ...simulatedBounce }, { key: bench.testKey });
    await bench.drain();
    assert.is(await bench.state(), 'ok');
  });

  test('a member can release a hold with a key, but a key without a member cannot, and without a hold nobody can', async () => {
    const body = { note: 'Deleted.' };
    const release = (key: string, given: object = body) =>
      bench.request('/v1/reputation/release', {
        key,
        body: given,
        headers: { 'idempotency-key': `r-${key}-${given}` },
      });
    const codes = async (key: string, given?: object) => {
      const { status, body: answer } = await release(key, given);
      return [status, answer.error?.code ?? answer.state];
    };
    assert.equal(await codes(bench.liveKey), [409, 'state_conflict']);
    assert.is(await codeOf(bench.release()), 'state_conflict');
    await newsletter(150, 80);
    const nobody = await bench.keyWith(['broadcasts:send'], { members: [] });
    assert.equal(await codes(nobody), [403, 'member_not_allowed']);
    const departedKey = await bench.keyWith(['broadcasts:send'], { members: ['u_gone'] });
    assert.equal(await codes(departedKey), [403, 'member_not_allowed']);
    const reader = await bench.keyWith(['sends:read']);
    assert.equal(await codes(reader), [403, 'insufficient_scope']);
    assert.is((await bench.reputation(reader)).state, 'held');
    assert.equal(await codes(bench.testKey), [403, 'live_key_required']);
    assert.is(await codeOf(calls().reputation.release(body)), 'member_not_allowed');
    const { status, body: released } = await bench.request('/v1/reputation/release', {
      body,
      headers: { 'idempotency-key': 'release' },
    });
    assert.equal([status, released.state, released.history[0].note], [200, 'ok', 'Deleted.']);
    const { data: audit } = (await bench.request('/v1/audit?action=reputation.release')).body;
    assert.equal(
      [audit.length, audit[0].metadata.uid, released.history[0].by],
      [1, audit[0].metadata.uid, audit[0].metadata.uid],
    );
  });

  test('a release by the program needs a note', async () => {
    await newsletter(150, 80);
    for (const note of ['', '   ', 'x'.repeat(2_001), undefined])
      assert.is(
        await codeOf(bench.service.workspaces.releaseReputation(bench.workspaceId, { note } as { note: string })),
        'validation_failed',
      );
    assert.is(
      await codeOf(bench.service.workspaces.releaseReputation('ws_none', { note: 'No' })),
      'workspace_not_found',
    );
    assert.is(await bench.state(), 'held');
  });

  test('there is one event for a warning, which stops no mail and ends after a day', async () => {
    await bench.handOver({ mails: 1_000 });
    await bench.report('hard_bounce', { mails: 25 });
    await bench.drain();
    assert.is(await bench.state(), 'warned');
    await bench.report('hard_bounce', { mails: 1 });
    await bench.drain();
    assert.is((await bench.events('reputation.warned')).length, 1);
    assert.is((await send('news', 'eve@example.org')).status, 'sent');
    bench.advanceClock(24 * hour);
    assert.is(await bench.state(), 'ok');
    assert.is((await bench.reputation()).history.length, 1);
  });

  test('complaints in a report cause a hold, and count only for mail to domains that report complaints', async () => {
    await bench.handOver({ mails: 10_000, to: 'ada@gmail.com' });
    await bench.handOver({ mails: 500, to: 'ada@yahoo.co.uk' });
    await bench.handOver({ mails: 500, to: 'ada@hotmail.fr' });
    await bench.report('complaint', { mails: 9, to: 'bob@yahoo.co.uk' });
    await bench.drain();
    assert.is(await bench.state(), 'warned', '9 of 1,000 in an hour');
    await bench.report('complaint', { to: 'bob@hotmail.fr' });
    await bench.drain();
    const { state, windows } = await bench.reputation();
    assert.is(state, 'held');
    assert.equal(
      windows
        .filter(({ domain, kind }: Record<string, unknown>) => domain === null && kind === 'complaints')
        .map(({ window, handedOver, faults, rate }: Record<string, unknown>) => [window, handedOver, faults, rate]),
      [
        ['1h', 1_000, 10, 0.01],
        ['24h', 1_000, 10, 0.01],
      ],
    );
  });

  test('another domain that reports complaints is counted separately', async () => {
    await bench.handOver({ mails: 50_000, to: 'ada@yahoo.com' });
    await bench.handOver({ mails: 200, to: 'a@firm.example' });
    await bench.handOver({ mails: 200, to: 'b@other.example' });
    await bench.report('complaint', { mails: 4, to: 'a@firm.example' });
    await bench.drain();
    assert.is(await bench.state(), 'ok');
    await bench.report('complaint', { to: 'a@firm.example' });
    await bench.drain();
    const { state, windows } = await bench.reputation();
    assert.is(state, 'held');
    const [shown] = windows.filter(
      ({ domain, kind, window }: Record<string, unknown>) =>
        domain === null && kind === 'complaints' && window === '1h',
    );
    assert.equal([shown.handedOver, shown.faults], [200, 5]);
  });

  test('a bad domain is found among much good mail of another domain', async () => {
    await bench.handOver({ mails: 9_000, from: 'hello@example.com' });
    await bench.handOver({ mails: 100, from: 'promo@offers.example.com' });
    await bench.report('hard_bounce', { mails: 30, from: 'promo@offers.example.com' });
    await bench.drain();
    const { state, windows, history } = await bench.reputation();
    assert.is(state, 'held');
    assert.match(history[0].note, / from offers\.example\.com: 30 of 100 mails, 30 %/);
    const domains = [...new Set(windows.map(({ domain }: { domain: string | null }) => domain))];
    assert.equal(domains, [null, 'example.com', 'offers.example.com']);
  });

  test("yesterday's newsletter does not hold today's receipts, but its own late reports do", async () => {
    const yesterday = bench.now();
    await bench.handOver({ mails: 20_000, at: yesterday });
    bench.advanceClock(26 * hour);
    await bench.handOver({ mails: 1_000 });
    // The complaints are 0.25 % of the newsletter, and 5 % of the receipts.
    await bench.report('complaint', { mails: 50, at: yesterday });
    await bench.drain();
    assert.is(await bench.state(), 'warned');
    const { windows } = await bench.reputation();
    assert.ok(
      windows.every(({ faults }: { faults: number }) => faults === 0),
      "today's mail has no fault",
    );
    await bench.report('complaint', { mails: 10, at: yesterday });
    await bench.drain();
    assert.is(await bench.state(), 'held');
  });

  test('a report about mail that is older than a week does not count', async () => {
    const before = bench.now();
    await bench.handOver({ mails: 100, at: before });
    bench.advanceClock(7 * 24 * hour + 1_000);
    await bench.report('hard_bounce', { mails: 50, at: before });
    await bench.drain();
    assert.is(await bench.state(), 'ok');
  });

  test('more mail after the last report may reach a limit, within a minute', async () => {
    await bench.handOver({ mails: 49 });
    await bench.report('hard_bounce', { mails: 25 });
    await bench.drain();
    assert.is(await bench.state(), 'ok');
    await bench.handOver({ mails: 1 });
    bench.advanceClock(minute);
    await bench.drain();
    assert.is(await bench.state(), 'held');
  });

  test('merging rows does not change the windows, and old rows are removed', async () => {
    for (let index = 0; index < 40; index += 1) await bench.handOver({ mails: 2, to: `a@d${index % 2}.example` });
    await bench.report('hard_bounce', { mails: 19 });
    const before = await bench.reputation();
    const count = async (table: 'reputation_hand_overs' | 'reputation_faults') =>
      bench.transact(async ({ trx }) => (await trx.db.selectFrom(table).select('id').execute()).length);
    assert.is(await count('reputation_hand_overs'), 40);
    bench.advanceClock(20 * minute);
    await bench.drain();
    assert.is(await count('reputation_hand_overs'), 2);
    const [, day] = row(before, null);
    assert.equal(row(await bench.reputation(), null)[1], day);
    bench.advanceClock(9 * 24 * hour);
    await bench.drain();
    assert.equal([await count('reputation_hand_overs'), await count('reputation_faults')], [0, 0]);
  });
});
