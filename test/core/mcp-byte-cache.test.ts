// The cache of tools/list answers: it has a limit of bytes, with any number of scopes, workspaces and templates.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ByteCache, entryBytes } from '../../core/mcp/byte-cache.ts';

const test = suite('cache by bytes');
const cacheOf = (maxBytes: number) => new ByteCache<Uint8Array>(maxBytes, ({ length }) => length);

test('the cache never has more bytes than its limit, with names and values of all sizes', () => {
  const cache = cacheOf(20_000);
  for (let count = 0; count < 5_000; count += 1) {
    cache.set(`list ${count % 700} ${'x'.repeat(count % 50)}`, new Uint8Array((count * 7_919) % 3_000));
    assert.ok(cache.bytes <= 20_000, String(cache.bytes));
  }
  assert.ok(cache.bytes > 10_000, 'the cache was not used');
});

test('entries without their own value count, too, so that their number is limited', () => {
  const cache = cacheOf(100 * entryBytes);
  for (let count = 0; count < 1_000; count += 1) cache.set(`list ${count}`, new Uint8Array(0));
  const values = Array.from({ length: 1_000 }, (_, count) => cache.get(`list ${count}`)).filter(Boolean);
  assert.ok(values.length < 100 && values.length > 50, String(values.length));
});

test('the entry whose last use is the oldest is removed first', () => {
  const cache = cacheOf(3 * (entryBytes + 110));
  for (const name of ['a', 'b', 'c']) cache.set(name, new Uint8Array(100));
  assert.is(cache.get('a')?.length, 100);
  cache.set('d', new Uint8Array(100));
  assert.equal(
    ['a', 'b', 'c', 'd'].map((name) => cache.get(name)?.length),
    [100, undefined, 100, 100],
  );
});

test('a value that is larger than the whole cache is not stored, and removes nothing else', () => {
  const cache = cacheOf(entryBytes + 300);
  cache.set('small', new Uint8Array(100));
  cache.set('large', new Uint8Array(601));
  assert.is(cache.get('large'), undefined);
  assert.is(cache.get('small')?.length, 100);
  cache.set('small', new Uint8Array(601));
  assert.is(cache.get('small'), undefined);
  assert.is(cache.bytes, 0);
});

test('a value that replaces another counts once', () => {
  const cache = cacheOf(2_000);
  for (let count = 0; count < 100; count += 1) cache.set('same', new Uint8Array(500));
  assert.is(cache.bytes, entryBytes + 500 + 2 * 'same'.length);
});

test.run();
