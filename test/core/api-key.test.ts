// API keys: form, checksum, hash, hostile text, and the parsing of the Authorization header.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemRandomness } from '../../core/kernel/platform.ts';
import { createApiKey, parseApiKey, parseBearer } from '../../core/pipeline/api-key.ts';
import { createSeededRandomness } from '../../hosts/testing/seeded-randomness.ts';

const test = suite('api key');
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const make = (mode: 'live' | 'test' | 'mcp' = 'live') => createApiKey('postrider', mode, systemRandomness);

test('a key is its prefix, 43 random characters and a checksum of 6 characters', () => {
  for (const mode of ['live', 'test', 'mcp'] as const) {
    const { secret, prefix, hash } = make(mode);
    assert.match(secret, new RegExp(`^postrider_${mode}_[0-9A-Za-z]{49}$`));
    assert.is(prefix, secret.slice(0, `postrider_${mode}_`.length + 6));
    assert.is(hash, createHash('sha256').update(secret).digest('hex'));
    assert.equal(parseApiKey('postrider', secret), { mode, hash });
  }
});

test('the random part encodes all 256 bits and always has the same width', () => {
  const bytesOf = (fill: (index: number) => number) => ({
    bytes: (length: number) => Uint8Array.from({ length }, (_, index) => fill(index)),
  });
  const numberOf = (secret: string): bigint =>
    Array.from(secret.slice('postrider_live_'.length, -6)).reduce(
      (sum, one) => sum * 62n + BigInt(digits.indexOf(one)),
      0n,
    );
  for (const fill of [() => 0, () => 255, (index: number) => (index === 31 ? 1 : 0), (index: number) => index * 7]) {
    const { secret } = createApiKey('postrider', 'live', bytesOf(fill));
    assert.is(secret.length, 'postrider_live_'.length + 49);
    const expected = BigInt(`0x${Buffer.from(bytesOf(fill).bytes(32)).toString('hex')}`);
    assert.is(numberOf(secret), expected);
    assert.ok(parseApiKey('postrider', secret));
  }
});

test('the checksum is the CRC-32 of the text before it, in base 62', () => {
  const { secret } = createApiKey('postrider', 'test', createSeededRandomness(1));
  let crc = 0xffffffff;
  for (const byte of Buffer.from(secret.slice(0, -6))) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  const value = Array.from(secret.slice(-6)).reduce((sum, one) => sum * 62 + digits.indexOf(one), 0);
  assert.is(value, (crc ^ 0xffffffff) >>> 0);
});

test('10,000 keys have different secrets and hashes', () => {
  const keys = Array.from({ length: 10_000 }, () => make());
  assert.is(new Set(keys.map((key) => key.secret)).size, 10_000);
  assert.is(new Set(keys.map((key) => key.hash)).size, 10_000);
});

test('the parser refuses every key with one changed character or two swapped neighbours', () => {
  const { secret } = createApiKey('postrider', 'live', createSeededRandomness('typo'));
  for (let index = 0; index < secret.length; index += 1) {
    for (const digit of digits) {
      if (digit === secret[index]) continue;
      const mistyped = secret.slice(0, index) + digit + secret.slice(index + 1);
      assert.is(parseApiKey('postrider', mistyped), undefined, mistyped);
    }
    const next = secret[index + 1];
    if (next === undefined || next === secret[index]) continue;
    const swapped = secret.slice(0, index) + next + secret[index] + secret.slice(index + 2);
    assert.is(parseApiKey('postrider', swapped), undefined, swapped);
  }
});

test('the parser refuses a key that belongs to another service or mode, or is truncated, lengthened or padded', () => {
  const { secret } = make('live');
  assert.is(parseApiKey('acme', secret), undefined);
  assert.is(parseApiKey('postride', secret), undefined);
  assert.is(parseApiKey('postrider', secret.replace('_live_', '_test_')), undefined);
  for (const text of [secret.slice(0, -1), `${secret}0`, ` ${secret}`, `${secret}\n`, secret.toUpperCase(), '']) {
    assert.is(parseApiKey('postrider', text), undefined);
  }
});

test('the parser accepts keys of a service whose name has dashes or underscores', () => {
  for (const slug of ['my-mail', 'my_mail', 'm']) {
    const { secret, hash } = createApiKey(slug, 'mcp', systemRandomness);
    assert.equal(parseApiKey(slug, secret), { mode: 'mcp', hash });
  }
});

test('the parser never throws on hostile text', () => {
  const beginnings = fc.constantFrom('', 'postrider_live_', 'postrider_mcp_', 'postrider_test_');
  const texts = fc.tuple(beginnings, fc.string({ unit: 'binary', maxLength: 60 })).map(([start, rest]) => start + rest);
  fc.assert(
    fc.property(texts, (text) => {
      assert.is(parseApiKey('postrider', text), undefined);
    }),
    { numRuns: 2_000 },
  );
  for (const text of [
    'x'.repeat(10_000_000),
    `postrider_live_${'\u{1F600}'.repeat(24)}x`,
    `postrider_live_${'\0'.repeat(49)}`,
  ]) {
    assert.is(parseApiKey('postrider', text), undefined);
  }
  for (const value of [undefined, null, 7, {}, []]) {
    assert.is(parseApiKey('postrider', value as unknown as string), undefined);
  }
});

test('the parser reads a bearer token with the scheme in any letter case', () => {
  for (const header of ['Bearer abc', 'bearer abc', 'BEARER   abc', 'bEaReR abc'])
    assert.is(parseBearer(header), 'abc');
  assert.is(parseBearer(['Bearer abc']), 'abc');
  assert.is(parseBearer('Bearer aZ09-._~+/=='), 'aZ09-._~+/==');
  const { secret } = make();
  assert.is(parseBearer(`Bearer ${secret}`), secret);
});

test('the parser refuses a header that is not a single bearer token', () => {
  for (const header of [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer\tabc',
    'Bearerabc',
    'Basic abc',
    'abc',
    ' Bearer abc',
    'Bearer abc ',
    'Bearer abc def',
    'Bearer abc, Bearer def',
    'Bearer abc,def',
    'Bearer "abc"',
    'Bearer a=b',
    'Bearer abc\r\nX-Other: 1',
    'Bearer é',
    `Bearer ${'a'.repeat(9_000)}`,
    `Bearer ${' '.repeat(9_000_000)}`,
    [],
    ['Bearer abc', 'Bearer abc'],
  ]) {
    assert.is(parseBearer(header), undefined, JSON.stringify(header)?.slice(0, 60));
  }
});

test.run();
