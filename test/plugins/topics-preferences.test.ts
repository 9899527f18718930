// Preferences: who can set and cancel them, their events, both sides, many addresses at once, erasure and export, and topics that are
// deleted and created again.
import * as assert from 'uvu/assert';
import type { TransactionContext } from '../../core/index.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { preferenceChange } from '../../plugins/topics/preferences.ts';
import { twoDatabases } from '../support/databases.ts';
import { openTestService } from '../support/generated.ts';

type Source = 'page' | 'one_click' | 'api' | 'form' | 'import';

await twoDatabases('preferences', (test, database) => {
  let kit: Awaited<ReturnType<typeof openTestService>>;
  test.before.each(async () => {
    kit = await openTestService(database);
    for (const [key, defaultState] of [
      ['news', 'subscribed'],
      ['offers', 'unsubscribed'],
    ] as const)
      await calls().topics.create({ key, name: key, default: defaultState });
  });
  test.after.each(() => kit.close());
  const calls = (sandbox = false) => kit.service.as(kit.workspaceId, { sandbox });
  const contact = async (name: string, sandbox = false) =>
    (await calls(sandbox).contacts.upsert({ external_id: name, email: `${name}@example.com` })).id;
  const within = async <T>(work: (ctx: TransactionContext) => Promise<T>, sandbox = false): Promise<T> =>
    inWorkspace(kit.service.core, await readWorkspace(kit.service.core, kit.workspaceId), work, { sandbox });
  const setTopics = (email: string, topics: Record<string, boolean>, source: Source, sandbox = false) =>
    within((ctx) => ctx.services.topics.set(ctx, { email, topics: new Map(Object.entries(topics)), source }), sandbox);
  const preferencesOf = async (contactId: string, sandbox = false) =>
    (await calls(sandbox).preferences.read({ contactId })).preferences.map(
      ({ topic, subscribed, source }) => `${topic} ${subscribed} ${source}`,
    );
  const putPreferences = (contactId: string, body: object) =>
    kit.request(`/v1/contacts/${contactId}/preferences`, { method: 'PUT', body });
  const erase = async (email: string) => {
    await kit.service.personalData.erase(kit.workspaceId, { email });
    await kit.drain();
  };

  test('without a preference the default of the topic counts, and a call changes only the topics that it names', async () => {
    const ada = await contact('ada');
    assert.equal(await preferencesOf(ada), ['news true null', 'offers false null']);
    const answer = await putPreferences(ada, { topics: { offers: true } });
    assert.equal([answer.status, answer.body.email], [200, 'ada@example.com']);
    assert.equal(await preferencesOf(ada), ['news true null', 'offers true api']);
    await putPreferences(ada, { topics: { news: false } });
    assert.equal(await preferencesOf(ada), ['news false api', 'offers true api']);
    assert.equal(
      (await kit.events('topic.subscribed')).map(({ topic, contact: { id }, source }) => [topic, id, source]),
      [['offers', ada, 'api']],
    );
    assert.equal(
      (await kit.events('topic.unsubscribed')).map(({ topic, contact: { email } }) => [topic, email]),
      [['news', 'ada@example.com']],
    );
  });

  test('the first preference emits an event even if it equals the default, and a repetition emits no second event', async () => {
    const ada = await contact('ada');
    await putPreferences(ada, { topics: { news: true } });
    const { preferences } = await calls().preferences.read({ contactId: ada });
    kit.advanceClock(60_000);
    await putPreferences(ada, { topics: { news: true } });
    assert.equal((await calls().preferences.read({ contactId: ada })).preferences, preferences);
    assert.is((await kit.events('topic.subscribed')).length, 1);
  });

  test('an unknown topic changes nothing, and an invalid body gets 422', async () => {
    const ada = await contact('ada');
    const unknown = await putPreferences(ada, { topics: { news: false, nowhere: true } });
    assert.equal([unknown.status, unknown.body.error.code], [404, 'topic_not_found']);
    assert.match(unknown.body.error.message, 'nowhere');
    assert.equal(await preferencesOf(ada), ['news true null', 'offers false null']);
    for (const body of [{}, { topics: {} }, { topics: { news: 'yes' } }, { topics: { news: null } }, { topics: [] }])
      assert.is((await putPreferences(ada, body)).status, 422, JSON.stringify(body));
    // A property that every object has, such as `constructor`, is not a topic.
    assert.is((await putPreferences(ada, { topics: { constructor: true } })).body.error.code, 'topic_not_found');
  });

  test("a person's own opt-out is canceled only by the person, or by a call that says how they agreed", async () => {
    const ada = await contact('ada');
    for (const source of ['one_click', 'page'] as const) {
      await setTopics('ada@example.com', { news: false }, source);
      assert.equal(await setTopics('Ada@Example.com', { news: true }, 'import'), { changed: [], kept: ['news'] });
      const refusal = await putPreferences(ada, { topics: { news: true, offers: true } });
      assert.equal([refusal.status, refusal.body.error.details[0].path], [422, 'consentNote']);
      assert.equal(await preferencesOf(ada), [`news false ${source}`, 'offers false null']);
      await setTopics('ada@example.com', { news: true }, source === 'page' ? 'page' : 'form');
      assert.equal((await preferencesOf(ada))[0], `news true ${source === 'page' ? 'page' : 'form'}`);
    }
    await setTopics('ada@example.com', { news: false }, 'page');
    const answer = await putPreferences(ada, { topics: { news: true }, consentNote: 'Phone call of 28 November' });
    assert.is(answer.status, 200);
    assert.equal((await preferencesOf(ada))[0], 'news true api');
    const [entry] = (await kit.request('/v1/audit?action=preference.set')).body.data;
    assert.equal([entry.target.id, entry.metadata.consent_note, entry.metadata.topics], [ada, true, 1]);
    assert.not.match(JSON.stringify(entry), 'Phone call');
  });

  test('the table decides whether a new preference replaces an earlier one', () => {
    const all: readonly Source[] = ['page', 'one_click', 'api', 'form', 'import'];
    const table = (['page', 'one_click', 'api', 'form', 'import'] as const).map((by) =>
      [
        by,
        ...all.map((source) => preferenceChange({ subscribed: false, source }, true, { source: by, hasNote: false })),
      ].join(' '),
    );
    // Rows: source of the new subscription. Columns: source of the earlier opt-out.
    assert.equal(table, [
      'page replaces replaces replaces replaces replaces',
      'one_click replaces replaces replaces replaces replaces',
      'api kept kept replaces replaces replaces',
      'form replaces replaces replaces replaces replaces',
      'import kept kept kept kept replaces',
    ]);
    for (const source of all)
      for (const by of all) {
        const out = preferenceChange({ subscribed: true, source }, false, { source: by, hasNote: false });
        assert.is(out, 'replaces', `${by} after ${source}`);
        const isOwn = (one: Source) => one === 'page' || one === 'one_click';
        const secondChange = preferenceChange({ subscribed: false, source }, false, { source: by, hasNote: false });
        assert.is(secondChange, isOwn(by) && !isOwn(source) ? 'replaces' : 'same', `${by} again after ${source}`);
        assert.is(
          preferenceChange({ subscribed: false, source }, true, { source: by, hasNote: true }),
          by === 'import' && source !== 'import' ? 'kept' : 'replaces',
        );
      }
    assert.is(preferenceChange(undefined, true, { source: 'import', hasNote: false }), 'replaces');
  });

  test('preferences belong to one side and to the normalised address, and a later contact with the address has them, too', async () => {
    const [live, sandbox] = [await contact('ada'), await contact('ada', true)];
    await setTopics('ADA@example.com', { news: false }, 'page', true);
    assert.equal(
      [(await preferencesOf(live))[0], (await preferencesOf(sandbox, true))[0]],
      ['news true null', 'news false page'],
    );
    await setTopics('grace@example.com', { offers: true }, 'form');
    assert.equal(await preferencesOf(await contact('grace')), ['news true null', 'offers true form']);
    const [event] = await kit.events('topic.subscribed');
    assert.equal(event?.contact, { id: null, external_id: null, email: 'grace@example.com' });
  });

  test('a contact without an address has the defaults and gets no preferences', async () => {
    const { id } = await calls().contacts.upsert({ external_id: 'nameless' });
    assert.equal(await preferencesOf(id), ['news true null', 'offers false null']);
    const refusal = await putPreferences(id, { topics: { news: false } });
    assert.equal([refusal.status, refusal.body.error.code], [409, 'state_conflict']);
  });

  test('one call reads the subscriptions of thousands of addresses, including addresses of erased people', async () => {
    await setTopics('one@example.com', { news: false }, 'one_click');
    await setTopics('two@example.com', { news: true }, 'import');
    await setTopics('gone@example.com', { news: false }, 'page');
    await erase('gone@example.com');
    const many = Array.from({ length: 1_200 }, (_, index) => `many${index}@example.com`);
    const emails = ['One@Example.com', ...many, 'two@example.com', 'gone@example.com', 'one@example.com'];
    await within(async ({ trx, services: { topics } }) => {
      const subscriptions = await topics.subscriptionsOf(trx, 'news', emails);
      assert.is(subscriptions?.size, 1_203);
      const subscriptionOf = (email: string) =>
        `${subscriptions?.get(email)?.subscribed} ${subscriptions?.get(email)?.source}`;
      assert.equal(
        ['one', 'two', 'gone', 'many7'].map((name) => subscriptionOf(`${name}@example.com`)),
        ['false one_click', 'true import', 'false page', 'true null'],
      );
      assert.is(await topics.subscriptionsOf(trx, 'nowhere', emails), undefined);
      assert.equal(await topics.subscription(trx, 'offers', 'ONE@example.com'), {
        subscribed: false,
        source: null,
        at: null,
      });
    });
  });

  test('erasing a person keeps only their own opt-outs under a pseudonym, and the person can cancel these', async () => {
    const ada = await contact('ada');
    await setTopics('ada@example.com', { news: false }, 'one_click');
    await putPreferences(ada, { topics: { offers: true }, consentNote: 'Told ada@example.com in the shop' });
    const { preferences } = await calls().preferences.read({ contactId: ada });
    const exported = await kit.service.personalData.export(kit.workspaceId, { email: 'ada@example.com' });
    assert.equal(
      (exported['topics'] as { topic_preferences: { topic: string; consentNote: string | null }[] }).topic_preferences
        .map(({ topic, consentNote }) => [topic, consentNote])
        .sort(),
      [
        ['news', null],
        ['offers', 'Told ada@example.com in the shop'],
      ],
    );
    await erase('ada@example.com');
    const newContact = await contact('ada');
    assert.equal(await preferencesOf(newContact), ['news false one_click', 'offers false null']);
    assert.is((await calls().preferences.read({ contactId: newContact })).preferences[0]?.at, preferences[0]?.at);
    const dump = JSON.stringify(
      await within(({ trx }) => trx.db.selectFrom('topic_preferences').selectAll().execute()),
    );
    assert.not.match(dump, 'ada@example.com');
    assert.equal((await setTopics('ada@example.com', { news: true }, 'import')).kept, ['news']);
    await setTopics('ada@example.com', { news: true }, 'page');
    assert.equal((await preferencesOf(newContact))[0], 'news true page');
    await erase('ada@example.com');
    assert.equal(await preferencesOf(await contact('ada')), ['news true null', 'offers false null']);
  });

  test('erasing an address twice, with a new opt-out between the erasures, keeps one opt-out', async () => {
    for (let round = 0; round < 2; round += 1) {
      await setTopics('ada@example.com', { news: false, offers: false }, 'page');
      await erase('ada@example.com');
    }
    const rows = await within(({ trx }) => trx.db.selectFrom('topic_preferences').select('topic_key').execute());
    assert.equal(rows.map(({ topic_key: key }) => key).sort(), ['news', 'offers']);
  });

  test('deleting a topic deletes its preferences, except the opt-outs that people made themselves', async () => {
    const names = ['ada', 'bob', 'cem'] as const;
    const [ada = '', bob = '', cem = ''] = await Promise.all(names.map((name) => contact(name)));
    await setTopics('ada@example.com', { news: false }, 'page');
    await putPreferences(bob, { topics: { news: false } });
    await putPreferences(cem, { topics: { news: true } });
    await calls().topics.delete({ key: 'news' });
    assert.equal(await preferencesOf(ada), ['offers false null']);
    await kit.drain();
    await calls().topics.create({ key: 'news', name: 'News', default: 'subscribed' });
    const first = async (id: string) => (await preferencesOf(id)).find((text) => text.startsWith('news'));
    assert.equal(
      [await first(ada), await first(bob), await first(cem)],
      ['news false page', 'news true null', 'news true null'],
    );
  });

  test('a topic that is created again right after its deletion has no preferences of the deleted topic', async () => {
    const [ada, bob] = [await contact('ada'), await contact('bob')];
    await putPreferences(ada, { topics: { offers: true } });
    await setTopics('bob@example.com', { offers: false }, 'one_click');
    kit.advanceClock(1_000);
    await calls().topics.delete({ key: 'offers' });
    await calls().topics.create({ key: 'offers', name: 'Offers', default: 'unsubscribed' });
    kit.advanceClock(1_000);
    await putPreferences(await contact('cem'), { topics: { offers: true } });
    await kit.drain();
    const ofOffers = async (id: string) => (await preferencesOf(id)).find((text) => text.startsWith('offers'));
    assert.equal(
      [await ofOffers(ada), await ofOffers(bob), await ofOffers(await contact('cem'))],
      ['offers false null', 'offers false one_click', 'offers true api'],
    );
  });
});
