// The recipients of a broadcast: consent, exclusions with their reasons, and changes between the storing of the audience and the turn of a
// recipient. Some tests reproduce known failures of other email services.
import * as assert from 'uvu/assert';
import type { ReadContext } from '../../core/index.ts';
import { inWorkspace } from '../../core/unstable.ts';
import { broadcastRows } from '../../plugins/broadcasts/broadcasts.ts';
import { decideRange, storeContacts } from '../../plugins/broadcasts/engine/prepare.ts';
import { type BroadcastBench, openBroadcastBench } from '../support/broadcast-bench.ts';
import { twoDatabases } from '../support/databases.ts';
import { visit } from '../support/tracked-mail.ts';

await twoDatabases('the audience of broadcasts', (test, database) => {
  let bench: BroadcastBench;
  test.before.each(async () => {
    bench = await openBroadcastBench(database);
    await bench.calls().topics.create({ key: 'letters', name: 'Letters', default: 'subscribed' });
  });
  test.after.each(() => bench.close());

  const minute = 60_000;
  /** One mail a minute, so that a test can act between the turns of two recipients. */
  const pace = { perHour: 60 };
  type Fields = Parameters<BroadcastBench['draft']>[0];

  async function started(fields: Fields): Promise<string> {
    const broadcastId = await bench.draft(fields);
    await bench.calls().broadcasts.schedule({ broadcastId });
    await bench.drain();
    return broadcastId;
  }

  /** Lets this number of minutes pass, and runs all jobs that are due. */
  async function minutes(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      bench.advanceClock(minute);
      await bench.drain();
    }
  }

  const reasonsOf = async (broadcastId: string): Promise<Record<string, string | null>> => {
    const { data } = await bench.calls().broadcasts.recipients({ broadcastId, limit: 100 });
    return Object.fromEntries(data.map(({ email, status, reason }) => [email ?? '', reason ?? status]));
  };

  test('a contact of a segment needs a confirmed membership in a list of the audience, or a subscription to the topic', async () => {
    const { contacts, preferences, segments } = bench.calls();
    const listId = await bench.list(['member@example.org']);
    const { id } = await contacts.upsert({ email: 'subscribed@example.org' });
    await preferences.set({ contactId: id, topics: { letters: true } });
    await contacts.upsert({ email: 'stranger@example.org' });
    const { id: gone } = await contacts.upsert({ email: 'gone@example.org' });
    await preferences.set({ contactId: gone, topics: { letters: false } });
    const { segmentId } = await segments.create({ name: 'Everybody', filter: {} });
    const audience = { include: [{ segmentId }, { listId }] };
    const broadcastId = await started({ topicKey: 'letters', audience });
    assert.equal(await reasonsOf(broadcastId), {
      'member@example.org': 'accepted',
      'subscribed@example.org': 'accepted',
      'stranger@example.org': 'no_consent',
      'gone@example.org': 'topic',
    });
    assert.equal((await bench.counts(broadcastId)).excluded.no_consent, 1);
    await bench.service.workspaces.update(bench.workspaceId, { settings: { consent: 'soft_opt_in' } });
    const soft = await started({ topicKey: 'letters', audience });
    assert.is((await reasonsOf(soft))['stranger@example.org'], 'accepted');
  });

  test('each exclusion has its reason, and the counts add up', async () => {
    const { contacts, lists, suppressions } = bench.calls();
    const listId = await bench.list(['ada@example.org', 'out@example.org', 'stop@example.org']);
    const { id } = await contacts.upsert({ external_id: 'nobody' });
    await lists.membersAdd({ listId, contactIds: [id] });
    const exclude = [{ listId: await bench.list(['out@example.org']) }];
    await suppressions.create({ email: 'stop@example.org' });
    const broadcastId = await started({ audience: { include: [{ listId }], exclude } });
    const counts = await bench.counts(broadcastId);
    const { audience, suppressed, no_address: noAddress } = counts.excluded;
    assert.equal([counts.audience, counts.recipients, audience, suppressed, noAddress], [4, 1, 1, 1, 1]);
    assert.equal(await bench.recipients(), ['ada@example.org']);
  });

  test('variables that a contact lacks exclude that contact alone', async () => {
    const { contacts } = bench.calls();
    const listId = await bench.list(['zoe@example.org', 'ada@example.org']);
    await contacts.upsert({ email: 'ada@example.org', attributes: { name: 'Ada “the 1st” <b>' } });
    const variables = { name: '{{ contact.attributes.name }}' };
    const broadcastId = await started({ audience: { include: [{ listId }] }, variables });
    const counts = await bench.counts(broadcastId);
    assert.equal([counts.accepted, counts.excluded.variables_invalid], [1, 1]);
    const [mail] = await bench.received();
    assert.is(mail?.subject, 'Hello Ada “the 1st” <b>');
  });

  test('a holdout is stable, and its contacts get no mail', async () => {
    const emails = Array.from({ length: 60 }, (_, index) => `p${index}@example.org`);
    const listId = await bench.list(emails);
    const broadcastId = await started({ audience: { include: [{ listId }] }, holdoutPercent: 50 });
    const { accepted, excluded } = await bench.counts(broadcastId);
    assert.is(accepted + excluded.holdout, 60);
    assert.ok(excluded.holdout > 15 && excluded.holdout < 45, `${excluded.holdout} of 60 are held out`);
    const recipients = await bench.recipients();
    const { data } = await bench.calls().broadcasts.recipients({ broadcastId, reason: 'holdout', limit: 100 });
    assert.is(data.length, excluded.holdout);
    for (const { email, holdout } of data) assert.equal([holdout, recipients.includes(email ?? '')], [true, false]);
  });

  test('a contact that unsubscribes, leaves the list, or is suppressed before its turn gets nothing', async () => {
    const { contacts, lists, suppressions } = bench.calls();
    const listId = await bench.list(['first@example.org', 'stop@example.org', 'left@example.org', 'last@example.org']);
    const broadcastId = await started({ audience: { include: [{ listId }] }, pace });
    assert.equal(await bench.recipients(), ['first@example.org']);
    await suppressions.create({ email: 'stop@example.org' });
    const { id } = await contacts.upsert({ email: 'left@example.org' });
    await lists.membersRemove({ listId, contactIds: [id] });
    await minutes(4);
    assert.equal(await bench.recipients(), ['first@example.org', 'last@example.org']);
    const { accepted, excluded } = await bench.counts(broadcastId);
    assert.equal([accepted, excluded.suppressed, excluded.no_consent], [2, 1, 1]);
    assert.is((await bench.calls().broadcasts.read({ broadcastId })).status, 'sent');
  });

  test('if contacts are erased, readdressed or merged during a broadcast, each address gets one mail, and an erased contact gets no mail', async () => {
    const { contacts } = bench.calls();
    const listId = await bench.list([
      'first@example.org',
      'erased@example.org',
      'old@example.org',
      'merged@example.org',
    ]);
    const { id: erased } = await contacts.upsert({ email: 'erased@example.org' });
    await contacts.upsert({ external_id: 'u1', email: 'old@example.org' });
    const broadcastId = await started({ audience: { include: [{ listId }] }, pace });
    await contacts.delete({ contactId: erased });
    await bench.drain();
    await contacts.upsert({ external_id: 'u1', email: 'new@example.org' });
    // The address moves to a contact that is in no list.
    await contacts.upsert({ external_id: 'u2', email: 'other@example.org' });
    await contacts.upsert({ external_id: 'u2', email: 'merged@example.org' });
    await minutes(4);
    assert.equal(await bench.recipients(), ['first@example.org', 'merged@example.org', 'new@example.org']);
    const { accepted, excluded } = await bench.counts(broadcastId);
    assert.equal([accepted, excluded.erased], [3, 1]);
  });

  test('if contacts change between the decision and the storing of a range, each address gets one mail, and erased contacts get no mail', async () => {
    const { contacts } = bench.calls();
    const emails = ['first@example.org', 'erased@example.org', 'last@example.org'];
    const listId = await bench.list(emails);
    const sendAt = new Date(bench.now() + 3_600_000).toISOString();
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] }, sendAt });
    await bench.calls().broadcasts.schedule({ broadcastId });
    const workspace = await bench.service.workspaces.read(bench.workspaceId);
    const { core } = bench.service;
    const rowOf = async (ctx: ReadContext) => {
      const row = await broadcastRows.find(ctx.trx, broadcastId);
      if (row === undefined) throw new Error('The broadcast is gone.');
      return row;
    };
    const decidedRange = await inWorkspace(core, workspace, async (ctx) =>
      decideRange(ctx, workspace, await rowOf(ctx)),
    );
    const part = (index: number) => ({ ...decidedRange, contacts: decidedRange.contacts.slice(index, index + 1) });
    const store = (index: number) =>
      inWorkspace(core, workspace, async (ctx) => storeContacts(ctx, await rowOf(ctx), part(index)));
    assert.is(decidedRange.contacts.length, 3);
    await store(0);
    for (const [id, email] of [
      ['u1', 'first@example.org'],
      ['u1', 'other@example.org'],
      ['u2', 'last@example.org'],
      ['u2', 'first@example.org'],
    ] as const)
      await contacts.upsert({ external_id: id, email });
    await contacts.delete({ contactId: (await contacts.upsert({ email: 'erased@example.org' })).id });
    await store(1);
    await store(2);
    const { waiting, audience, excluded } = await bench.counts(broadcastId);
    assert.equal([audience, waiting, excluded.duplicate], [2, 1, 1]);
    const { data } = await bench.calls().broadcasts.recipients({ broadcastId });
    assert.equal(data.map(({ email, reason }) => `${email} ${reason}`).sort(), [
      'first@example.org null',
      'null duplicate',
    ]);
  });

  test('a new version of the template and an edit of the segment have no effect after the broadcast is scheduled', async () => {
    const { contacts, segments, templates, preferences } = bench.calls();
    const subscribed = async (email: string, plan: string) => {
      const { id } = await contacts.upsert({ email, attributes: { plan } });
      await preferences.set({ contactId: id, topics: { letters: true } });
    };
    await subscribed('pro@example.org', 'pro');
    await subscribed('free@example.org', 'free');
    const filter = { path: 'contact.attributes.plan', op: 'eq', value: 'pro' } as const;
    const { segmentId } = await segments.create({ name: 'Pro', filter });
    const sendAt = new Date(bench.now() + 3_600_000).toISOString();
    const broadcastId = await bench.draft({ topicKey: 'letters', audience: { include: [{ segmentId }] }, sendAt });
    await bench.calls().broadcasts.schedule({ broadcastId });
    await segments.update({ segmentId, filter: {} });
    await templates.update({ key: 'news', subject: 'Changed {{name}}' });
    await templates.publish({ key: 'news' });
    bench.advanceClock(3_600_000);
    await bench.settle();
    const mails = await bench.received();
    assert.equal(
      mails.map(({ to, subject }) => `${to?.[0]?.address} ${subject}`),
      ['pro@example.org Hello reader'],
    );
  });

  test('if the local time of a recipient has passed, the mail leaves at once; others get it at their local time', async () => {
    const { contacts, lists } = bench.calls();
    const { listId } = await lists.create({ name: 'World' });
    const zones = ['Asia/Tokyo', 'Europe/Berlin', 'America/Los_Angeles', 'no zone'];
    const contactIds: string[] = [];
    for (const [index, timezone] of zones.entries())
      contactIds.push((await contacts.upsert({ email: `z${index}@example.org`, attributes: { timezone } })).id);
    await lists.membersAdd({ listId, contactIds });
    const datePrefix = new Date(bench.now()).toISOString().slice(0, 11);
    const at = new Date(Date.parse(`${datePrefix}00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
    const broadcastId = await bench.draft({
      audience: { include: [{ listId }] },
      sendAt: `${at}T09:00`,
      timezone: 'recipient',
    });
    await bench.calls().broadcasts.schedule({ broadcastId });
    const recipientsAt = async (utc: string) => {
      bench.advanceClock(Math.max(0, Date.parse(utc) - bench.now()));
      await bench.settle(2);
      return (await bench.recipients()).length;
    };
    assert.is(await recipientsAt(`${at}T00:05:00Z`), 1);
    assert.is(await recipientsAt(`${at}T08:30:00Z`), 2);
    assert.is(await recipientsAt(`${at}T09:05:00Z`), 3);
    assert.is(await recipientsAt(`${at}T17:05:00Z`), 4);
  });

  test('the links of a mail carry the parameters of the broadcast, and keep their own parameters', async () => {
    const listId = await bench.list(['ada@example.org']);
    await started({ name: 'Spring & Sale', audience: { include: [{ listId }] } });
    const [mail] = await bench.received();
    const link = /https?:\/\/[^"]+\/t\/c\/[^"]+/.exec(mail?.html ?? '')?.[0] ?? '';
    const { headers } = await visit(bench, link);
    assert.is(
      headers['Location'] ?? headers['location'],
      'https://shop.example/chairs?x=1&utm_medium=email&utm_campaign=Spring+%26+Sale#top',
    );
  });

  test('a segment finds exactly the contacts that got a mail of a broadcast', async () => {
    const { segments } = bench.calls();
    const [first, second] = [await bench.list(['ada@example.org']), await bench.list(['bob@example.org'])];
    const ids: string[] = [];
    for (const listId of [first, second]) ids.push(await started({ audience: { include: [{ listId }] } }));
    for (const [index, email] of ['ada@example.org', 'bob@example.org'].entries()) {
      const filter = { send: { broadcastId: ids[index] }, was: 'sent' as const };
      const { sample, contactCount } = await segments.preview({ filter });
      assert.equal([contactCount, sample?.map((one) => one.email)], [1, [email]]);
    }
  });
});
