// Market news: storing feed items, listing them, votes and scores, the items that a plan may use, and the deletion of items.
// full-run: slow
import * as assert from 'uvu/assert';
import { rssNews } from '../../adapters/news/rss.ts';
import type { Logger } from '../../core/index.ts';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import type { TestServiceOptions } from '../../hosts/testing/test-service.ts';
import { contentPlanPlugin } from '../../plugins/content-plan/index.ts';
import { bestNews } from '../../plugins/content-plan/news/best-news.ts';
import { oneLine } from '../../plugins/content-plan/news/pieces.ts';
import { voteRows } from '../../plugins/content-plan/news/tables.ts';
import type { NewsPiece, NewsSource } from '../../plugins/content-plan/port/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { dumpTables } from '../support/dump-tables.ts';
import { type FeedServer, rssOf, startFeedServer } from '../support/feed-server.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const hour = 3_600_000;
const day = 24 * hour;

const otherPlugins = bareStandardPlugins.filter(({ id }) => (id as string) !== 'content-plan');
const plugins = [...otherPlugins, contentPlanPlugin()];
type Ids = (typeof plugins)[number]['id'];

/** A news item as the API returns it. */
interface NewsItem {
  readonly newsId: string;
  readonly title: string;
  readonly url: string;
  readonly source: string;
  readonly excerpt: string;
  readonly publishedAt: string;
  readonly score: number;
  readonly myVote: string;
}

const piece = (name: string, more: Partial<NewsPiece> = {}): NewsPiece => ({
  ...{ id: name, title: name, url: `https://grain.example/${name}`, source: 'Grain', excerpt: '' },
  ...more,
});

