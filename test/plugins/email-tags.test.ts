// Listing sends by a tag: pages, times, one side, and after the end of the retention.
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

await eachDatabase('sends by a tag', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database);
    await bench.publish('hello');
  });
  test.after.each(() => bench.close());

  const send = async (tags: readonly string[], key = bench.liveKey): Promise<string> => {
    bench.advanceClock(1_000);
    const body = { to: 'ada@example.org', variables: { name: 'Ada' }, tags };
    const { body: sent } = await bench.send('hello', body, { key });
    return sent.id;
  };
  const list = async (query: string, key = bench.liveKey): Promise<string[]> => {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const at = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await bench.request(`/v1/sends?limit=2&${query}${at}`, { key });
      ids.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
    }
    return ids;
  };

  test('the filter tag lists the sends with exactly this tag, newest first, page by page', async () => {
    const taggedIds = [];
    for (let index = 0; index < 5; index += 1) taggedIds.unshift(await send(['früh', 'früh', `n${index}`]));
    await send(['Früh', 'fr']);
    await send([]);
    assert.equal(await list(`tag=${encodeURIComponent('früh')}`), taggedIds);
    assert.equal(await list('tag=n3'), [taggedIds[1]]);
    assert.equal(await list('tag=unknown'), []);
  });

  test('the filter tag can be combined with since and until, but with no other filter', async () => {
    const first = await send(['news']);
    const from = new Date(bench.now() + 500).toISOString();
    const second = await send(['news']);
    assert.equal(await list(`tag=news&since=${from}`), [second]);
    assert.equal(await list(`tag=news&until=${from}`), [first]);
    const { status, body } = await bench.request('/v1/sends?tag=news&status=sent');
    assert.equal([status, body.error.code], [400, 'filter_conflict']);
  });

  test('a sandbox key sees only the sends of the sandbox', async () => {
    const [live, sandbox] = [await send(['both']), await send(['both'], bench.testKey)];
    assert.equal([await list('tag=both'), await list('tag=both', bench.testKey)], [[live], [sandbox]]);
  });

  test('tags are deleted with their sends when the retention ends', async () => {
    await send(['old']);
    await bench.drain();
    bench.advanceClock(401 * 86_400_000);
    await bench.drain();
    const storage = await bench.service.core.database();
    const remaining = await storage.read(bench.workspaceId, ({ db }) =>
      db.selectFrom('send_tags').selectAll().execute(),
    );
    assert.equal(remaining, []);
  });
});
