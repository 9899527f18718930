// The calendar of all planned content: kinds, order, pages, periods, and the entries that a key may read.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { noRateLimits } from '../support/mail-bench.ts';
import { openPostsBench, type PostsBench } from '../support/social-posts-bench.ts';

const day = 86_400_000;

await twoDatabases('the content plan', (test, database) => {
  let bench: PostsBench;
  test.before.each(async () => {
    bench = await openPostsBench(database, { plans: { pro: noRateLimits } });
    await bench.service.as(bench.workspaceId).brand.create({ name: 'Northwind' });
  });
  test.after.each(() => bench.close());

  const inDays = (days: number): string => new Date(bench.now() + days * day).toISOString();
  const list = (query: Readonly<Record<string, string | number>> = {}, key?: string) => {
    const text = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return bench.request(`/v1/content-plan?${text}`, key === undefined ? {} : { key });
  };
  const hold = async (days: number, brief: string) =>
    (await bench.post({ mode: 'hold', channels: ['x'], brief, scheduleAt: inDays(days) })).id as string;
  const email = async (days: number, name: string) => {
    const { campaigns } = bench.service.as(bench.workspaceId);
    return (await campaigns.planned({ name, scheduleAt: inDays(days), timezone: 'UTC' })).campaignId;
  };

  test('the calendar lists posts, placeholder posts, planned emails and published items, oldest first', async () => {
    const { blog, campaigns } = bench.service.as(bench.workspaceId);
    const from = inDays(-1);
    const { id: blogId } = await blog.create({ title: 'Rye at home', body: 'Six evenings.' });
    await blog.publish({ idOrSlug: blogId });
    await bench.connect('x');
    const { id: postId } = await bench.post({ mode: 'copy', channels: ['x'], caption: 'Rye!', scheduleAt: inDays(3) });
    const holdId = await hold(2, 'A tip');
    const mailId = await email(1, 'Spring news');
    await campaigns.plannedCancel({ campaignId: await email(1, 'Not wanted') });
    await hold(40, 'Later than four weeks');
    const { body } = await list({ from });
    const rows = body.data.map(({ kind, id, title, status, channels }: Record<string, unknown>) => [
      kind,
      id,
      title,
      status,
      channels,
    ]);
    assert.equal(rows, [
      ['blog_post', blogId, 'Rye at home', 'published', ['blog']],
      ['planned_email', mailId, 'Spring news', 'planned', ['email']],
      ['hold', holdId, 'A tip', 'draft', ['x']],
      ['post', postId, 'Rye!', 'scheduled', ['x']],
    ]);
    assert.is(body.data[3].at, (await bench.read(postId)).scheduledAt);
  });

  test('a published post is listed at its time of publication, not at its planned time', async () => {
    await bench.connect('x');
    const { id } = await bench.post({ mode: 'copy', channels: ['x'], caption: 'Rye!', scheduleAt: inDays(3) });
    bench.advanceClock(3 * day + 60_000);
    await bench.drain();
    const { publishedAt } = await bench.read(id);
    const { data } = (await list({ from: inDays(-7), to: inDays(1) })).body;
    assert.equal(
      data.map((entry: { id: string; at: string }) => [entry.id, entry.at]),
      [[id, publishedAt]],
    );
  });

  test('the pages list every entry once, with all kinds in one order, even if many entries have the same time', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      ids.push(await hold(5, `Hold ${index}`), await email(5, `Mail ${index}`));
      ids.push(await hold(index + 6, `Later ${index}`));
    }
    const seen: { id: string; at: string }[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 30; pages += 1) {
      const { body } = await list({ limit: 4, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...body.data);
      if (body.next_cursor === null) break;
      cursor = body.next_cursor;
    }
    assert.equal(seen.map(({ id }) => id).sort(), ids.sort());
    const times = seen.map(({ at }) => at);
    assert.equal(times, [...times].sort());
  });

  test('a period is refused if it has more than 92 days or ends before it begins', async () => {
    for (const query of [
      { from: inDays(0), to: inDays(93) },
      { from: inDays(2), to: inDays(1) },
    ]) {
      const { status, body } = await list(query);
      assert.equal([status, body.error.details[0].path], [422, 'to']);
    }
    assert.is((await list({ from: inDays(0), to: inDays(92) })).status, 200);
  });

  test('the calendar lists only kinds that the key may read, and only its own side', async () => {
    await hold(2, 'A tip');
    await email(1, 'Spring news');
    const kindsFor = async (key: string) => (await list({}, key)).body.data.map(({ kind }: { kind: string }) => kind);
    assert.equal(await kindsFor(await bench.keyWith(['campaigns:read'])), ['planned_email']);
    assert.equal(await kindsFor(await bench.keyWith(['campaigns:read', 'social:posts:read'])), [
      'planned_email',
      'hold',
    ]);
    assert.equal(await kindsFor(bench.testKey), ['planned_email'], 'planned emails are shared by both sides');
  });
});
