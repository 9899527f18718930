// Analytics of short links: cards that are read only from sums, plans, the sandbox side, and roll-ups that count each click once.
// full-run: slow
import * as assert from 'uvu/assert';
import { rollUp } from '../../plugins/links/rollups/roll-up.ts';
import { twoDatabases } from '../support/databases.ts';
import { desktop, type LinksBench, openLinksBench, phone } from '../support/links-bench.ts';

const day = 86_400_000;

await twoDatabases('analytics of short links', (test, database) => {
  const withLinks = (work: (bench: LinksBench) => Promise<void>) => async () => {
    const bench = await openLinksBench(database, { cdn: 'cloudflare' });
    try {
      await work(bench);
    } finally {
      await bench.test.close();
    }
  };
  const settle = async ({ test: kit }: LinksBench) => {
    await kit.drain();
    kit.advanceClock(3_000);
    await kit.drain();
  };
  const rows = async ({ links }: LinksBench, cardKey: string, more: object = {}) => {
    const { cards } = await links.analytics({ cardKey: cardKey as 'overview', ...more });
    return cards[0]?.rows.map(({ value, clicks, unique, bots, field }) => [
      ...(field === undefined ? [] : [field]),
      value,
      clicks,
      unique,
      bots,
    ]);
  };

  test(
    'every card counts the properties of the visitors',
    withLinks(async (bench) => {
      const { links, visit } = bench;
      const { linkId } = await links.create({
        destinationUrl: 'https://example.com/',
        slug: 'cards',
        utm: { source: 'mail', campaign: 'spring' },
      });
      await links.create({ destinationUrl: 'https://example.com/', slug: 'other' });
      const headersFrom = (country: string, city: string) => ({ 'cf-ipcountry': country, 'cf-ipcity': city });
      await visit('/l/cards?s=qr', {
        userAgent: phone,
        headers: { ...headersFrom('AT', 'Wien'), referer: 'https://www.news.example/x' },
      });
      await visit('/l/cards', { userAgent: phone, headers: headersFrom('AT', 'Graz'), address: '192.0.2.5' });
      await visit('/l/cards', { userAgent: desktop, headers: headersFrom('DE', 'Berlin') });
      await visit('/l/cards', { userAgent: 'curl/8.5.0', headers: headersFrom('US', 'Dallas') });
      await visit('/l/other');
      await settle(bench);
      const of = { linkId };
      assert.equal(await rows(bench, 'overview', of), [['total', 3, 3, 1]]);
      assert.equal(await rows(bench, 'timeseries', { ...of, days: 2 }), [
        ['2025-12-31', 0, 0, 0],
        ['2026-01-01', 3, 3, 1],
      ]);
      assert.equal(await rows(bench, 'countries', of), [
        ['AT', 2, 2, 0],
        ['DE', 1, 1, 0],
      ]);
      assert.equal(await rows(bench, 'cities', of), [
        ['Berlin, DE', 1, 1, 0],
        ['Graz, AT', 1, 1, 0],
        ['Wien, AT', 1, 1, 0],
      ]);
      assert.equal(await rows(bench, 'referrers', of), [
        ['direct', 2, 2, 0],
        ['news.example', 1, 1, 0],
      ]);
      assert.equal(await rows(bench, 'devices', of), [
        ['mobile', 2, 2, 0],
        ['desktop', 1, 1, 0],
      ]);
      assert.equal(await rows(bench, 'browsers', of), [
        ['Safari', 2, 2, 0],
        ['Chrome', 1, 1, 0],
      ]);
      assert.equal(await rows(bench, 'platforms', of), [
        ['ios', 2, 2, 0],
        ['windows', 1, 1, 0],
      ]);
      assert.equal(await rows(bench, 'utm', of), [
        ['source', 'mail', 3, 3, 0],
        ['campaign', 'spring', 3, 3, 0],
      ]);
      assert.equal(await rows(bench, 'qr', of), [
        ['link', 2, 2, 0],
        ['qr', 1, 1, 0],
      ]);
      assert.equal(
        await rows(bench, 'overview'),
        [['total', 4, 4, 1]],
        'without a link, the card covers all links of the side',
      );
      assert.is((await links.analytics()).cards.length, 10);
    }),
  );

  test(
    'a refresh adds the clicks that are not summed yet',
    withLinks(async (bench) => {
      const { links, visit } = bench;
      await links.create({ destinationUrl: 'https://example.com/', slug: 'fresh' });
      await visit('/l/fresh');
      await settle(bench);
      await visit('/l/fresh');
      await visit('/l/fresh', { address: '192.0.2.8' });
      assert.equal(await rows(bench, 'overview'), [['total', 1, 1, 0]]);
      assert.equal(await rows(bench, 'overview', { forceRefresh: true }), [['total', 3, 2, 0]]);
      assert.equal(await rows(bench, 'devices', { forceRefresh: true }), [['desktop', 3, 2, 0]]);
      await settle(bench);
      assert.equal(await rows(bench, 'overview'), [['total', 3, 2, 0]]);
    }),
  );

  test(
    'two simultaneous roll-ups count each click once, even if the salt of the day is destroyed',
    withLinks(async (bench) => {
      const { links, visit, test: kit } = bench;
      const { linkId } = await links.create({ destinationUrl: 'https://example.com/', slug: 'twice' });
      for (let count = 0; count < 40; count += 1) await visit('/l/twice', { address: `192.0.2.${count % 10}` });
      await kit.service.core.services.linkClicks.flush();
      const kitDatabase = await kit.service.core.database();
      await kitDatabase.transact((scope) => scope.handle(kit.workspaceId).db.deleteFrom('link_salts').execute());
      let ids = 0;
      const roll = () =>
        kitDatabase.transact(async (scope) => {
          const trx = scope.handle({ workspaceId: kit.workspaceId, sandbox: false });
          ids += 1;
          const newId = (prefix: string) => `${prefix}_${ids}`;
          const { count } = await rollUp({ trx, now: kit.now(), newId }, { limit: 25 });
          await scope.flush();
          return count;
        });
      const rollUps = await Promise.all([roll(), roll(), roll()]);
      assert.is(
        rollUps.reduce((sum, count) => sum + count),
        40,
      );
      const { total, unique } = (await links.read({ linkId })).clicks;
      assert.equal([total, unique], [40, 10]);
    }),
  );

  test(
    'rich cards and events of links need a plan that includes them',
    withLinks(async (bench) => {
      const { test: kit } = bench;
      await kit.service.workspaces.update(kit.workspaceId, { plan: 'hobby' });
      const ask = (query: string) => kit.request(`/v1/links/analytics?${query}`);
      assert.is((await ask('cardKey=timeseries')).status, 200);
      const rich = await ask('cardKey=countries');
      assert.equal([rich.status, rich.body.error.code], [403, 'plan_required']);
      assert.equal(
        (await ask('')).body.cards.map(({ cardKey }: { cardKey: string }) => cardKey),
        ['overview', 'timeseries'],
      );
      const webhook = await kit.request('/v1/webhooks', {
        body: { url: 'http://127.0.0.1:9/', events: ['link.clicked'] },
      });
      assert.equal([webhook.status, webhook.body.error.code], [403, 'plan_required']);
    }),
  );

  test(
    'invented referrers cannot add more than 100 hosts to the sums',
    withLinks(async (bench) => {
      const { links, visit } = bench;
      const { linkId } = await links.create({ destinationUrl: 'https://example.com/', slug: 'noise' });
      for (let count = 0; count < 150; count += 1) {
        await visit('/l/noise', { headers: { referer: `https://r${count}.example/` } });
        // A day has one limit, whatever the number of roll-ups.
        if (count % 50 === 49) await settle(bench);
      }
      await visit('/l/noise', { headers: { referer: 'https://r1.example/' } });
      for (const referer of ['javascript:1', '%%%', 'x'.repeat(5_000), 'https://\u00e9.example/'])
        await visit('/l/noise', { headers: { referer } });
      await settle(bench);
      const referrers = await rows(bench, 'referrers', { linkId });
      assert.is(referrers?.length, 100);
      assert.equal(referrers?.slice(0, 3), [
        ['other', 51, 0, 0],
        ['direct', 3, 0, 0],
        ['r1.example', 2, 0, 0],
      ]);
      const sums = await bench.test.service.core.database();
      const storedRows = await sums.read(bench.test.workspaceId, ({ db }) =>
        db
          .selectFrom('link_rollups')
          .select('value')
          .where('link_id', '=', linkId)
          .where('dimension', '=', 'referrer')
          .execute(),
      );
      assert.is(storedRows.length, 102, '100 hosts, `direct` and `other`');
    }),
  );

  test(
    'a card for many days adds up the sums of its days',
    withLinks(async (bench) => {
      const { links, visit, test: kit } = bench;
      await links.create({ destinationUrl: 'https://example.com/', slug: 'days' });
      for (let count = 0; count < 3; count += 1) {
        await visit('/l/days');
        await settle(bench);
        kit.advanceClock(day);
      }
      assert.equal(await rows(bench, 'overview', { days: 400 }), [['total', 3, 3, 0]]);
      assert.equal(await rows(bench, 'overview', { days: 2 }), [['total', 1, 1, 0]]);
    }),
  );
});