await twoDatabases('market news', (test, database) => {
  const open = (options: Partial<TestServiceOptions<Ids>>) =>
    migratedTestService<Ids>(database, { plugins, ...options });
  let bench: Awaited<ReturnType<typeof open>>;
  let feedItems: readonly NewsPiece[] | Error;
  let askedWorkspaces: string[];

  const source: NewsSource = {
    id: 'told',
    async latest(workspaceId) {
      askedWorkspaces.push(workspaceId);
      if (feedItems instanceof Error) throw feedItems;
      return workspaceId === bench.workspaceId ? feedItems : [];
    },
  };

  test.before.each(async () => {
    feedItems = [];
    askedWorkspaces = [];
    bench = await open({ newsSource: source });
  });
  test.after.each(() => bench.close());

  const nextHour = async () => {
    bench.advanceClock(hour);
    await bench.drain();
  };
  /** Sets the items that the source returns, runs the hourly job, and returns the list. */
  const publishNews = async (pieces: readonly NewsPiece[]): Promise<readonly NewsItem[]> => {
    feedItems = pieces;
    await nextHour();
    return list();
  };
  const page = async (query = '', key = bench.liveKey) =>
    (await bench.request(`/v1/content-plan/market-news${query}`, { key })).body;
  const list = async (key?: string): Promise<readonly NewsItem[]> => (await page('', key)).data;
  const titles = async (): Promise<string[]> => (await list()).map(({ title }) => title);
  let calls = 0;
  const vote = (newsId: string, direction: string, key = bench.liveKey, headers: Record<string, string> = {}) => {
    calls += 1;
    return bench.request(`/v1/content-plan/market-news/${newsId}/vote`, {
      ...{ key, body: { vote: direction }, headers: { 'idempotency-key': `vote-${calls}`, ...headers } },
    });
  };
  const storedVotes = () => createFixtureKit(bench).write(({ trx }) => voteRows.count(trx, {}, 100), bench.workspaceId);

  test('every hour the job asks the source once per workspace, and new items are listed newest first', async () => {
    const at = bench.now();
    const [second, first, ...more] = await publishNews([
      piece('old', { publishedAt: at - 2 * day, excerpt: 'It began.' }),
      piece('new', { publishedAt: at - day }),
    ]);
    assert.equal(askedWorkspaces.toSorted(), [bench.workspaceId, bench.foreignWorkspaceId].toSorted());
    assert.equal(more, []);
    assert.is(second?.title, 'new');
    assert.match(first?.newsId ?? '', /^news_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.equal(first, {
      ...{ newsId: first?.newsId ?? '', title: 'old', url: 'https://grain.example/old', source: 'Grain' },
      ...{ excerpt: 'It began.', publishedAt: new Date(at - 2 * day).toISOString(), score: 0, myVote: 'none' },
    });
    await publishNews([piece('newer', { publishedAt: at }), piece('new', { publishedAt: at - day })]);
    assert.is(askedWorkspaces.length, 4);
    assert.equal(await titles(), ['newer', 'new', 'old']);
  });

  test('the pages are complete even if many items have the same time', async () => {
    const at = bench.now() - day;
    await publishNews(Array.from({ length: 7 }, (_, index) => piece(`p${index}`, { publishedAt: at })));
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { data, next_cursor } = await page(`?limit=3${cursor}`);
      seen.push(...data.map(({ title }: NewsItem) => title));
      if (next_cursor === null) break;
      cursor = `&cursor=${next_cursor}`;
    }
    assert.equal(seen, ['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6'], 'the order of the items in the source');
  });

  test('an item is stored once, even if its URL changes, another feed has it, or one answer repeats it', async () => {
    await publishNews([piece('a'), piece('a'), piece('b', { id: 'other', url: 'https://grain.example/a#part' })]);
    assert.equal(await titles(), ['a']);
    await publishNews([
      piece('a', { url: 'https://grain.example/moved' }),
      piece('again', { url: 'https://grain.example/a' }),
    ]);
    assert.equal(await titles(), ['a']);
  });

  test('one run stores hundreds of items; of more than 1,000, it stores the newest 1,000', async () => {
    const at = bench.now();
    const many = Array.from({ length: 1_003 }, (_, index) => piece(`n${index}`, { publishedAt: at - index * 1_000 }));
    await publishNews(many);
    await publishNews(many.slice(0, 300));
    const seen = new Set<string>();
    for (let cursor = ''; ; ) {
      const { data, next_cursor } = await page(`?limit=100${cursor}`);
      for (const { title } of data) seen.add(title);
      if (next_cursor === null) break;
      cursor = `&cursor=${next_cursor}`;
    }
    assert.equal([seen.size, seen.has('n0'), seen.has('n999'), seen.has('n1000')], [1_000, true, true, false]);
  });

  test('an item with a future or unknown date gets the current time', async () => {
    feedItems = [piece('later', { publishedAt: bench.now() + 3 * day }), piece('undated')];
    await nextHour();
    const times = (await list()).map(({ publishedAt }) => publishedAt);
    assert.equal(times, [new Date(bench.now()).toISOString(), new Date(bench.now()).toISOString()]);
    await nextHour();
    assert.equal(
      (await list()).map(({ publishedAt }) => publishedAt),
      times,
      'the times stay the same',
    );
  });

  test('texts are cut to one line of limited length, and items without a usable web URL or title are skipped', async () => {
    const [item, ...more] = await publishNews([
      piece('long', {
        ...{
          title: ' Rye\n\u202eis \u0007scarce\ud800\u{e0069}\u{e0067}\u{e006e} ',
          excerpt: `${'word '.repeat(200)}`,
          source: 's'.repeat(300),
        },
      }),
      piece('script', { url: 'javascript:alert(1)' }),
      piece('file', { url: 'file:///etc/passwd' }),
      piece('user', { url: 'https://bank.example@evil.example/' }),
      piece('none', { url: 'not an address' }),
      piece('endless', { url: `https://grain.example/${'a'.repeat(2_100)}` }),
      piece('untitled', { title: ' \n ' }),
    ]);
    assert.equal(more, []);
    assert.is(item?.title, 'Rye is scarce');
    assert.match(item?.excerpt ?? '', /^(?:word )+word…$/);
    assert.ok((item?.excerpt.length ?? 0) <= 500 && (item?.excerpt.length ?? 0) > 490);
    assert.is(item?.source.length, 200);
    assert.is(oneLine('🙂'.repeat(10), 8), '🙂🙂🙂…');
  });

  test('each key or member has one vote per item: a new vote replaces it, and "none" withdraws it', async () => {
    const [item] = await publishNews([piece('rye')]);
    const { newsId = '' } = item ?? {};
    const { body: voted } = await vote(newsId, 'up');
    assert.equal(voted, { ...item, score: 1, myVote: 'up' });
    await vote(newsId, 'up');
    assert.is((await list())[0]?.score, 1);

    const second = await bench.keyWith(['campaigns:write']);
    assert.is((await list(second))[0]?.myVote, 'none');
    assert.is((await vote(newsId, 'down', second)).body.score, 0);
    assert.is((await vote(newsId, 'down')).body.score, -2);
    assert.is((await vote(newsId, 'none', second)).body.score, -1);
    const votesByKey = [await list(), await list(second)].map(([one]) => [one?.score, one?.myVote]);
    assert.equal(votesByKey, [
      [-1, 'down'],
      [-1, 'none'],
    ]);

    const ada = bench.service.as(bench.workspaceId, { member: 'u_ada' });
    const bob = bench.service.as(bench.workspaceId, { member: 'u_bob' });
    await ada.contentPlan.newsVote({ newsId, vote: 'up' });
    assert.is((await bob.contentPlan.newsVote({ newsId, vote: 'up' })).score, 1);
    assert.is((await bob.contentPlan.newsVote({ newsId, vote: 'none' })).score, 0);
    assert.is((await ada.contentPlan.news({})).data[0]?.myVote, 'up');
    assert.is(await storedVotes(), 2);
  });

  test('simultaneous votes are all counted', async () => {
    const [item] = await publishNews([piece('rye')]);
    const keys = await Promise.all(Array.from({ length: 4 }, () => bench.keyWith(['campaigns:write'])));
    const answers = await Promise.all(keys.map((key) => vote(item?.newsId ?? '', 'up', key)));
    assert.equal(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    assert.is((await list())[0]?.score, 4);
  });

  test('a vote is audited, replayed by its idempotency key, and not stored in a dry run', async () => {
    const [item] = await publishNews([piece('rye')]);
    const { newsId = '' } = item ?? {};
    const dryRun = await vote(newsId, 'up', bench.liveKey, { 'dry-run': 'true' });
    assert.is(dryRun.status, 200);
    assert.equal([(await list())[0]?.score, await storedVotes()], [0, 0]);

    const sameKey = { 'idempotency-key': 'the same' };
    const first = await vote(newsId, 'up', bench.liveKey, sameKey);
    await vote(newsId, 'down');
    const replay = await vote(newsId, 'up', bench.liveKey, sameKey);
    assert.equal([replay.headers['Idempotent-Replay'], replay.body], ['true', first.body]);
    assert.is((await list())[0]?.score, -1);

    const { data } = (await bench.request('/v1/audit?action=content_plan.news.vote')).body;
    const entries = data.map((entry: { target: object; metadata: { vote: string } }) => [
      entry.target,
      entry.metadata.vote,
    ]);
    assert.equal(entries, [
      [{ kind: 'news', id: newsId }, 'down'],
      [{ kind: 'news', id: newsId }, 'up'],
    ]);
  });

  test('a vote for an unknown item and an invalid vote are refused', async () => {
    const missing = await vote('news_01JD3Q5S8ZK2M4N6P8R0T2V4W6', 'up');
    assert.equal([missing.status, missing.body.error.code], [404, 'news_not_found']);
    const [item] = await publishNews([piece('rye')]);
    assert.is((await vote(item?.newsId ?? '', 'maybe')).status, 422);
  });

  test('live and sandbox share news and votes; a sandbox key can only read them', async () => {
    const [item] = await publishNews([piece('rye')]);
    await vote(item?.newsId ?? '', 'up');
    const sandbox = await list(bench.testKey);
    assert.equal(sandbox, [{ ...item, score: 1 }]);
    const refusal = await vote(item?.newsId ?? '', 'up', bench.testKey);
    assert.equal([refusal.status, refusal.body.error.code], [403, 'live_key_required']);
  });

  test('a plan gets the news of the last two weeks by score, without items whose score is negative', async () => {
    const at = bench.now();
    const item = await publishNews([
      ...['a', 'b', 'c', 'd'].map((name, index) => piece(name, { publishedAt: at - index * hour })),
      piece('outdated', { publishedAt: at - 15 * day }),
    ]);
    const idOf = (title: string) => item.find((one) => one.title === title)?.newsId ?? '';
    for (const title of ['c', 'outdated']) await vote(idOf(title), 'up');
    await vote(idOf('a'), 'down');
    const best = (limit?: number) =>
      createFixtureKit(bench).write(({ trx, now }) => bestNews(trx, now, limit), bench.workspaceId);
    assert.equal(
      (await best()).map(({ title, score }) => [title, score]),
      [
        ['c', 1],
        ['b', 0],
        ['d', 0],
      ],
    );
    assert.equal(
      (await best(1)).map(({ url, source }) => [url, source]),
      [['https://grain.example/c', 'Grain']],
    );
  });

  test('news and their votes are deleted 60 days after publication, and older items are never stored', async () => {
    const at = bench.now();
    const item = await publishNews([
      piece('ancient', { publishedAt: at - 61 * day }),
      piece('old', { publishedAt: at - 59 * day }),
      piece('new', { publishedAt: at }),
    ]);
    assert.equal(
      item.map(({ title }) => title),
      ['new', 'old'],
    );
    for (const { newsId } of item) await vote(newsId, 'up');
    bench.advanceClock(2 * day);
    await bench.drain();
    assert.equal([await titles(), await storedVotes()], [['new'], 1]);
  });

  test('deleting a workspace deletes its news and votes', async () => {
    const [item] = await publishNews([piece('rye')]);
    await vote(item?.newsId ?? '', 'up');
    const filledTables = async () =>
      (await dumpTables(bench.service)).flatMap(([table, text]) =>
        text !== '' && /^market_news/.test(table) ? [table] : [],
      );
    assert.equal((await filledTables()).toSorted(), ['market_news', 'market_news_votes']);
    await bench.service.workspaces.delete(bench.workspaceId);
    assert.equal(await filledTables(), []);
  });

  test('if a source fails, it is called again after five minutes and in the next hour', async () => {
    await bench.close();
    const quiet = () => undefined;
    bench = await open({ newsSource: source, logger: { debug: quiet, info: quiet, warn: quiet, error: quiet } });
    feedItems = new Error('The list of feeds is not there.');
    await nextHour();
    assert.is(askedWorkspaces.length, 2);
    bench.advanceClock(300_000);
    await bench.drain();
    assert.is(askedWorkspaces.length, 4);
    feedItems = [piece('rye')];
    await nextHour();
    assert.equal(await titles(), ['rye']);
  });

  test('without a source there is no news and no job', async () => {
    await bench.close();
    bench = await open({});
    await nextHour();
    assert.equal(await page(), { data: [], next_cursor: null });
    const jobs = await bench.service.core.database();
    const kinds = await jobs.read(bench.workspaceId, ({ db }) => db.selectFrom('jobs').select('kind').execute());
    assert.not.ok(kinds.some(({ kind }) => kind === 'content_plan.fetch_news'));
  });

  let server: FeedServer;
  const withFeeds = async (run: (feeds: FeedServer) => Promise<void>) => {
    server = await startFeedServer();
    try {
      await run(server);
    } finally {
      await bench.close();
      await server.close();
      bench = await open({});
    }
  };

  test('feeds are read over HTTP, and if one fails or has no public address, the others are still read', () =>
    withFeeds(async ({ url, answers, asked: requests }) => {
      await bench.close();
      const lines: string[] = [];
      const keep: Logger['warn'] = ({ feed }, message) => void lines.push(`${feed}: ${message}`);
      const logger: Logger = { debug: () => undefined, info: () => undefined, warn: keep, error: keep };
      const feeds = [`${url}/grain`, `${url}/gone`, 'https://10.0.0.7/feed'];
      bench = await open({ newsSource: rssNews({ feeds }), logger });
      const items = (...names: string[]) =>
        rssOf(
          'Grain & Co',
          names.map((title) => ({ title, guid: title, link: `/${title}`, description: '<p>Up &amp; down</p>' })),
        );
      answers.set('/grain', { body: items('rye'), headers: { etag: '"1"' } });
      await nextHour();
      const [item] = await list();
      assert.equal(
        [item?.title, item?.url, item?.source, item?.excerpt],
        ['rye', `${url}/rye`, 'Grain & Co', 'Up & down'],
      );
      await nextHour();
      answers.set('/grain', { body: items('wheat', 'rye'), headers: { etag: '"2"' } });
      await nextHour();
      assert.equal(await titles(), ['wheat', 'rye']);
      assert.is(
        requests.filter(({ path }) => path === '/grain').length,
        3,
        'the feed is requested once an hour for both workspaces',
      );
      const failing = 'a feed of market news fails; it is fetched again every hour';
      assert.equal(lines.toSorted(), [`${url}/gone: ${failing}`, `https://10.0.0.7/feed: ${failing}`].toSorted());
    }));
});
