// The report of a broadcast: each figure is compared with a hand-computed example of 200 contacts with every outcome, also in CSV and in
// charts.
// time-limit: 300
// full-run: slow
import * as assert from 'uvu/assert';
import { isHeldOut } from '../../plugins/broadcasts/engine/prepare.ts';
import { type BroadcastBench, openBroadcastBench } from '../support/broadcast-bench.ts';
import { broadcastReports, human, robot } from '../support/broadcast-reports.ts';
import { twoDatabases } from '../support/databases.ts';

const hour = 3_600_000;
const chairs = 'https://shop.example/chairs';
const tables = 'https://shop.example/tables';

/** The number of contacts with each outcome, 200 in all. */
const roles = {
  audience: 5,
  suppressed: 6,
  no_consent: 7,
  topic: 4,
  no_address: 3,
  /** The next contact takes over the address of this contact. */
  moved: 1,
  taker: 1,
  frequency_cap: 4,
  variables_invalid: 3,
  erased: 2,
  holdout: 8,
  /** Their mail is accepted, and they are erased before the mail leaves. */
  erased_late: 3,
  /** Their server refuses the content. */
  failed: 2,
  canceled: 6,
  accepted: 145,
} as const;
type Role = keyof typeof roles;

interface Person {
  readonly id: string;
  readonly email: string;
}

