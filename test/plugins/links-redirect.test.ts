// The public redirect: its destinations, its error pages, the clicks that count, and the data that is stored about a visitor.
// full-run: slow
import * as assert from 'uvu/assert';
import { unpackClicks } from '../../plugins/links/clicks/batch.ts';
import { addUtm } from '../../plugins/links/redirect/add-utm.ts';
import { batchRows } from '../../plugins/links/tables.ts';
import { twoDatabases } from '../support/databases.ts';
import { crawler, desktop, type LinksBench, openLinksBench, phone, tablet } from '../support/links-bench.ts';

const to = 'https://example.com/spring';
const hour = 3_600_000;

await twoDatabases('the redirect of short links', (test, database) => {
  type Options = Parameters<typeof openLinksBench>[1];
  const withLinks = (work: (bench: LinksBench) => Promise<void>, options?: Options) => async () => {
    const bench = await openLinksBench(database, options);
    try {
      await work(bench);
    } finally {
      await bench.test.close();
    }
  };
  /** The counts of a link after its clicks are stored and summed. */
  const counts = async ({ test: kit, links }: LinksBench, linkId: string) => {
    await kit.drain();
    kit.advanceClock(3_000);
    await kit.drain();
    const { total, unique, bots } = (await links.read({ linkId })).clicks;
    return [total, unique, bots];
  };

  test('UTM values are added without changing other parameters', () => {
    const cases: [string, Record<string, string>, string][] = [
      ['https://e.com', { source: 'a' }, 'https://e.com/?utm_source=a'],
      ['https://e.com/?b=%20+&a=1&a=2&c', { source: 'x y' }, 'https://e.com/?b=%20+&a=1&a=2&c&utm_source=x%20y'],
      ['https://e.com/?utm_source=old&q=1&utm_source=older', { source: 'new' }, 'https://e.com/?q=1&utm_source=new'],
      ['https://e.com/?%75tm_source=old&q=1', { source: 'new' }, 'https://e.com/?q=1&utm_source=new'],
      ['https://e.com/?utm_source=old', { source: '', medium: 'm' }, 'https://e.com/?utm_source=old&utm_medium=m'],
      ['https://e.com/#part?x', { term: '&=#' }, 'https://e.com/?utm_term=%26%3D%23#part?x'],
      ['https://BÜCHER.example/ä?ö', {}, 'https://xn--bcher-kva.example/%C3%A4?%C3%B6'],
    ];
    for (const [url, utm, location] of cases) assert.is(addUtm(url, utm), location);
  });

  test(
    'a visitor is redirected at once, and people, bots and prefetches are counted separately',
    withLinks(async (bench) => {
      const { links, visit, test: kit } = bench;
      const { linkId } = await links.create({ destinationUrl: to, slug: 'spring', utm: { source: 'mail' } });
      const first = await visit('/l/spring?x=1', { headers: { referer: 'https://www.news.example/a?b' } });
      assert.equal(
        [first.status, first.location, first.headers['Cache-Control'], first.text],
        [302, 'https://example.com/spring?utm_source=mail', 'private, no-store', ''],
      );
      await visit('/l/spring');
      await visit('/l/spring', { address: '192.0.2.2', userAgent: phone });
      await visit('/l/spring', { userAgent: crawler });
      await visit('/l/spring', { headers: { 'sec-purpose': 'prefetch;prerender' } });
      await visit('/l/spring', { headers: { 'user-agent': '' } });
      assert.is((await visit('/l/spring', { method: 'HEAD' })).location, first.location);
      assert.equal(await counts(bench, linkId), [3, 2, 3]);
      const [clickEvent] = await kit.events('link.clicked');
      assert.equal(clickEvent, {
        linkId,
        slug: 'spring',
        country: null,
        device: 'desktop',
        platform: 'windows',
        referrer: 'news.example',
        bot: false,
      });
      assert.is((await kit.events('link.clicked')).length, 6);
    }),
  );

  test(
    'a visitor counts as unique once a day, and no stored data identifies the visitor',
    withLinks(async (bench) => {
      const { links, visit, test: kit } = bench;
      const { linkId } = await links.create({ destinationUrl: to, slug: 'once' });
      const address = '203.0.113.77';
      for (let count = 0; count < 3; count += 1) await visit('/l/once', { address });
      assert.equal(await counts(bench, linkId), [3, 1, 0]);
      await visit('/l/once', { address });
      assert.equal(await counts(bench, linkId), [4, 1, 0]);
      const kitDatabase = await kit.service.core.database();
      const rows = () =>
        kitDatabase.read(kit.workspaceId, async (handle) => ({
          clicks: (await handle.db.selectFrom('link_click_batches').selectAll().execute()).flatMap((row) =>
            unpackClicks(batchRows.decode(row).clicks),
          ),
          salts: await handle.db.selectFrom('link_salts').selectAll().execute(),
        }));
      const before = await rows();
      assert.not.match(JSON.stringify(before), address);
      assert.is(before.salts.length, 1);
      kit.advanceClock(24 * hour);
      await kit.drain();
      assert.is((await rows()).salts.length, 0, 'the salt is destroyed at the end of its day');
      await visit('/l/once', { address });
      assert.equal(await counts(bench, linkId), [5, 2, 0]);
      const after = await rows();
      assert.is(new Set(after.clicks.map(({ visitor }) => visitor)).size, 2, 'the same visitor has another hash');
      kit.advanceClock(91 * 24 * hour);
      await kit.drain();
      assert.is((await rows()).clicks.length, 0);
      assert.equal(await counts(bench, linkId), [5, 2, 0], 'the sums did not change');
    }),
  );

  test(
    'a link that is not live yet, expired, archived or unknown does not redirect',
    withLinks(async ({ links, visit, test: kit }) => {
      const isoAfter = (ms: number) => new Date(kit.now() + ms).toISOString();
      await links.create({
        destinationUrl: to,
        slug: 'timed',
        scheduledGoLiveAt: isoAfter(hour),
        expiresAt: isoAfter(2 * hour),
      });
      const { linkId } = await links.create({ destinationUrl: to, slug: 'old' });
      const [soon, unknown] = [await visit('/l/timed'), await visit('/l/nothing')];
      assert.equal([soon.status, unknown.status], [404, 404]);
      assert.is(soon.text, unknown.text, 'the answer does not reveal that the link exists');
      assert.is((await visit('/l/..%2fold')).status, 404);
      kit.advanceClock(hour);
      assert.is((await visit('/l/timed')).location, to);
      kit.advanceClock(hour);
      const expiredVisit = await visit('/l/timed');
      assert.equal([expiredVisit.status, expiredVisit.location], [410, undefined]);
      assert.is((await visit('/l/old')).status, 302);
      await links.archive({ linkId });
      const archived = await visit('/l/old');
      assert.equal([archived.status, archived.location], [302, `../l?of=${kit.workspaceId}`]);
      assert.match((await visit('/l')).text, 'no longer in use');
    }),
  );

  test(
    'archived links redirect to the landing page of the program',
    withLinks(
      async ({ links, visit }) => {
        const { linkId } = await links.create({ destinationUrl: to, slug: 'old' });
        await links.archive({ linkId });
        assert.is((await visit('/l/old')).location, 'https://example.com/landing');
      },
      { landingUrl: 'https://example.com/landing' },
    ),
  );

  test(
    'a change applies at once in this process, and within a second in another process',
    withLinks(async ({ links, visit, test: kit }) => {
      const { linkId } = await links.create({ destinationUrl: to, slug: 'moving' });
      await visit('/l/moving');
      await links.update({ linkId, destinationUrl: 'https://example.com/new' });
      assert.is((await visit('/l/moving')).location, 'https://example.com/new');
      // Another process writes to the database, and this one gets no notification.
      const kitDatabase = await kit.service.core.database();
      await kitDatabase.transact(async (scope) => {
        const changes = { destination_url: 'https://example.com/newest' };
        await scope.handle(kit.workspaceId).db.updateTable('links').set(changes).where('id', '=', linkId).execute();
      });
      assert.is((await visit('/l/moving')).location, 'https://example.com/new');
      kit.advanceClock(1_000);
      assert.is((await visit('/l/moving')).location, 'https://example.com/newest');
      assert.is((await visit('/l/later')).status, 404);
      await links.create({ destinationUrl: to, slug: 'later' });
      assert.is((await visit('/l/later')).status, 302);
    }),
  );

  test(
    'the first rule that matches sets the destination',
    withLinks(
      async ({ links, visit }) => {
        const rule = (kind: string, value: string, name: string) => ({
          match: { kind, values: [value] } as never,
          destinationUrl: `https://example.com/${name}`,
        });
        const routeRules = [
          rule('platform', 'ios', 'ios'),
          rule('device', 'tablet', 'tablet'),
          rule('city', 'Zürich', 'zurich'),
          rule('country', 'at', 'austria'),
        ];
        await links.create({ destinationUrl: to, slug: 'rules', routeRules, utm: { source: 's' } });
        const destinationFor = async (userAgent: string, headers = {}) =>
          (await visit('/l/rules', { userAgent, headers })).location?.slice(20);
        assert.is(await destinationFor(phone, { 'cf-ipcountry': 'AT' }), 'ios?utm_source=s');
        assert.is(await destinationFor(tablet), 'tablet?utm_source=s');
        assert.is(
          await destinationFor(desktop, { 'cf-ipcountry': 'CH', 'cf-ipcity': 'Z%C3%BCrich' }),
          'zurich?utm_source=s',
        );
        assert.is(await destinationFor(desktop, { 'cf-ipcountry': 'at' }), 'austria?utm_source=s');
        assert.is(await destinationFor(desktop, { 'cf-ipcountry': 'T1' }), 'spring?utm_source=s');
        assert.is(
          await destinationFor(desktop, { 'sec-ch-ua-platform': '"iOS"' }),
          'ios?utm_source=s',
          'a client hint counts',
        );
        assert.is(
          await destinationFor(desktop, { 'x-vercel-ip-country': 'AT' }),
          'spring?utm_source=s',
          'only the header of the named network counts',
        );
      },
      { cdn: 'cloudflare' },
    ),
  );

  test(
    'if no network header has country and city, they come from the program’s own reader',
    withLinks(
      async (bench) => {
        const { links, visit, test: kit } = bench;
        const { linkId } = await links.create({ destinationUrl: to, slug: 'geo' });
        await visit('/l/geo', { headers: { 'cf-ipcountry': 'AT' } });
        await visit('/l/geo', { address: '198.51.100.1' });
        await counts(bench, linkId);
        const { cards } = await links.analytics({ linkId, cardKey: 'cities' });
        assert.equal(cards[0]?.rows, [{ value: 'Wien, AT', clicks: 1, unique: 1, bots: 0 }]);
        assert.equal((await kit.events('link.clicked')).map(({ country }) => country).sort(), ['AT', null]);
      },
      { geo: { find: (address) => (address === '198.51.100.1' ? { country: 'AT', city: 'Wien' } : undefined) } },
    ),
  );

  test(
    'if the reader of addresses fails for one address, clicks are still redirected',
    withLinks(
      async (bench) => {
        const { linkId } = await bench.links.create({ destinationUrl: to, slug: 'geo' });
        assert.is((await bench.visit('/l/geo', { address: '198.51.100.1' })).status, 302);
        assert.is((await bench.visit('/l/geo')).status, 302);
        assert.equal(await counts(bench, linkId), [2, 2, 0]);
      },
      {
        geo: {
          find(address) {
            if (address === '198.51.100.1') throw new Error('a broken file');
            return undefined;
          },
        },
      },
    ),
  );

  test(
    'visitors with the right password do not lock each other out, but after too many wrong passwords even the right password is refused',
    withLinks(async ({ links, visit }) => {
      await links.create({ destinationUrl: to, slug: 'party', password: 'tulip-7' });
      const enter = async (password: string, address = '198.51.100.1') =>
        (await visit('/l/party', { password, address })).status;
      for (let guest = 0; guest < 12; guest += 1) assert.is(await enter('tulip-7'), 303);
      assert.equal(await Promise.all(Array.from({ length: 8 }, () => enter('tulip-7'))), Array(8).fill(303));
      const wrong = [];
      for (let guess = 0; guess < 7; guess += 1) wrong.push(await enter(`tulip-${guess === 6 ? 'x'.repeat(201) : ''}`));
      assert.equal(wrong, [403, 403, 403, 403, 403, 429, 429]);
      assert.is(await enter('tulip-7'), 429);
      assert.is(await enter('tulip-7', '198.51.100.2'), 303);
      const otherAddress = '198.51.100.3';
      const atOnce = await Promise.all(Array.from({ length: 9 }, () => enter('no', otherAddress)));
      assert.is(atOnce.filter((status) => status === 429).length, 4);
    }),
  );

  test(
    'under a domain of a workspace, links of other workspaces do not redirect',
    withLinks(
      async ({ visit, test: kit }) => {
        await kit.service.links.addDomain(kit.workspaceId, 'go.bank.example');
        const foreign = kit.service.as(kit.foreignWorkspaceId).links;
        await foreign.create({ destinationUrl: 'https://example.com/other', slug: 'login2' });
        await foreign.create({ destinationUrl: to, slug: 'locked', password: 'tulip-7' });
        const locationOf = async (path: string, host: string, visiting = {}) => {
          const { status, location } = await visit(path, { host, ...visiting });
          return [status, location];
        };
        assert.equal(await locationOf('/l/login2', 'localhost'), [302, 'https://example.com/other']);
        assert.equal(await locationOf('/l/login2', 'go.bank.example'), [404, undefined]);
        assert.equal(await locationOf('/login2', 'go.bank.example'), [404, undefined]);
        assert.equal(await locationOf('/l/locked', 'GO.bank.example', { password: 'tulip-7' }), [404, undefined]);
      },
      { customDomains: true },
    ),
  );

  test(
    'if a domain moves to another workspace, its links do not move with it, and its slugs become free',
    withLinks(
      async ({ links, visit, test: kit }) => {
        const domain = 'go.sold.example';
        const { addDomain, removeDomain } = kit.service.links;
        const locationOf = async (slug: string) => (await visit(`/${slug}`, { host: domain })).location;
        await addDomain(kit.workspaceId, domain);
        await links.create({ destinationUrl: 'https://example.com/first', slug: 'a', domain });
        await links.create({ destinationUrl: 'https://example.com/only', slug: 'b', domain });
        assert.is(await locationOf('a'), 'https://example.com/first');
        await removeDomain(kit.workspaceId, domain);
        await addDomain(kit.foreignWorkspaceId, domain);
        assert.equal([await locationOf('a'), await locationOf('b')], [undefined, undefined]);
        const next = kit.service.as(kit.foreignWorkspaceId).links;
        await next.create({ destinationUrl: 'https://example.com/next', slug: 'a', domain });
        assert.equal([await locationOf('a'), await locationOf('b')], ['https://example.com/next', undefined]);
        await removeDomain(kit.foreignWorkspaceId, domain);
        await addDomain(kit.workspaceId, domain);
        assert.is(
          await locationOf('a'),
          'https://example.com/first',
          'the links belong to the workspace that created them',
        );
      },
      { customDomains: true },
    ),
  );

  test(
    'sandbox links redirect with noindex, and their clicks and events are on the sandbox side',
    withLinks(async (bench) => {
      const { visit, test: kit } = bench;
      const sandbox = kit.service.as(kit.workspaceId, { sandbox: true }).links;
      const { linkId, sandbox: marked } = await sandbox.create({ destinationUrl: to, slug: 'try' });
      assert.is(marked, true);
      const answer = await visit('/l/try?s=qr');
      assert.equal([answer.location, answer.headers['X-Robots-Tag']], [to, 'noindex']);
      await kit.drain();
      kit.advanceClock(3_000);
      await kit.drain();
      assert.is((await sandbox.read({ linkId })).clicks.total, 1);
      assert.is((await bench.links.analytics({ cardKey: 'overview' })).cards[0]?.rows[0]?.clicks, 0);
      assert.is((await sandbox.analytics({ cardKey: 'qr' })).cards[0]?.rows[0]?.value, 'qr');
      assert.is((await kit.request(`/v1/links/${linkId}`)).status, 404);
    }),
  );

  test('with a short host, links on the service’s own host are refused as destinations', async () => {
    const options = { shortUrl: 'https://go.example.com' };
    const bench = await openLinksBench(database, options, { publicUrl: 'https://app.example.com' });
    const { test: kit, links, visit } = bench;
    try {
      const refusalOf = async (destinationUrl: string) => {
        const answer = await kit.request('/v1/links', { method: 'POST', body: { destinationUrl } });
        return [answer.status, answer.body.error?.code];
      };
      assert.equal(await refusalOf('https://go.example.com/spring'), [422, 'validation_failed']);
      assert.equal(await refusalOf('https://app.example.com/l/spring'), [422, 'validation_failed']);
      await links.create({ destinationUrl: 'https://app.example.com/prices', slug: 'prices' });
      for (const [url, host] of [
        ['/prices', 'go.example.com'],
        ['/l/prices', 'app.example.com'],
      ] as const)
        assert.is((await visit(url, { host })).location, 'https://app.example.com/prices');
    } finally {
      await kit.close();
    }
  });

  test(
    'with recordClicks before-answer, a click is stored before the visitor is redirected',
    withLinks(
      async ({ links, visit, test: kit }) => {
        await links.create({ destinationUrl: to, slug: 'sure' });
        await Promise.all(Array.from({ length: 20 }, () => visit('/l/sure')));
        const kitDatabase = await kit.service.core.database();
        const rows = await kitDatabase.read(kit.workspaceId, (handle) =>
          handle.db.selectFrom('link_click_batches').selectAll().execute(),
        );
        assert.is(rows.flatMap((row) => unpackClicks(batchRows.decode(row).clicks)).length, 20);
      },
      { recordClicks: 'before-answer' },
    ),
  );
});
