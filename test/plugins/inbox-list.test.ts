// The list of the page merges a new first page. The tests call pure functions; inbox-browser.test.ts tests the page itself.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { arrivals, mergeFirstPage } from '../../plugins/inbox/browser/merge.ts';
import type { MessageItem, MessagePage } from '../../plugins/inbox/wire.ts';

const test = suite("the inbox's list");

/** Messages from the first number down to the second, newest first. */
function messages(from: number, to: number): MessageItem[] {
  return Array.from({ length: from - to + 1 }, (_, index) => {
    const at = from - index;
    return {
      id: `snd_${String(at).padStart(4, '0')}`,
      workspace: 'ws_1',
      created_at: new Date(at * 1_000).toISOString(),
      subject: `Message ${at}`,
      to: 'ada@example.com',
      from: { email: 'hello@example.com', name: '' },
      template: 'receipt',
      origin: 'sandbox',
      status: 'delivered',
      unread: true,
      size: 500,
      has_message: true,
      attachments: 0,
    };
  });
}
const pageOf = (from: number, to: number, next: string | null): MessagePage => ({
  data: messages(from, to),
  has_more: next !== null,
  next_cursor: next,
  total: from,
  matching: from,
  unread: 0,
});
const numbers = (items: readonly MessageItem[]) => items.map(({ id }) => Number(id.slice(4)));

test('new messages are put before the loaded messages, and the end of the list does not change', () => {
  const before = { items: messages(100, 1), cursor: null };
  assert.equal(mergeFirstPage(before, pageOf(103, 54, 'after 54')), { items: messages(103, 1), cursor: null });
  assert.equal(
    arrivals(before.items, pageOf(103, 54, 'after 54')),
    messages(103, 101).map(({ id }) => id),
  );
});

test('a page without a known message replaces the list, and older messages can be loaded from its end', () => {
  const list = mergeFirstPage({ items: messages(2, 1), cursor: null }, pageOf(122, 73, 'after 73'));
  assert.equal(numbers(list.items), numbers(messages(122, 73)));
  assert.is(list.cursor, 'after 73');
});

test('a first page becomes the list if nothing was loaded, or if the page contains everything', () => {
  assert.equal(mergeFirstPage({ items: [], cursor: null }, pageOf(60, 11, 'after 11')).cursor, 'after 11');
  assert.equal(mergeFirstPage({ items: messages(9, 1), cursor: 'old' }, pageOf(4, 1, null)), {
    items: messages(4, 1),
    cursor: null,
  });
});

test('a message that is missing from the page is removed', () => {
  const page = { ...pageOf(60, 11, 'after 11'), data: messages(60, 10).filter(({ id }) => id !== 'snd_0030') };
  const { items, cursor } = mergeFirstPage({ items: messages(60, 5), cursor: 'after 5' }, page);
  assert.equal(
    numbers(items),
    numbers(messages(60, 5)).filter((number) => number !== 30),
  );
  assert.is(cursor, 'after 5');
});

test.run();
