// Attacks on the guard and on ramps, with real mail, signed reports and broadcasts: reports that are repeated, forged, late or in another
// order, clocks that jump, lists that are bad again after a release, and several senders at the end of a day.
// time-limit: 400
// full-run: slow
import * as assert from 'uvu/assert';
import { emailPlugin } from '../../plugins/email/index.ts';
import { reputationPlugin } from '../../plugins/index.ts';
import type { Reputation } from '../../plugins/reputation/schema.ts';
import { type BroadcastBench, openBroadcastBench } from '../support/broadcast-bench.ts';
import { twoDatabases } from '../support/databases.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { type ReportedKind, sendgrid, type TestProvider } from '../support/provider-reports.ts';
import { visit } from '../support/tracked-mail.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const variables = { name: 'Ada' };
/** Low limits, for a test that sends each mail */
const low = { handedOver: 10, faults: 4 };

await twoDatabases('attacks on the reputation', (test, database) => {
  let bench: BroadcastBench;
  let provider: TestProvider;
  test.before.each(async () => {
    provider = sendgrid();
    const email = emailPlugin({ reports: [provider.adapter] });
    const limits = { hour: low, day: low };
    const reputation = reputationPlugin({ hardBounces: limits, complaints: limits });
    const plugins = bareStandardPlugins.map((plugin) =>
      plugin.id === 'email' ? email : plugin.id === 'reputation' ? reputation : plugin,
    );
    bench = await openBroadcastBench(database, { plugins });
    await bench.publish('receipt');
  });
  test.after.each(() => bench.close());

  const people = (count: number, prefix: string, domain = 'yahoo.com') =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}@${domain}`);
  /** Sends the newsletter, and returns the Message-IDs. */
  async function newsletter(count: number, prefix = 'r', workspaceId = bench.workspaceId): Promise<string[]> {
    const recipients = people(count, prefix).map((to) => ({ to, variables }));
    await bench.service.as(workspaceId).email.batch({ template: 'news', recipients });
    const before = bench.sink.messages.length;
    await bench.drain();
    const ids = bench.sink.messages.slice(before).map(({ messageId }) => messageId);
    assert.is(ids.length, count);
    return ids;
  }
  async function post(payload: unknown, by = provider): Promise<number> {
    const { headers, body } = by.sign(payload, bench.now());
    const request = { method: 'POST', headers, body, userAgent: '' };
    return (await visit(bench, `/inbound/mail/${by.adapter.id}`, request)).status;
  }
  const about = (kind: ReportedKind, id: string, number = 0, by = provider) =>
    by.report(kind, id, number, bench.now() - (bench.now() % 1_000)) as unknown[];
  const reputation = (workspaceId = bench.workspaceId): Promise<Reputation> =>
    bench.service.as(workspaceId).reputation.read();
  const release = () => bench.service.workspaces.releaseReputation(bench.workspaceId, { note: 'The list is deleted.' });
  const faultsOf = async (kind: 'complaints' | 'hard_bounces', workspaceId = bench.workspaceId) => {
    const { windows } = await reputation(workspaceId);
    return windows.find((one) => one.domain === null && one.window === '24h' && one.kind === kind)?.faults;
  };
  const states = async () => (await reputation()).history.map(({ state }) => state).reverse();

  test('a report counts once, whatever the order and the number of its repetitions, and a forged report never counts', async () => {
    const ids = await newsletter(40);
    const three = ids.slice(0, 3);
    await post(three.flatMap((id, number) => about('hard', id, number)));
    for (let repetition = 0; repetition < 3; repetition += 1) {
      // The same report, another report about the same mail, and a report that it was delivered after all.
      for (const [number, id] of [...three.entries()].reverse()) {
        await post(about('hard', id, number));
        await post([...about('hard', id, 100 + number + repetition), ...about('delivered', id, number)]);
        await post(about('soft', id, repetition));
      }
      await bench.drain();
    }
    const forger = sendgrid();
    const forgedReports = ids.flatMap((id, number) => about('hard', id, number));
    const { headers, body } = forger.sign(forgedReports, bench.now());
    const refusal = await visit(bench, '/inbound/mail/sendgrid', { method: 'POST', headers, body, userAgent: '' });
    assert.is(refusal.status, 401);
    await post(Array.from({ length: 20 }, (_, number) => about('hard', `<snd_none${number}@example.com>`, number)[0]));
    await post(ids.slice(3, 30).flatMap((id, number) => about('soft', id, number)));
    await bench.drain();
    assert.equal([(await reputation()).state, await faultsOf('hard_bounces')], ['ok', 3]);
    await post(about('hard', ids[30] ?? ''));
    await bench.drain();
    assert.equal([await states(), await faultsOf('hard_bounces')], [['held'], 4]);
  });

  test('reports about mail of the sandbox or of another workspace change nothing in this workspace', async () => {
    await newsletter(12);
    const sandboxIds: string[] = [];
    for (const to of people(12, 's')) {
      const { body } = await bench.send('news', { to, variables }, { key: bench.testKey });
      sandboxIds.push(`<${body.messageId}@example.com>`);
    }
    const { messageId: last } = (await bench.send('news', { to: 'last@yahoo.com', variables })).body;
    await bench.drain();
    await post(sandboxIds.flatMap((id, number) => about('hard', id, number)));
    await post(sandboxIds.flatMap((id, number) => about('complained', id, number)));
    await bench.drain();
    const sandbox = await bench.calls(true).reputation.read();
    assert.equal([(await reputation()).state, sandbox.state], ['ok', 'ok']);
    assert.ok(sandbox.windows.every(({ handedOver, faults }) => handedOver === 0 && faults === 0));
    assert.equal([await faultsOf('hard_bounces'), await faultsOf('complaints')], [0, 0]);
    await post(about('complained', `<${last}@example.com>`));
    await bench.drain();
    assert.is(await faultsOf('complaints'), 1);
    assert.is(await faultsOf('complaints', bench.foreignWorkspaceId), 0);
  });

  test('the same reports lead to the same state, in any order and over several days', async () => {
    const ends: unknown[] = [];
    for (const [turn, order] of (['given', 'reversed', 'mixed'] as const).entries()) {
      const { id: workspaceId } = await bench.service.workspaces.create({
        name: order,
        plan: 'pro',
        defaultFrom: { email: 'hello@example.com', name: 'Example' },
      });
      const calls = bench.service.as(workspaceId);
      const body = '<p>Hello {{name}}</p><a href="%unsubscribe_url%">Unsubscribe</a>';
      await calls.templates.create({ key: 'news', category: 'marketing', mode: 'html', subject: 'News', body });
      await calls.templates.publish({ key: 'news' });
      const ids = [...(await newsletter(12, `a${turn}`, workspaceId))];
      bench.advanceClock(3 * hour);
      ids.push(...(await newsletter(30, `b${turn}`, workspaceId)));
      // Three bounces of the first newsletter and one of the second reach the limit only together, over 24 hours.
      const reports: [ReportedKind, string][] = [0, 1, 2, 20].map((index) => ['hard', ids[index] ?? '']);
      reports.push(...ids.slice(5, 9).map((id): [ReportedKind, string] => ['delivered', id]));
      reports.push(['complained', ids[6] ?? ''], ['hard', ids[0] ?? ''], ['complained', ids[6] ?? '']);
      if (order === 'reversed') reports.reverse();
      if (order === 'mixed') reports.sort(([, one], [, other]) => one.slice(-16).localeCompare(other.slice(-16)));
      for (const [number, [kind, id]] of reports.entries()) {
        await post(about(kind, id, number));
        if (number % 3 === turn) await bench.drain();
        bench.advanceClock(5 * hour);
      }
      await bench.drain();
      const { state, history } = await reputation(workspaceId);
      ends.push([state, history.map(({ state: one }) => one), history[0]?.note]);
    }
    const note = 'Hard bounces in 24 hours: 4 of 42 mails, 9.52 %. The limit is 5 %.';
    for (const [state, changes, last] of ends as [string, string[], string][])
      assert.equal([state, changes.filter((one) => one === 'held').length, last], ['held', 1, note]);
  });

  test('after a release, the next bad list is held even if the clock was ahead at the release', async () => {
    const ids = await newsletter(40);
    await post(ids.slice(0, 10).flatMap((id, number) => about('hard', id, number)));
    await bench.drain();
    assert.equal(await states(), ['held']);
    bench.advanceClock(30 * day);
    await release();
    // The clock is corrected here.
    bench.advanceClock(-30 * day);
    bench.advanceClock(minute);
    const laterIds = await newsletter(40, 'later');
    await post(laterIds.slice(0, 10).flatMap((id, number) => about('hard', id, number)));
    await bench.drain();
    // The reports are in the order of their times, and the release has the latest time.
    assert.equal([(await reputation()).state, await states()], ['held', ['held', 'held', 'ok']]);
    bench.advanceClock(minute);
    await release();
    assert.equal([(await reputation()).state, await faultsOf('hard_bounces')], ['ok', 0]);
  });

  test('mail that left while the clock was ahead is counted, and a jump back neither holds nor releases', async () => {
    bench.advanceClock(2 * day);
    const ids = await newsletter(40);
    bench.advanceClock(-2 * day);
    await post(ids.slice(0, 3).flatMap((id, number) => about('hard', id, number)));
    await bench.drain();
    assert.equal(await states(), []);
    await post(about('hard', ids[3] ?? ''));
    await bench.drain();
    assert.equal(await states(), ['held']);
    bench.advanceClock(-5 * day);
    await bench.drain();
    assert.is((await bench.send('news', { to: 'eve@yahoo.com', variables })).body.whyNotSent, 'reputation_hold');
    bench.advanceClock(40 * day);
    await bench.drain();
    assert.is((await reputation()).state, 'held');
  });

  test('a broadcast to a bad list is paused, cannot be resumed before a release, and is paused again if the limit is reached again', async () => {
    const list = people(60, 'bad', 'list.example');
    const listId = await bench.list(list);
    const bad = list.filter((_, index) => index % 5 < 2);
    for (const to of bad) bench.sink.answer(to, { code: 550, text: '5.1.1 No such user' });
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] }, pace: { perHour: 600 } });
    await bench.calls().broadcasts.schedule({ broadcastId });
    const readBroadcast = () => bench.calls().broadcasts.read({ broadcastId });
    const untilPaused = async () => {
      for (let minutes = 0; minutes < 20 && (await readBroadcast()).status !== 'paused'; minutes += 1) {
        bench.advanceClock(minute);
        await Promise.all([bench.drain(), bench.drain()]);
      }
      const { status, pausedBy, counts } = await readBroadcast();
      assert.equal([status, pausedBy], ['paused', 'reputation']);
      return counts.accepted;
    };
    const first = await untilPaused();
    assert.ok(first >= 10 && first < 40, `${first} accepted`);
    assert.is(await bench.codeOf(() => bench.calls().broadcasts.resume({ broadcastId })), 'state_conflict');
    assert.is((await bench.send('receipt', { to: 'eve@yahoo.com', variables })).body.status, 'sent');
    bench.advanceClock(minute);
    await Promise.allSettled([release(), bench.drain(), bench.drain()]);
    assert.is((await readBroadcast()).status, 'paused', 'a release does not resume the broadcast');
    await bench.calls().broadcasts.resume({ broadcastId });
    const second = await untilPaused();
    assert.ok(second > first && second < 60, `${second} accepted`);
    assert.equal(await states(), ['held', 'ok', 'held']);
    const recipients = (await bench.recipients()).filter((to) => to.endsWith('@list.example'));
    assert.is(new Set(recipients).size, recipients.length, 'somebody got the mail twice');
    await bench.counts(broadcastId);
  });

  test('two broadcasts, single marketing mails and receipts share the ramp of a domain, by days in UTC', async () => {
    const domain = 'new.example.org';
    const from = { email: `news@${domain}`, name: 'News' };
    await bench.service.workspaces.update(bench.workspaceId, { sendingDomains: ['example.com', domain] });
    // A zone far from UTC: the day of the marketing calendar begins ten hours before the day of the ramp.
    await bench.request('/v1/marketing/calendar', { method: 'PATCH', body: { timezone: 'Pacific/Kiritimati' } });
    const until = new Date(bench.now() + 30 * day).toISOString();
    await bench.service.domains.create(bench.workspaceId, { domain, ramp: { startPerDay: 6, growth: 2, until } });
    // The clock is four seconds before the end of a day.
    bench.advanceClock(day - (bench.now() % day) - 4_000);
    const ids: string[] = [];
    for (const prefix of ['one', 'two']) {
      const listId = await bench.list(people(9, prefix, 'list.example'));
      ids.push(await bench.draft({ from, audience: { include: [{ listId }] } }));
    }
    for (const broadcastId of ids) await bench.calls().broadcasts.schedule({ broadcastId });
    const sentMails = (part: string) =>
      bench.sink.messages.filter(
        ({ raw, recipients: [to = ''] }) => raw.includes(`<${from.email}>`) && to.startsWith(part),
      ).length;
    const marketing = () => sentMails('one') + sentMails('two') + sentMails('single');
    await Promise.all([
      bench.drain(),
      bench.drain(),
      ...people(4, 'single', 'list.example').map((to) => bench.send('news', { to, from, variables })),
      ...people(10, 'receipt', 'list.example').map((to) => bench.send('receipt', { to, from, variables })),
    ]);
    await bench.drain();
    assert.equal([marketing(), sentMails('receipt')], [6, 10]);
    const perDay = [marketing()];
    for (let minutes = 0; minutes < 2; minutes += 1) {
      bench.advanceClock(day - (bench.now() % day) - 1);
      await bench.drain();
      assert.is(marketing(), perDay.at(-1), 'the day has not ended');
      bench.advanceClock(1);
      await Promise.all([bench.drain(), bench.drain()]);
      await bench.settle();
      perDay.push(marketing());
    }
    assert.equal(perDay, [6, 18, 22]);
    for (const broadcastId of ids) {
      assert.is((await bench.calls().broadcasts.read({ broadcastId })).status, 'sent');
      assert.is((await bench.counts(broadcastId)).accepted, 9);
    }
    assert.equal([sentMails('one'), sentMails('two'), sentMails('single')], [9, 9, 4]);
  });
});
