// Abuse of short links: the verdict of the block list after a create, after a change and on a schedule, and decisions of the program.
// full-run: slow
import * as assert from 'uvu/assert';
import type { BlockListAdapter, BlockListEntry } from '../../plugins/links/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { type LinksBench, openLinksBench } from '../support/links-bench.ts';

const bad = 'https://phish.example/login';
const suspicious = 'https://odd.example/';
const fine = 'https://example.com/';

await twoDatabases('abuse of short links', (test, database) => {
  const withLinks = (work: (bench: LinksBench, listed: Map<string, BlockListEntry>) => Promise<void>) => async () => {
    const listed = new Map<string, BlockListEntry>([
      [bad, { verdict: 'malicious', reason: 'Listed as phishing.' }],
      [suspicious, { verdict: 'suspicious', reason: 'New and strange.' }],
    ]);
    const list: BlockListAdapter = {
      id: 'map',
      check: async (urls) => new Map(urls.flatMap((url) => [[url, listed.get(url)] as const]).filter(isListed)),
    };
    const bench = await openLinksBench(database, {}, { linkBlockList: list });
    try {
      await work(bench, listed);
    } finally {
      await bench.test.close();
    }
  };
  const isListed = (pair: readonly [string, BlockListEntry | undefined]): pair is readonly [string, BlockListEntry] =>
    pair[1] !== undefined;
  const types = async ({ test: kit }: LinksBench) =>
    Object.fromEntries(
      await Promise.all(
        (['link.abuse_flagged', 'link.disabled_for_abuse', 'link.reinstated'] as const).map(
          async (type) => [type.slice(5), (await kit.events(type)).length] as const,
        ),
      ),
    );

  test(
    'a link to a listed destination is disabled and shows a plain page; a link to a suspicious destination is reported and still redirects',
    withLinks(async (bench) => {
      const { links, visit, test: kit } = bench;
      const { linkId } = await links.create({ destinationUrl: bad, slug: 'bad' });
      await links.create({ destinationUrl: suspicious, slug: 'odd' });
      await links.create({
        destinationUrl: fine,
        slug: 'rule',
        routeRules: [{ match: { kind: 'device', values: ['mobile'] }, destinationUrl: bad }],
      });
      await kit.drain();
      for (const slug of ['bad', 'rule']) {
        const answer = await visit(`/l/${slug}`);
        assert.equal([answer.status, answer.location], [410, undefined], slug);
        assert.not.match(answer.text, 'phish');
      }
      assert.is((await visit('/l/odd')).status, 302);
      assert.is((await links.read({ linkId })).status, 'disabled');
      assert.equal(await types(bench), { abuse_flagged: 1, disabled_for_abuse: 2, reinstated: 0 });
      await links.update({ linkId, destinationUrl: fine });
      assert.is((await links.read({ linkId })).status, 'disabled', 'the list has not checked the new destination yet');
      await kit.drain();
      assert.is((await visit('/l/bad')).location, fine);
      assert.equal(await types(bench), { abuse_flagged: 1, disabled_for_abuse: 2, reinstated: 1 });
    }),
  );

  test('a link that changes during its check is checked again', async () => {
    const during = { change: async () => {} };
    const list: BlockListAdapter = {
      id: 'slow',
      async check(urls) {
        const change = during.change;
        during.change = async () => {};
        await change();
        return new Map(urls.filter((url) => url === bad).map((url) => [url, { verdict: 'malicious', reason: 'Bad.' }]));
      },
    };
    const bench = await openLinksBench(database, {}, { linkBlockList: list });
    const { links, test: kit } = bench;
    try {
      const labelledLink = await links.create({ destinationUrl: bad });
      during.change = async () => {
        kit.advanceClock(1_000);
        await links.update({ linkId: labelledLink.linkId, label: 'Another label' });
      };
      await kit.drain();
      assert.is(
        (await links.read({ linkId: labelledLink.linkId })).status,
        'disabled',
        'the label makes no difference',
      );
      const movedLink = await links.create({ destinationUrl: fine });
      during.change = async () => {
        kit.advanceClock(1_000);
        await links.update({ linkId: movedLink.linkId, destinationUrl: bad });
      };
      await kit.drain();
      await kit.drain();
      assert.is((await links.read({ linkId: movedLink.linkId })).status, 'disabled', 'the new destination is checked');
    } finally {
      await bench.test.close();
    }
  });

  test(
    'links are checked again on a schedule, and disabled or reinstated when the list changes',
    withLinks(async (bench, listed) => {
      const { links, visit, test: kit } = bench;
      await links.create({ destinationUrl: fine, slug: 'turned' });
      await kit.drain();
      assert.is((await visit('/l/turned')).status, 302);
      listed.set(fine, { verdict: 'malicious', reason: 'Taken over.' });
      kit.advanceClock(6 * 3_600_000);
      await kit.drain();
      await kit.drain();
      assert.is((await visit('/l/turned')).status, 410);
      listed.delete(fine);
      kit.advanceClock(6 * 3_600_000);
      await kit.drain();
      await kit.drain();
      assert.is((await visit('/l/turned')).status, 302);
      assert.equal(await types(bench), { abuse_flagged: 0, disabled_for_abuse: 1, reinstated: 1 });
    }),
  );

  test(
    'a link to a host that mixes scripts is disabled until the check reinstates it',
    withLinks(async (bench) => {
      const { links, visit, test: kit } = bench;
      const created = await links.create({ destinationUrl: 'https://pаypal.example/', slug: 'mixed' });
      assert.equal([created.status, created.destinationUrl], ['disabled', 'https://xn--pypal-4ve.example/']);
      assert.is((await visit('/l/mixed')).status, 410);
      await kit.drain();
      assert.is((await visit('/l/mixed')).status, 302);
      assert.equal(await types(bench), { abuse_flagged: 1, disabled_for_abuse: 0, reinstated: 1 });
    }),
  );

  test(
    'a decision of the program is in force until the program decides otherwise',
    withLinks(async (bench) => {
      const { links, visit, test: kit } = bench;
      const { linkId } = await links.create({ destinationUrl: fine, slug: 'program' });
      await kit.drain();
      assert.is((await kit.service.links.disable(kit.workspaceId, linkId, 'Reported by mail.')).status, 'disabled');
      await links.update({ linkId, destinationUrl: suspicious });
      kit.advanceClock(6 * 3_600_000);
      await kit.drain();
      await kit.drain();
      assert.is((await visit('/l/program')).status, 410);
      assert.is((await kit.service.links.reinstate(kit.workspaceId, linkId)).status, 'active');
      assert.is((await visit('/l/program')).status, 302);
      const error = await kit.service.links
        .disable(kit.foreignWorkspaceId, linkId, 'x')
        .catch((refusal: unknown) => refusal);
      assert.is((error as { code?: string }).code, 'link_not_found');
      const { data } = await kit.service.as(kit.workspaceId).audit.list({ action: 'link.disabled_for_abuse' });
      assert.is(data.length, 1);
    }),
  );
});
