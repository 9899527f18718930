// Short links over the API: accepted destinations, slugs, domains, price, changes, lists and suggestions.
// full-run: slow
import * as assert from 'uvu/assert';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { destinationFault, mixesScripts } from '../../plugins/links/destination.ts';
import type { LinksOptions } from '../../plugins/links/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { type LinksBench, openLinksBench } from '../support/links-bench.ts';

const to = 'https://example.com/spring';

/** Fails unless the call is refused, and with this code if one is given. */
async function expectRefusal(call: Promise<unknown>, code?: string, about = 'a call'): Promise<void> {
  const refusal = await call.then(
    () => undefined,
    (error: { code?: string }) => error,
  );
  assert.ok(refusal, `${about} was accepted`);
  if (code !== undefined) assert.is(refusal?.code, code);
}

await twoDatabases('short links', (test, database) => {
  const withLinks =
    (work: (bench: LinksBench) => Promise<void>, ...more: [Parameters<typeof openLinksBench>[1]?] | []) =>
    async () => {
      const bench = await openLinksBench(database, ...more);
      try {
        await work(bench);
      } finally {
        await bench.test.close();
      }
    };
  const refusalOf = async ({ test: { request } }: LinksBench, body: object) => {
    const answer = await request('/v1/links', { body: { destinationUrl: to, ...body } });
    return `${answer.status} ${answer.body.error?.code}`;
  };

  test('in production, no link can be created on the default domain while the service has no address', async () => {
    const keyring = localKeyring({ keys: [{ id: 'a', secret: 'a secret for this test only, 32 b' }] });
    const open = (options: LinksOptions, publicUrl?: string) =>
      openLinksBench(database, options, {
        environment: 'production',
        keyring,
        ...(publicUrl === undefined ? {} : { publicUrl }),
      });
    const createOn = async (bench: LinksBench, domain?: string): Promise<string> => {
      const link = { destinationUrl: to, slug: 'spring', ...(domain === undefined ? {} : { domain }) };
      return bench.links.create(link).then(
        ({ redirectUrl }) => redirectUrl,
        ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
      );
    };
    const cases: readonly [Awaited<ReturnType<typeof open>>, string][] = [
      [await open({}, 'https://app.example/post'), 'https://app.example/post/l/spring'],
      [await open({ shortUrl: 'https://go.example' }), 'https://go.example/spring'],
    ];
    for (const [bench, url] of cases) {
      assert.is(await createOn(bench), url);
      await bench.test.close();
    }
    const bench = await open({ customDomains: true });
    const { service, workspaceId } = bench.test;
    assert.match(await createOn(bench), /^state_conflict: A short link on the default domain would begin with http:/);
    assert.equal((await bench.links.list()).data, []);
    await service.links.addDomain(workspaceId, 'go.acme.example');
    assert.is(await createOn(bench, 'go.acme.example'), 'https://go.acme.example/spring');
    const [{ linkId } = { linkId: '' }] = (await bench.links.list()).data;
    const design = { encodes: { kind: 'shortLink', linkId } } as const;
    assert.is((await service.as(workspaceId).qr.create(design)).payload, 'https://go.acme.example/spring?s=qr');
    // The link looks as if it had been created before the service refused it.
    const kitDatabase = await service.core.database();
    await kitDatabase.transact((scope) =>
      scope.handle(workspaceId).db.updateTable('links').set({ domain: '' }).where('id', '=', linkId).execute(),
    );
    await expectRefusal(service.as(workspaceId).qr.create(design), 'state_conflict', 'a code');
    await bench.test.close();
  });

  test(
    'a link shows its short URL and its counts, and never its password',
    withLinks(async ({ links, test: kit }) => {
      const created = await links.create({
        destinationUrl: to,
        slug: 'spring',
        password: 'tulip-7',
        tags: ['a', 'a', 'b'],
      });
      assert.equal(
        [created.redirectUrl, created.domain, created.hasPassword, created.tags, created.status],
        ['http://localhost/l/spring', 'localhost', true, ['a', 'b'], 'active'],
      );
      assert.equal(created.clicks, { total: 0, unique: 0, bots: 0, lastAt: null });
      assert.not.match(JSON.stringify([created, await kit.events('link.created'), await links.list()]), 'tulip-7');
      const row = await kit.service.core
        .database()
        .then((opened) =>
          opened.read(kit.workspaceId, (handle) => handle.db.selectFrom('links').selectAll().execute()),
        );
      assert.not.match(Buffer.from(row[0]?.password ?? []).toString('latin1'), 'tulip-7');
    }),
  );

  test(
    'a hostile destination is refused, and the error names the field',
    withLinks(async (bench) => {
      const hostile = [
        'javascript:alert(1)',
        'JaVaScRiPt:alert(1)',
        'data:text/html,<script>alert(1)</script>',
        'vbscript:msgbox(1)',
        'file:///etc/passwd',
        'ftp://example.com/',
        '//example.com/',
        '/relative',
        'https:example.com',
        'https:/example.com',
        'https:///example.com',
        'https:\\\\example.com',
        'https://example.com\\@evil.example/',
        'https://user@example.com/',
        'https://user:pass@example.com/',
        'https://example.com/\r\nSet-Cookie: a=b',
        'https://example.com/\nX: y',
        'https://example.com/\u0000',
        'https://example.com/\u2028',
        'https://exa\tmple.com/',
        ' https://example.com/',
        'https://example.com/ x',
        'https://exam\u200bple.com/',
        'https://example.com/"><script>',
        'https://',
        'https://[::1',
        'https://example.com:99999/',
        'https://example.com%00.evil.example/',
        'http://localhost/l/other',
        'HTTP://LOCALHOST/l/other',
        `https://example.com/${'a'.repeat(2_050)}`,
      ];
      for (const destinationUrl of hostile) {
        assert.is(await refusalOf(bench, { destinationUrl }), '422 validation_failed', JSON.stringify(destinationUrl));
        const routeRules = [{ match: { kind: 'device', values: ['mobile'] }, destinationUrl }];
        assert.is(
          await refusalOf(bench, { routeRules }),
          '422 validation_failed',
          `as a rule: ${JSON.stringify(destinationUrl)}`,
        );
      }
      assert.is(
        destinationFault('http://example.com/a%0d%0ab?x=%22'),
        undefined,
        'percent-encoded characters are harmless',
      );
      assert.equal((await bench.links.list()).data, []);
    }),
  );

  test(
    'other invalid fields are refused',
    withLinks(async (bench) => {
      const wrong = [
        { slug: '' },
        { slug: 'with space' },
        { slug: 'a/b' },
        { slug: 'ü' },
        { slug: 'x'.repeat(41) },
        { slug: 'Admin' },
        { slug: 'l' },
        { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) },
        { utm: { source: 'a\r\nb' } },
        { utm: { campaigne: 'x' } },
        { expiresAt: '2026-05-01T00:00:00Z', scheduledGoLiveAt: '2026-05-01T00:00:00Z' },
        { routeRules: [{ match: { kind: 'country', values: ['Germany'] }, destinationUrl: to }] },
        {
          routeRules: Array.from({ length: 21 }, () => ({
            match: { kind: 'city', values: ['Wien'] },
            destinationUrl: to,
          })),
        },
      ];
      for (const body of wrong) assert.is(await refusalOf(bench, body), '422 validation_failed', JSON.stringify(body));
      const [lone] = ['\ud800'];
      assert.match(await refusalOf(bench, { utm: { source: lone } }), /^4\d\d /);
    }),
  );

  test(
    'a slug is unique across workspaces, is case-sensitive, and stays reserved after its link is archived',
    withLinks(async (bench) => {
      const { links, test: kit } = bench;
      const { linkId } = await links.create({ destinationUrl: to, slug: 'Summer' });
      await links.archive({ linkId });
      assert.is(await refusalOf(bench, { slug: 'Summer' }), '409 slug_taken');
      await expectRefusal(kit.service.as(kit.foreignWorkspaceId).links.create({ destinationUrl: to, slug: 'Summer' }));
      assert.is((await links.create({ destinationUrl: to, slug: 'summer' })).slug, 'summer');
      const slugs = new Set<string>();
      for (let count = 0; count < 20; count += 1) slugs.add((await links.create({ destinationUrl: to })).slug);
      assert.is(slugs.size, 20);
      for (const slug of slugs) assert.match(slug, /^[2-9a-hjkmnp-zA-HJKMNP-Z]{7}$/);
    }),
  );

  test(
    'a link costs a credit, but nothing in the sandbox, and a refused link costs nothing',
    withLinks(async (bench) => {
      const { test: kit } = bench;
      const { id } = await kit.service.workspaces.create({
        name: 'Poor',
        plan: 'hobby',
        figures: { monthlyCredits: 1 },
        defaultFrom: { email: 'a@example.com', name: 'A' },
      });
      const { links } = kit.service.as(id);
      await links.create({ destinationUrl: to, slug: 'one' });
      await expectRefusal(links.create({ destinationUrl: to, slug: 'two' }), 'credits_exhausted');
      assert.is((await links.list()).data.length, 1);
      await kit.service.as(id, { sandbox: true }).links.create({ destinationUrl: to, slug: 'three' });
    }),
  );

  test(
    'only the program can add domains, and a domain belongs to one workspace and needs a plan',
    withLinks(
      async (bench) => {
        const { test: kit, links } = bench;
        const ownDomain = 'go.acme.example';
        assert.is(await refusalOf(bench, { domain: ownDomain }), '422 domain_not_allowed');
        assert.is((await kit.service.links.addDomain(kit.workspaceId, ' Go.ACME.example. ')).domain, ownDomain);
        await expectRefusal(kit.service.links.addDomain(kit.foreignWorkspaceId, ownDomain));
        for (const wrong of ['', 'localhost', 'a b', 'https://x.example', '10.0.0.1'])
          await expectRefusal(kit.service.links.addDomain(kit.workspaceId, wrong), undefined, wrong);
        const created = await links.create({ destinationUrl: to, domain: 'GO.acme.example', slug: 'x' });
        assert.equal([created.domain, created.redirectUrl], [ownDomain, 'https://go.acme.example/x']);
        assert.is(await refusalOf(bench, { destinationUrl: 'https://go.acme.example/y' }), '422 validation_failed');
        assert.is(
          (await links.create({ destinationUrl: to, slug: 'x' })).domain,
          'localhost',
          'another domain, so another slug',
        );
        const foreign = kit.service.as(kit.foreignWorkspaceId).links;
        await expectRefusal(foreign.create({ destinationUrl: to, domain: ownDomain }), 'domain_not_allowed');
        await kit.service.workspaces.update(kit.workspaceId, {
          plan: 'hobby',
          figures: { customDomains: false },
        });
        assert.is(await refusalOf(bench, { domain: ownDomain }), '403 plan_required');
        await kit.service.links.removeDomain(kit.workspaceId, ownDomain);
        assert.equal(await kit.service.links.listDomains(kit.workspaceId), []);
      },
      { customDomains: true },
    ),
  );

  test(
    'besides short domains of workspaces, any other host can be a content host',
    withLinks(
      async (bench) => {
        const { test: kit, links } = bench;
        const { workspaces } = kit.service;
        await kit.service.links.addDomain(kit.workspaceId, 'go.acme.example');
        await expectRefusal(workspaces.update(kit.workspaceId, { contentHost: 'go.acme.example' }), 'state_conflict');
        await workspaces.update(kit.workspaceId, { contentHost: 'news.acme.example' });
        await expectRefusal(kit.service.links.addDomain(kit.workspaceId, 'news.acme.example'));
        await links.create({ destinationUrl: to, domain: 'go.acme.example', slug: 'one' });
        assert.is((await bench.visit('/one', { host: 'go.acme.example' })).status, 302);
        assert.is((await bench.visit('/one', { host: 'news.acme.example' })).status, 404);
      },
      { customDomains: true },
    ),
  );

  test(
    'the shared short host cannot be a content host',
    withLinks(
      async ({ test: kit }) =>
        expectRefusal(
          kit.service.workspaces.update(kit.workspaceId, { contentHost: 'go.example.com' }),
          'state_conflict',
        ),
      { shortUrl: 'https://go.example.com' },
    ),
  );

  test(
    'a change keeps omitted fields, a clear flag removes a value, and giving a value with its clear flag is refused',
    withLinks(async ({ links, test: kit }) => {
      const { linkId } = await links.create({
        destinationUrl: to,
        label: 'L',
        password: 'p',
        expiresAt: '2026-06-01T00:00:00Z',
        scheduledGoLiveAt: '2026-05-01T00:00:00Z',
        utm: { source: 'a', medium: 'b' },
        routeRules: [{ match: { kind: 'country', values: ['at'] }, destinationUrl: 'https://example.at/' }],
      });
      const change = await links.update({ linkId, utm: { source: 'c' } });
      assert.equal(
        [change.label, change.hasPassword, change.utm, change.status],
        ['L', true, { source: 'c' }, 'scheduled'],
      );
      assert.equal(change.routeRules[0]?.match.values, ['AT']);
      const both = await kit.request(`/v1/links/${linkId}`, {
        method: 'PATCH',
        body: { password: 'x', clearPassword: true },
      });
      assert.equal([both.status, both.body.error.details[0].path], [422, 'password']);
      const answer = await kit.request(`/v1/links/${linkId}`, {
        method: 'PATCH',
        body: { expiresAt: '2026-04-01T00:00:00Z' },
      });
      assert.is(answer.status, 422);
      const link = await links.update({
        linkId,
        clearPassword: true,
        clearExpiresAt: true,
        clearScheduledGoLiveAt: true,
        clearRouteRules: true,
      });
      assert.equal(
        [link.hasPassword, link.expiresAt, link.scheduledGoLiveAt, link.routeRules, link.status],
        [false, null, null, [], 'active'],
      );
      assert.equal(
        (await kit.events('link.updated')).map(({ status }) => status),
        ['scheduled', 'active'],
      );
    }),
  );

  test(
    'archiving is final and can be repeated; the list omits archived links',
    withLinks(async ({ links, test: kit }) => {
      const { linkId } = await links.create({ destinationUrl: to, slug: 'gone' });
      await links.create({
        destinationUrl: 'https://example.com/other',
        slug: 'stays',
        label: '100% Tulips',
        tags: ['a_b'],
        campaignId: 'c1',
      });
      assert.is((await links.archive({ linkId })).status, 'archived');
      assert.is((await links.archive({ linkId })).status, 'archived');
      assert.is((await kit.events('link.archived')).length, 1);
      const slugs = async (query: object) => (await links.list(query)).data.map(({ slug }) => slug);
      assert.equal(await slugs({}), ['stays']);
      assert.equal((await kit.request('/v1/links?includeArchived=true')).body.data.length, 2);
      for (const query of [
        { search: '100%' },
        { search: 'tulips' },
        { search: '/OTHER' },
        { tag: 'a_b' },
        { campaignId: 'c1' },
      ])
        assert.equal(await slugs(query), ['stays'], JSON.stringify(query));
      for (const query of [{ search: '100_' }, { tag: 'aXb' }, { tag: 'a' }, { campaignId: 'c' }])
        assert.equal(await slugs(query), [], JSON.stringify(query));
      assert.is((await kit.request('/v1/links?limit=501')).status, 422);
    }),
  );

  test(
    'UTM values are suggested by frequency, on their own side',
    withLinks(async ({ links, test: kit }) => {
      for (const source of ['mail', 'shop', 'mail', ''])
        await links.create({ destinationUrl: to, utm: { source, term: 'x' } });
      const { linkId } = await links.create({ destinationUrl: to });
      await links.update({ linkId, utm: { source: 'shop' } });
      await links.update({ linkId, utm: { source: 'shop', medium: 'print' } });
      await links.create({ destinationUrl: to, utm: { source: 'shop' } });
      assert.equal(await links.utmSuggestions({ field: 'source' }), {
        items: [
          { field: 'source', value: 'shop', count: 3 },
          { field: 'source', value: 'mail', count: 2 },
        ],
      });
      const { body } = await kit.request('/v1/links/utm-suggestions?includeCounts=false');
      assert.equal(body.items[0], { field: 'term', value: 'x' });
      assert.equal((await kit.request('/v1/links/utm-suggestions', { key: kit.testKey })).body.items, []);
    }),
  );

  test('hosts that mix scripts are recognised', () => {
    const mixedHosts = ['https://аpple.com/', 'https://pаypal.example/', 'https://shop.gοοgle.com/'];
    const plain = [
      'https://example.com/',
      'https://пример.com/',
      'https://日本kana.jp/',
      'https://bücher.example/',
      'https://한국.kr/',
    ];
    for (const url of mixedHosts) assert.ok(mixesScripts(url), url);
    for (const url of plain) assert.not.ok(mixesScripts(url), url);
  });
});