await twoDatabases('the report of a broadcast', (test, database) => {
  let bench: BroadcastBench;
  let tools: ReturnType<typeof broadcastReports>;
  let broadcastId: string;
  const people = new Map<Role, Person[]>();
  const of = (role: Role): Person[] => people.get(role) ?? [];

  /** Makes contacts until each role has its number. The broadcast draws its holdout, so each contact is checked for it. */
  async function makeContacts(): Promise<void> {
    const { contacts } = bench.calls();
    const allRoles = (Object.keys(roles) as Role[]).flatMap((role) => Array<Role>(roles[role]).fill(role));
    const otherRoles = allRoles.filter((role) => role !== 'holdout');
    for (let number = 0; allRoles.length > [...people.values()].flat().length; number += 1) {
      // Half of the addresses are on each domain.
      const { id } = await contacts.upsert({ external_id: `p${number}` });
      const role = isHeldOut(broadcastId, id, 10) ? 'holdout' : otherRoles.shift();
      if (role === undefined || of(role).length === roles[role]) continue;
      const email = `p${number}@${number % 2 === 0 ? 'example.org' : 'example.net'}`;
      people.set(role, [...of(role), { id, email }]);
      const isOfSegment = role === 'no_consent' || role === 'no_address';
      await contacts.upsert({
        id,
        ...(role === 'no_address' ? {} : { email }),
        attributes: {
          ...(isOfSegment ? { group: 'segment' } : {}),
          ...(role === 'variables_invalid' ? {} : { name: `P${number}` }),
        },
      });
    }
  }

  const each = async (persons: readonly Person[], work: (person: Person) => Promise<unknown>) => {
    for (const person of persons) await work(person);
  };

  test.before(async () => {
    bench = await openBroadcastBench(database);
    tools = broadcastReports(bench);
    const calls = bench.calls();
    await bench.service.workspaces.update(bench.workspaceId, {
      settings: {
        conversions: [
          { eventType: 'order.placed', value: 'event.metadata.total', currency: 'event.metadata.currency' },
        ],
      },
    });
    await calls.marketing.calendarPatch({ caps: [{ max: 1, per: 'day' }] });
    await calls.topics.create({ key: 'letters', name: 'Letters', default: 'subscribed' });
    ({ broadcastId } = await calls.broadcasts.create({ name: 'Spring news', templateKey: 'news' }));
    await makeContacts();
    const { listId } = await calls.lists.create({ name: 'Readers' });
    const { listId: staff } = await calls.lists.create({ name: 'Staff' });
    const members = [...people].flatMap(([role, all]) =>
      role === 'no_consent' || role === 'no_address' ? [] : all.map(({ id }) => id),
    );
    await calls.lists.membersAdd({ listId, contactIds: members.slice(1) });
    await calls.lists.membersAdd({ listId: staff, contactIds: of('audience').map(({ id }) => id) });
    const { segmentId } = await calls.segments.create({
      name: 'Segment',
      filter: { path: 'contact.attributes.group', op: 'eq', value: 'segment' },
    });
    await each(of('suppressed'), ({ email }) => calls.suppressions.create({ email }));
    await each(of('topic'), ({ id }) => calls.preferences.set({ contactId: id, topics: { letters: false } }));
    await each(of('frequency_cap'), ({ email }) => bench.send('news', { to: email, variables: { name: 'You' } }));
    await calls.broadcasts.update({
      broadcastId,
      variables: { name: '{{ contact.attributes.name }}' },
      topicKey: 'letters',
      audience: { include: [{ listId }, { segmentId }], exclude: [{ listId: staff }] },
      holdoutPercent: 10,
    });
    const sendAt = new Date(bench.now() + 60_000).toISOString();
    await calls.broadcasts.schedule({ broadcastId, sendAt, ceiling: 199 });
    // The last contact joins after the schedule, so the broadcast stops at its ceiling, with its whole audience stored.
    await calls.lists.membersAdd({ listId, contactIds: members.slice(0, 1) });
    bench.advanceClock(60_000);
    await bench.drain();
    assert.is((await calls.broadcasts.read({ broadcastId })).pausedBy, 'ceiling');
    await each(of('erased'), ({ id }) => calls.contacts.delete({ contactId: id }));
    await bench.drain();
    const [taker] = of('taker');
    const [moved] = of('moved');
    await calls.contacts.upsert({ id: taker?.id ?? '', email: 'elsewhere@example.org' });
    await calls.contacts.upsert({ id: moved?.id ?? '', email: taker?.email ?? '' });
    for (const { email } of [...of('erased_late'), ...of('canceled')])
      bench.sink.answer(email, { code: 451, text: '4.3.0 Later' });
    for (const { email } of of('failed'))
      bench.sink.answer(email, { code: 554, text: '5.6.0 Not this', at: 'content' });
    await calls.broadcasts.resume({ broadcastId, ceiling: 200 });
    await bench.settle(8);
    await each(of('erased_late'), ({ id }) => calls.contacts.delete({ contactId: id }));
    await bench.settle();
    await calls.broadcasts.cancel({ broadcastId });
    // The delayed mails are canceled at their next try.
    bench.advanceClock(24 * hour);
    await bench.settle();
    await reportFacts();
  });
  test.after(() => bench.close());

  /** Reports the facts of the 145 mails, and of a mail that was never sent. */
  async function reportFacts(): Promise<void> {
    const sends = await tools.sendsOf(broadcastId);
    const mails = of('accepted').map(({ email }) => ({ email, sendId: sends.get(email) ?? '' }));
    const report = (from: number, to: number, given: Parameters<typeof tools.report>[1], times = 1): Promise<unknown> =>
      each(mails.slice(from, to) as never, async (mail) => {
        for (let time = 0; time < times; time += 1)
          await tools.report((mail as never as { sendId: string }).sendId, given);
      });
    await report(0, 120, { kind: 'delivered' });
    const bounce = { class: 'hard', subType: 'no_mailbox', diagnostic: 'Unknown' } as never;
    await report(120, 130, { kind: 'bounced', bounce });
    bench.advanceClock(hour);
    await report(0, 60, { kind: 'opened', bot: human }, 2);
    await report(60, 72, { kind: 'opened', bot: robot });
    await report(0, 25, { kind: 'clicked', url: chairs, bot: human }, 2);
    await report(20, 25, { kind: 'clicked', url: tables, bot: human });
    await report(72, 79, { kind: 'clicked', url: tables, bot: robot });
    bench.advanceClock(hour);
    await report(80, 82, { kind: 'complained' });
    await report(82, 85, { kind: 'unsubscribed' });
    const emit = (index: number, total: number, currency: string) =>
      tools.emit(mails[index]?.email ?? '', 'order.placed', { total, currency });
    for (let index = 0; index < 7; index += 1) await emit(index, 10.1, 'EUR');
    await emit(0, 0.05, 'EUR');
    for (const index of [30, 31]) await emit(index, 20, 'usd');
    // A contact without mail or click places an order, which counts only in the comparison.
    for (const person of [of('frequency_cap')[0], of('holdout')[0]])
      await tools.emit(person?.email ?? '', 'order.placed', { total: 1, currency: 'EUR' });
  }

  const read = () => bench.calls().broadcasts.report({ broadcastId });

  test('the counts equal the hand-computed counts', async () => {
    assert.equal(await bench.counts(broadcastId), {
      audience: 200,
      recipients: 154,
      excluded: {
        ...{ audience: 5, suppressed: 6, no_consent: 7, topic: 4, no_address: 3, duplicate: 1, frequency_cap: 4 },
        ...{ holdout: 8, variables_invalid: 3, erased: 5 },
      },
      ...{ waiting: 0, accepted: 146, failed: 2, canceled: 6 },
      ...{ delivered: 120, opened: 60, clicked: 25, bounced: 10, complained: 2, unsubscribed: 3, converted: 9 },
    });
  });

  test('each contact has its outcome and the reason', async () => {
    const found = new Map<string, number>();
    for (let cursor: string | undefined, more = true; more; ) {
      const page = await bench.calls().broadcasts.recipients({ broadcastId, limit: 100, ...(cursor && { cursor }) });
      for (const { status, reason } of page.data) {
        const outcome = reason ?? status;
        found.set(outcome, (found.get(outcome) ?? 0) + 1);
      }
      cursor = page.next_cursor ?? undefined;
      more = cursor !== undefined;
    }
    const { moved, taker, erased, erased_late: late, accepted, ...others } = roles;
    const outcomes = Object.fromEntries(found);
    assert.equal(outcomes, { ...others, duplicate: moved, erased: erased + late, accepted: accepted + taker });
  });

  test('the sums of hours, domains and links equal the counts, and bots do not count', async () => {
    const { counts, byHour, byDomain, byLink } = await read();
    assert.equal(
      byHour.map(({ hour: at, ...facts }) => facts),
      [
        { delivered: 120, opened: 0, clicked: 0, bounced: 10, complained: 0, unsubscribed: 0, converted: 0 },
        { delivered: 0, opened: 60, clicked: 25, bounced: 0, complained: 0, unsubscribed: 0, converted: 0 },
        { delivered: 0, opened: 0, clicked: 0, bounced: 0, complained: 2, unsubscribed: 3, converted: 9 },
      ],
    );
    assert.equal(new Set(byDomain.map(({ domain }) => domain)), new Set(['example.org', 'example.net']));
    for (const fact of ['accepted', 'delivered', 'opened', 'clicked', 'bounced', 'converted'] as const)
      assert.is(
        byDomain.reduce((sum, one) => sum + one[fact], 0),
        counts[fact],
        fact,
      );
    assert.equal(byLink, [
      { url: chairs, clicked: 25 },
      { url: tables, clicked: 5 },
    ]);
  });

  test('conversions have their basis, and their exact value by currency', async () => {
    assert.equal((await read()).conversions, {
      ...{ total: 10, clicked: 8, delivered: 2 },
      values: [
        { currency: 'EUR', amount: '70.75', conversions: 8 },
        { currency: 'USD', amount: '40', conversions: 2 },
      ],
    });
  });

  test('the effect compares 165 contacts, for whom mail was intended, with the 8 contacts of the holdout', async () => {
    const { lift } = await read();
    assert.equal(lift?.mail, { assigned: 165, converted: 10, share: 10 / 165 });
    assert.equal(lift?.holdout, { assigned: 8, converted: 1, share: 1 / 8 });
    assert.equal(
      [lift?.difference, lift?.low, lift?.high].map((figure) => figure?.toFixed(4)),
      ['-0.0644', '-0.4114', '0.0486'],
    );
  });

  test('CSV has each figure on its own line', async () => {
    const { contentType, bytes, filename } = await bench
      .calls()
      .broadcasts.report({ broadcastId }, { representation: 'text/csv' });
    const lines = String(bytes).trim().split('\n');
    assert.equal([filename, lines[0]], ['report.csv', 'part,name,figure,value']);
    assert.match(contentType, 'text/csv');
    for (const line of [
      'counts,,accepted,146',
      'counts,excluded,holdout,8',
      `byLink,${chairs},clicked,25`,
      'conversions,EUR,amount,70.75',
      'lift,holdout,assigned,8',
    ])
      assert.ok(lines.includes(line), line);
  });

  test('charts are pictures that load nothing from elsewhere; each part of the report has its own chart, over REST, too', async () => {
    for (const chart of ['byHour', 'byDomain', 'byLink', 'byVariant'] as const) {
      const { contentType, bytes } = await bench
        .calls()
        .broadcasts.report({ broadcastId, chart }, { representation: 'image/svg+xml' });
      const svg = String(bytes);
      assert.match(contentType, 'image/svg+xml');
      assert.match(svg, /^<svg [^>]*role="img" aria-labelledby="[^"]+"><title id="/);
      assert.not.match(svg, /<script|href=|url\(|NaN|undefined/);
    }
    const answer = await bench.request(`/v1/broadcasts/${broadcastId}/report?chart=byLink`, {
      headers: { accept: 'image/svg+xml' },
    });
    assert.match(answer.headers['Content-Type'] ?? '', 'image/svg+xml');
  });

  test('a segment finds the recipients of the broadcast by their reaction to its mail', async () => {
    const { segments } = bench.calls();
    const count = async (was: 'delivered' | 'opened' | 'clicked') =>
      (await segments.preview({ filter: { send: { broadcastId }, was } })).contactCount;
    assert.equal([await count('delivered'), await count('opened'), await count('clicked')], [120, 60, 25]);
    const other = await segments.preview({
      filter: { send: { broadcastId: 'brc_01ARZ3NDEKTSV4RRFFQ69G5FAV' }, was: 'delivered' },
    });
    assert.is(other.contactCount, 0);
  });
});
