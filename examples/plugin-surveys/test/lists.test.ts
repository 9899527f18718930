import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import test from 'node:test';
import { asked, openFor } from './support.js';

/** Five surveys; the second and the fourth are answered. */
async function openWithFive(t: TestContext) {
  const opened = await openFor(t);
  const ids: string[] = [];
  for (const n of [1, 2, 3, 4, 5]) {
    const { id } = await opened.surveys.create(asked);
    if (n % 2 === 0) await opened.surveys.answer({ id, score: n });
    ids.push(id);
    opened.kit.advanceClock(1000);
  }
  return { ...opened, newestFirst: ids.reverse() };
}

test('pages follow each other, newest first, and end', async (t) => {
  const { surveys, newestFirst } = await openWithFive(t);
  const seen: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await surveys.list({ limit: 2, cursor });
    seen.push(page.data.map(({ id }) => id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  assert.deepEqual(seen, [newestFirst.slice(0, 2), newestFirst.slice(2, 4), newestFirst.slice(4)]);
});

test('the filter applies to every page', async (t) => {
  const { surveys, newestFirst } = await openWithFive(t);
  const first = await surveys.list({ status: 'open', limit: 2 });
  assert.deepEqual(
    first.data.map(({ id }) => id),
    [newestFirst[0], newestFirst[2]],
  );
  assert.ok(first.next_cursor);

  const second = await surveys.list({ status: 'open', limit: 2, cursor: first.next_cursor });
  assert.deepEqual(
    second.data.map(({ id }) => id),
    [newestFirst[4]],
  );
  assert.equal(second.next_cursor, null);
});

test('an invalid cursor is refused', async (t) => {
  const { surveys } = await openFor(t);
  await assert.rejects(surveys.list({ cursor: 'nonsense' }), { code: 'cursor_invalid', status: 400 });
});
