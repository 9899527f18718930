// The tests that every asset store must pass, run against a real folder or server. An adapter's test file calls them with its own
// runner's `test(name, fn)`. They depend on no vendor and no test library.
import * as assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type AssetStore, type AssetStoreError, isAssetStoreError } from '../port/index.ts';

/** One adapter with one empty store. */
export interface AssetSuiteTarget {
  readonly store: AssetStore;
  /** Disposes of the folder or server behind the store. The suite closes the adapter itself. */
  dispose(): Promise<void>;
}

/** Makes a target for each test. */
export type AssetSuiteHarness = () => Promise<AssetSuiteTarget>;

/** Registers one test with the caller's runner. */
export type RegisterAssetTest = (name: string, run: () => Promise<void>) => void;

const key = 'ws_1/asset_01';
const contentType = 'image/png';

async function* pieces(bytes: Uint8Array, size = 40_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function whole(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const put = (store: AssetStore, at: string, bytes: Uint8Array): Promise<void> =>
  store.put(at, pieces(bytes), { size: bytes.length, contentType });

const read = async (store: AssetStore, at: string): Promise<Buffer> => whole(await store.get(at));

const same = (found: Uint8Array, expected: Uint8Array): void =>
  assert.ok(
    Buffer.from(found).equals(expected),
    `${found.byteLength} bytes are not the ${expected.byteLength} expected`,
  );

const isFault = (fault: AssetStoreError['fault']) => (error: unknown) => {
  assert.ok(isAssetStoreError(error), `an AssetStoreError, not ${String(error)}`);
  assert.equal(error.fault, fault);
  return true;
};

const hostile = [
  '',
  '/',
  '.',
  '..',
  '../secret',
  'ws_1/../../secret',
  'ws_1/..',
  '/etc/passwd',
  'ws_1//asset',
  'ws_1/',
  'ws_1/.hidden',
  'ws_1\\asset',
  'ws_1/a b',
  'ws_1/a\0b',
  'ws_1/a\nb',
  'ws_1/a%2fb',
  'ws_1/a?versionId=1',
  'ws_1/a#b',
  'ws_1/é',
  'C:/asset',
  `ws_1/${'a'.repeat(400)}`,
];

const later = (): number => Date.now() + 600_000;
const reading = { contentType, contentDisposition: 'inline; filename="a.png"' };

const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

/** Sends the request of a signed upload. */
const upload = (url: string, headers: Readonly<Record<string, string>>, bytes: Uint8Array): Promise<Response> =>
  fetch(url, { method: 'PUT', headers, body: Buffer.from(bytes) });

interface Case {
  readonly name: string;
  run(store: AssetStore): Promise<void>;
}

const objects: readonly Case[] = [
  {
    name: 'returns the stored bytes, and reports their number',
    async run(store) {
      for (const size of [0, 1, 65_536, 300_001]) {
        const bytes = randomBytes(size);
        const before = Date.now();
        await put(store, key, bytes);
        same(await read(store, key), bytes);
        const head = await store.head(key);
        assert.equal(head?.key, key);
        assert.equal(head?.bytes, size);
        // Clocks of servers differ, and S3 counts whole seconds.
        assert.ok(Math.abs((head?.modifiedAt ?? 0) - before) < 60_000);
      }
    },
  },
  {
    name: 'returns any range of the bytes',
    async run(store) {
      const bytes = randomBytes(200_000);
      await put(store, key, bytes);
      for (const [start, end] of [
        [0, 0],
        [0, 199_999],
        [65_535, 65_536],
        [199_999, 199_999],
        [1_000, 150_000],
      ] as const)
        same(await whole(await store.get(key, { range: { start, end } })), bytes.subarray(start, end + 1));
    },
  },
  {
    name: 'reports missing objects, and ignores the deletion of missing objects',
    async run(store) {
      await assert.rejects(store.get(key), isFault('missing'));
      await assert.rejects(store.copy(key, 'ws_1/asset_02'), isFault('missing'));
      assert.equal(await store.head(key), undefined);
      await store.delete(key);
      await put(store, key, randomBytes(10));
      // The prefix of a key is not an object.
      assert.equal(await store.head('ws_1'), undefined);
      await assert.rejects(store.get('ws_1'), isFault('missing'));
      await store.delete('ws_1');
      assert.notEqual(await store.head(key), undefined);
      await store.delete(key);
      await store.delete(key);
      assert.equal(await store.head(key), undefined);
    },
  },
  {
    name: 'replaces objects, and copies them without changing the original',
    async run(store) {
      const [one, other] = [randomBytes(500), randomBytes(90_000)];
      await put(store, key, one);
      await put(store, key, other);
      await put(store, 'ws_1/uploads/asset_02', one);
      same(await read(store, key), other);
      await store.copy('ws_1/uploads/asset_02', key);
      same(await read(store, key), one);
      await store.delete('ws_1/uploads/asset_02');
      same(await read(store, key), one);
    },
  },
  {
    name: 'lists objects by prefix, in the order of keys, page by page',
    async run(store) {
      const keys = [
        'ws_1/asset_01',
        'ws_1/asset_02',
        'ws_1/asset_03',
        'ws_1/uploads/asset_02',
        'ws_10/asset_01',
        'ws_2/a-b',
        'ws_2/a.b',
      ];
      for (const listedKey of keys) await put(store, listedKey, Buffer.from(listedKey));
      const keysOf = async (...given: Parameters<AssetStore['list']>) =>
        (await store.list(...given)).map((object) => object.key);
      const sorted = [...keys].sort();
      assert.deepEqual(await keysOf(''), sorted);
      assert.deepEqual(await keysOf('ws_1/'), sorted.slice(0, 4));
      assert.deepEqual(await keysOf('ws_1/uploads/'), ['ws_1/uploads/asset_02']);
      assert.deepEqual(await keysOf('ws_3/'), []);
      for (const limit of [1, 2, 3]) {
        const listedKeys: string[] = [];
        for (
          let page = await keysOf('', { limit });
          page.length > 0;
          page = await keysOf('', { limit, after: listedKeys.at(-1) })
        )
          listedKeys.push(...page);
        assert.deepEqual(listedKeys, sorted, `pages of ${limit}`);
      }
      const [first] = await store.list('ws_1/', { limit: 1 });
      assert.equal(first?.bytes, 'ws_1/asset_01'.length);
    },
  },
  {
    name: 'refuses keys that could be paths or other requests, in every call',
    async run(store) {
      for (const bad of hostile) {
        await assert.rejects(put(store, bad, Buffer.from('a')), isFault('refused'), `put ${bad}`);
        await assert.rejects(async () => store.get(bad), isFault('refused'), `get ${bad}`);
        await assert.rejects(async () => store.head(bad), isFault('refused'), `head ${bad}`);
        await assert.rejects(async () => store.delete(bad), isFault('refused'), `delete ${bad}`);
        await assert.rejects(
          async () => store.copy(key, bad),
          (error) => isAssetStoreError(error),
          `copy ${bad}`,
        );
        if (bad !== '' && bad !== 'ws_1/') await assert.rejects(async () => store.list(bad), isFault('refused'));
      }
      assert.deepEqual(await store.list(''), []);
    },
  },
];

async function* failing(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
  throw new Error('the source broke');
}

const brokenWrites: readonly Case[] = [
  {
    name: 'keeps the stored object if a source is too short, too long, or fails',
    async run(store) {
      const bytes = randomBytes(1_000);
      const other = randomBytes(100_000);
      await put(store, key, bytes);
      for (const size of [99_999, 100_001, 5, 1_000_000])
        await assert.rejects(store.put(key, pieces(other), { size, contentType }), isFault('refused'), `${size}`);
      await assert.rejects(store.put(key, failing(other), { size: 200_000, contentType }), /the source broke/);
      await assert.rejects(
        store.put('ws_1/asset_02', failing(other), { size: 200_000, contentType }),
        /the source broke/,
      );
      same(await read(store, key), bytes);
      assert.deepEqual(
        (await store.list('')).map((object) => object.key),
        [key],
      );
    },
  },
  {
    name: 'leaves nothing of an aborted write, even if its source is silent',
    async run(store) {
      const abortedSignal = AbortSignal.abort(new Error('ended before'));
      await assert.rejects(
        store.put(key, pieces(randomBytes(10)), { size: 10, contentType, signal: abortedSignal }),
        /ended before/,
      );
      const end = new AbortController();
      async function* stalled() {
        yield randomBytes(70_000);
        end.abort(new Error('ended meanwhile'));
        await new Promise(() => undefined);
      }
      await assert.rejects(
        store.put(key, stalled(), { size: 100_000, contentType, signal: end.signal }),
        /ended meanwhile/,
      );
      assert.equal(await store.head(key), undefined);
      assert.deepEqual(await store.list(''), []);
      await put(store, key, randomBytes(10));
    },
  },
];

const writes: readonly Case[] = [
  {
    name: 'shows the whole object of one of two concurrent writes, and never a mixture',
    async run(store) {
      const versions = Array.from({ length: 4 }, () => randomBytes(150_000));
      await Promise.all(versions.map((bytes) => put(store, key, bytes)));
      const stored = await read(store, key);
      assert.ok(versions.some((bytes) => bytes.equals(stored)));
    },
  },
  {
    name: 'still works after readers that stop early',
    async run(store) {
      const bytes = randomBytes(400_000);
      await put(store, key, bytes);
      for (let turn = 0; turn < 20; turn += 1)
        for await (const chunk of await store.get(key)) {
          assert.ok(chunk.byteLength > 0);
          break;
        }
      same(await read(store, key), bytes);
    },
  },
];

/** For adapters whose store has signed URLs. */
const signatures: readonly Case[] = [
  {
    name: 'signs URLs that read one object, with the requested type and name, until they expire',
    async run(store) {
      const bytes = randomBytes(5_000);
      await put(store, key, bytes);
      const now = Date.now();
      const url = store.signedRead?.(key, { ...reading, now, expiresAt: later() });
      if (url === undefined) return;
      const response = await fetch(url);
      assert.equal(response.status, 200);
      same(await bytesOf(response), bytes);
      assert.equal(response.headers.get('content-type'), contentType);
      assert.equal(response.headers.get('content-disposition'), reading.contentDisposition);
      const part = await fetch(url, { headers: { range: 'bytes=10-19' } });
      assert.equal(part.status, 206);
      same(await bytesOf(part), bytes.subarray(10, 20));
      assert.equal((await fetch(url.replace('asset_01', 'asset_02'))).status, 403);
      assert.ok((await upload(url, {}, bytes)).status >= 400);
      const past = { now: now - 900_000, expiresAt: now - 300_000 };
      assert.equal((await fetch(store.signedRead?.(key, { ...reading, ...past }) ?? '')).status, 403);
    },
  },
  {
    name: 'signs uploads of exactly one length and type',
    async run(store) {
      const bytes = randomBytes(5_000);
      const sign = () => store.signedUpload?.(key, { contentType, bytes: 5_000, now: Date.now(), expiresAt: later() });
      const signed = sign();
      if (signed === undefined) return;
      const { url, headers } = signed;
      assert.equal((await upload(url, headers, bytes.subarray(1))).status, 403);
      assert.equal((await upload(url, headers, Buffer.concat([bytes, bytes]))).status, 403);
      assert.equal((await upload(url, { ...headers, 'Content-Type': 'text/html' }, bytes)).status, 403);
      assert.equal((await upload(url.replace('asset_01', 'asset_02'), headers, bytes)).status, 403);
      assert.deepEqual(await store.list(''), []);
      assert.equal((await upload(url, headers, bytes)).status, 200);
      same(await read(store, key), bytes);
    },
  },
];

/** Options of the suite. */
export interface AssetSuiteOptions {
  /** The names of tests that fail because of the server behind the store, not because of the adapter. (Default: none) */
  readonly except?: readonly string[];
}

/** Registers the tests of one adapter. */
export function assetAdapterSuite(
  name: string,
  harness: AssetSuiteHarness,
  test: RegisterAssetTest,
  { except = [] }: AssetSuiteOptions = {},
): void {
  const cases = [...objects, ...brokenWrites, ...writes, ...signatures];
  const unknown = except.find((exceptName) => !cases.some((testCase) => testCase.name === exceptName));
  if (unknown !== undefined) throw new TypeError(`The suite has no test named ${unknown}.`);
  for (const testCase of cases.filter(({ name: caseName }) => !except.includes(caseName)))
    test(`${name}: ${testCase.name}`, async () => {
      const { store, dispose } = await harness();
      try {
        await testCase.run(store);
      } finally {
        await store.close?.();
        await dispose();
      }
    });
}
