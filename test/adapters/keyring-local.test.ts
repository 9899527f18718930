// The local keyring: with real files, real processes, and each byte of a sealed value changed in turn.
// full-run: slow
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type LocalKeyringOptions, localKeyring } from '../../adapters/keyring/local.ts';
import type { Keyring } from '../../core/contract/ports/keyring.ts';

const test = suite<{ folder: string; file: string }>('local keyring', { folder: '', file: '' });
const keyringModule = new URL('../../adapters/keyring/local.ts', import.meta.url).href;

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'postrider-keyring-'));
  context.file = join(context.folder, 'deep', 'keyring.json');
});

test.after.each(({ folder }) => {
  rmSync(folder, { recursive: true, force: true });
});

const secretA = randomBytes(32).toString('base64');
const secretB = randomBytes(32).toString('base64');
const plain = new TextEncoder().encode('{"code":"123456"}');

const openKeys = (...keys: { id: string; secret: string | Uint8Array }[]): Promise<Keyring> =>
  localKeyring({ keys }).open('production');

async function refusal(
  options: LocalKeyringOptions | undefined,
  environment: 'development' | 'production',
): Promise<string> {
  try {
    await localKeyring(options).open(environment);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('The keyring opened.');
}

test('the keyring opens what it sealed, whatever its length', async () => {
  const keyring = await openKeys({ id: 'a', secret: secretA });
  for (const length of [0, 1, 15, 16, 17, 4_096, 1_000_000]) {
    const value = new Uint8Array(randomBytes(length));
    assert.equal(new Uint8Array(keyring.open(keyring.seal(value, 'send:snd_1'), 'send:snd_1')), value);
  }
});

test('the keyring seals in the documented format: version, key id, nonce, tag, ciphertext', async () => {
  const keyring = await openKeys({ id: 'key-7', secret: secretA });
  const sealedBytes = keyring.seal(plain, 'c');
  assert.is(sealedBytes[0], 1);
  assert.is(sealedBytes[1], 5);
  assert.is(Buffer.from(sealedBytes.subarray(2, 7)).toString(), 'key-7');
  assert.is(sealedBytes.length, 7 + 12 + 16 + plain.length);
  assert.not.ok(Buffer.from(sealedBytes).includes('123456'));
});

test('the keyring never seals a value twice in the same way', async () => {
  const keyring = await openKeys({ id: 'a', secret: secretA });
  const sealedValues = Array.from({ length: 1_000 }, () => Buffer.from(keyring.seal(plain, 'c')).toString('hex'));
  assert.is(new Set(sealedValues.map((text) => text.slice(6, 30))).size, 1_000, 'nonces differ');
});

test('the keyring refuses a value with any one bit changed', async () => {
  const keyring = await openKeys({ id: 'a', secret: secretA }, { id: 'b', secret: secretB });
  const sealedBytes = Buffer.from(keyring.seal(plain, 'c'));
  for (let index = 0; index < sealedBytes.length; index += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const alteredBytes = Buffer.from(sealedBytes);
      alteredBytes[index] = (alteredBytes[index] ?? 0) ^ (1 << bit);
      assert.throws(() => keyring.open(alteredBytes, 'c'), `byte ${index}, bit ${bit}`);
    }
  }
  assert.equal(new Uint8Array(keyring.open(sealedBytes, 'c')), plain);
});

test('the keyring refuses a value that is cut short or extended, at every length', async () => {
  const keyring = await openKeys({ id: 'a', secret: secretA });
  const sealedBytes = keyring.seal(plain, 'c');
  for (let length = 0; length < sealedBytes.length; length += 1) {
    assert.throws(() => keyring.open(sealedBytes.subarray(0, length), 'c'), `${length} bytes`);
  }
  assert.throws(() => keyring.open(Buffer.concat([sealedBytes, Buffer.of(0)]), 'c'));
});

test('the keyring refuses random bytes with an error, never a crash', async () => {
  const keyring = await openKeys({ id: 'a', secret: secretA });
  const header = Uint8Array.of(1, 1, 97);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.boolean(), (bytes, withHeader) => {
      assert.throws(() => keyring.open(withHeader ? Buffer.concat([header, bytes]) : bytes, 'c'), /./);
    }),
    { numRuns: 500 },
  );
});

test('the keyring refuses another context and another secret', async () => {
  const keyring = await openKeys({ id: 'a', secret: secretA });
  const sealedBytes = keyring.seal(plain, 'send:snd_1');
  assert.throws(() => keyring.open(sealedBytes, 'send:snd_2'), /altered, belongs to another context, or/);
  assert.throws(() => keyring.open(sealedBytes, ''), /altered/);
  const otherKeys = await openKeys({ id: 'a', secret: secretB });
  assert.throws(() => otherKeys.open(sealedBytes, 'send:snd_1'), /altered/);
});

test('the keyring rotates keys: the first key seals, every listed key opens, and a removed key does not open', async () => {
  const before = await openKeys({ id: 'a', secret: secretA });
  const old = before.seal(plain, 'c');
  const rotatedKeys = await openKeys({ id: 'b', secret: secretB }, { id: 'a', secret: secretA });
  assert.equal(new Uint8Array(rotatedKeys.open(old, 'c')), plain);
  const fresh = rotatedKeys.seal(plain, 'c');
  assert.throws(() => before.open(fresh, 'c'), /not configured \(b\)/);
  const after = await openKeys({ id: 'b', secret: secretB });
  assert.equal(new Uint8Array(after.open(fresh, 'c')), plain);
  assert.throws(() => after.open(old, 'c'), /not configured \(a\)/);
});

test('a value is current only if the first key opens it in its own context', async () => {
  const keyring = await openKeys({ id: 'b', secret: secretB }, { id: 'a', secret: secretA });
  const sealedBytes = keyring.seal(plain, 'c');
  const isCurrent = (value: Uint8Array, context = 'c') => keyring.isCurrent(value, context);
  assert.is(isCurrent(sealedBytes), true);
  assert.is(isCurrent(sealedBytes, 'd'), false, 'the value was sealed in another context');
  assert.is(
    isCurrent((await openKeys({ id: 'a', secret: secretA })).seal(plain, 'c')),
    false,
    'the value was sealed with an older key',
  );
  assert.is(
    isCurrent((await openKeys({ id: 'b', secret: secretA })).seal(plain, 'c')),
    false,
    'the key id belongs to another secret',
  );
  assert.is(
    isCurrent((await openKeys({ id: 'bb', secret: secretB })).seal(plain, 'c')),
    false,
    'the key id is longer than that of the first key',
  );
  for (const length of [0, 1, 2, 3, sealedBytes.length - 1])
    assert.is(isCurrent(sealedBytes.subarray(0, length)), false);
});

test('the keyring reads a list of keys in one string, newest first, and can continue from the development key', async ({
  file,
}) => {
  const old = (await localKeyring({ file }).open('development')).seal(plain, 'c');
  const [{ id, secret }] = (JSON.parse(readFileSync(file, 'utf8')) as { keys: [{ id: string; secret: string }] }).keys;
  assert.is(id, 'development');
  for (const keys of [`2026-11:${secretA},development:${secret}`, ` 2026-11:${secretA} ,\n development:${secret}\n`]) {
    const keyring = await localKeyring({ keys }).open('production');
    assert.equal(new Uint8Array(keyring.open(old, 'c')), plain);
    assert.is(keyring.isCurrent(old, 'c'), false);
    assert.equal(
      new Uint8Array((await openKeys({ id: '2026-11', secret: secretA })).open(keyring.seal(plain, 'c'), 'c')),
      plain,
    );
  }
});

test('a single secret in a string is the key "a"', async () => {
  const keyring = await localKeyring({ keys: `${secretA}\n` }).open('production');
  assert.equal(
    new Uint8Array((await openKeys({ id: 'a', secret: secretA })).open(keyring.seal(plain, 'c'), 'c')),
    plain,
  );
});

test('the keyring refuses a string without keys, and a list in place of one secret, without showing a secret', async () => {
  for (const keys of ['', ' ', undefined])
    assert.match(await refusal({ keys }, 'production'), /holds no key\..*openssl/);
  const lists: [string, RegExp][] = [
    [`2026-11:${secretA},${secretB}`, /key number 2 does not have the form id:BASE64/],
    [`2026-11:${secretA},`, /key number 2/],
    [`2026-11:,a:${secretA}`, /key number 1/],
    [`a:${secretA}:${secretB}`, /key number 1/],
    [`a b:${secretA}`, /without a usable id/],
    [`a:${secretA},a:${secretB}`, /two keys with the id "a"/],
    [`a:${secretA},b:c2hvcnQ=`, /a secret of 5 bytes for the key "b"/],
  ];
  for (const [keys, expected] of lists) {
    const message = await refusal({ keys }, 'production');
    assert.match(message, expected);
    assert.not.ok(message.includes(secretA) || message.includes(secretB));
  }
  const secret = `2026-11:${secretA},development:${secretB}`;
  assert.match(
    await refusal({ keys: [{ id: 'a', secret }] }, 'production'),
    /has a list of keys as the secret of the key "a"\. Give the list: localKeyring\(\{ keys: process\.env\.POSTRIDER_KEY \}\)/,
  );
});

test("only if a value needs the development key, the error names that key's file", async () => {
  const keyring = await openKeys({ id: 'a', secret: secretA });
  const ofDev = await openKeys({ id: 'development', secret: secretB });
  const location = / The key of postrider dev is in \.postrider\/keyring\.json\.$/;
  assert.throws(() => keyring.open(ofDev.seal(plain, 'c'), 'c'), location);
  const otherDev = await openKeys({ id: 'development', secret: secretA });
  assert.throws(() => otherDev.open(ofDev.seal(plain, 'c'), 'c'), location);
  const otherKeyrings = [await openKeys({ id: 'b', secret: secretB }), await openKeys({ id: 'a', secret: secretB })];
  for (const otherKeyring of otherKeyrings)
    assert.throws(
      () => keyring.open(otherKeyring.seal(plain, 'c'), 'c'),
      (error: Error) => !error.message.includes('dev'),
    );
});

test('MACs differ by purpose, text and key, and are equal in another process', async () => {
  const keyring = await openKeys({ id: 'a', secret: secretA });
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  const mac = hex(keyring.mac('ws_1', 'cursor'));
  assert.is(mac.length, 64);
  assert.is(hex((await openKeys({ id: 'z', secret: secretA })).mac('ws_1', 'cursor')), mac);
  assert.is.not(hex(keyring.mac('ws_1', 'session')), mac);
  assert.is.not(hex(keyring.mac('ws_2', 'cursor')), mac);
  assert.is.not(hex((await openKeys({ id: 'a', secret: secretB })).mac('ws_1', 'cursor')), mac);
});

test('the keyring verifies a MAC of every key, complete or its first half, only for its own text and purpose', async () => {
  const keyring = await openKeys({ id: 'b', secret: secretB }, { id: 'a', secret: secretA });
  const old = (await openKeys({ id: 'a', secret: secretA })).mac('ws_1', 'token');
  const verify = (mac: Uint8Array, text = 'ws_1', purpose = 'token') => keyring.verifyMac(mac, text, purpose);
  assert.equal([verify(old), verify(keyring.mac('ws_1', 'token')), verify(old.subarray(0, 16))], [true, true, true]);
  const changedMac = Uint8Array.from(old, (byte, index) => (index === 3 ? byte ^ 1 : byte));
  const longer = Uint8Array.from([...old, 0]);
  for (const mac of [changedMac, longer, old.subarray(0, 15), new Uint8Array()]) assert.is(verify(mac), false);
  assert.equal([verify(old, 'ws_2'), verify(old, 'ws_1', 'cursor')], [false, false]);
  const after = await openKeys({ id: 'b', secret: secretB });
  assert.is(after.verifyMac(old, 'ws_1', 'token'), false);
});

test('the keyring accepts a secret as bytes, base64, base64url, hex or a long text', async () => {
  const bytes = randomBytes(32);
  const sealedBytes = (await openKeys({ id: 'a', secret: bytes })).seal(plain, 'c');
  const spellings = [
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    `${bytes.toString('base64')}\n`,
  ];
  for (const secret of spellings) {
    assert.equal(new Uint8Array((await openKeys({ id: 'a', secret })).open(sealedBytes, 'c')), plain);
  }
  const text = 'Nine wizards; quietly juggling 47 mangos, by box!';
  assert.ok((await openKeys({ id: 'a', secret: text })).seal(plain, 'c'));
});

test('the keyring refuses weak secrets and unusable ids, names the remedy, and does not show the secret', async () => {
  const weak = [
    '',
    'changeme',
    randomBytes(31).toString('base64'),
    randomBytes(16).toString('hex'),
    'a'.repeat(64),
    'secret? '.repeat(8),
    randomBytes(31),
    new Uint8Array(32),
  ];
  for (const secret of weak) {
    const message = await refusal({ keys: [{ id: 'a', secret }] }, 'production');
    assert.match(message, /openssl rand -base64 32/);
    assert.match(message, /key "a"/);
    if (typeof secret === 'string' && secret !== '') assert.not.match(message, secret);
  }
  const missing = { id: 'a', secret: undefined as unknown as string };
  assert.match(await refusal({ keys: [missing] }, 'production'), /no secret for the key "a".*openssl/);
  assert.match(await refusal({ keys: [] }, 'production'), /holds no key/);
  const keysWithOneId = [
    { id: 'a', secret: secretA },
    { id: 'a', secret: secretB },
  ];
  assert.match(await refusal({ keys: keysWithOneId }, 'production'), /two keys with the id "a"/);
  for (const id of ['', 'a b', 'é', 'x'.repeat(65)]) {
    assert.match(await refusal({ keys: [{ id, secret: secretA }] }, 'production'), /without a usable id/);
  }
});

test('the keyring touches no file before it is opened', ({ file, folder }) => {
  localKeyring({ file });
  assert.equal(readdirSync(folder), []);
});

test('the keyring creates a key file only in development, for its owner only, and uses it again', async ({
  file,
  folder,
}) => {
  const sealedBytes = (await localKeyring({ file }).open('development')).seal(plain, 'c');
  assert.is(statSync(file).mode & 0o777, 0o600);
  assert.is(statSync(join(folder, 'deep')).mode & 0o777, 0o700);
  assert.equal(readdirSync(join(folder, 'deep')), ['keyring.json'], 'no draft file remains');
  const content = readFileSync(file, 'utf8');
  assert.equal(new Uint8Array((await localKeyring({ file }).open('development')).open(sealedBytes, 'c')), plain);
  assert.is(readFileSync(file, 'utf8'), content);
});

test('the keyring creates .postrider/keyring.json in the working directory if the options name no file', async ({
  folder,
}) => {
  const script = `(await import(${JSON.stringify(keyringModule)})).localKeyring().open('development')`;
  await runScript(script, folder);
  assert.is(statSync(join(folder, '.postrider', 'keyring.json')).mode & 0o777, 0o600);
});

test('the keyring refuses to start in production without a key, says how to create a key, and does not create it', async ({
  file,
  folder,
}) => {
  const errorWithoutName = await refusal(undefined, 'production');
  assert.match(
    errorWithoutName,
    /Production needs its own key: localKeyring\(\{ keys: process\.env\.POSTRIDER_KEY \}\)\. .*openssl rand -base64 32/,
  );
  const missing = await refusal({ file }, 'production');
  assert.match(missing, /does not exist, and production does not create it.*openssl rand -base64 32/);
  assert.equal(readdirSync(folder), []);
});

test('the keyring reads a named file in production, with its rotation', async ({ file, folder }) => {
  mkdirSync(join(folder, 'deep'));
  writeFileSync(file, JSON.stringify({ keys: [{ id: 'a', secret: secretA }] }));
  const sealedBytes = (await localKeyring({ file }).open('production')).seal(plain, 'c');
  const keys = [
    { id: 'b', secret: secretB },
    { id: 'a', secret: secretA },
  ];
  writeFileSync(file, JSON.stringify({ keys }));
  assert.equal(new Uint8Array((await localKeyring({ file }).open('production')).open(sealedBytes, 'c')), plain);
});

test('the keyring refuses a damaged key file without showing or replacing it', async ({ file, folder }) => {
  mkdirSync(join(folder, 'deep'));
  for (const content of [
    '',
    '{',
    `{"keys":[{"id":"a","secret":"${secretA}"`,
    '{"keys":[1]}',
    '{"keys":{}}',
    'null',
    '[]',
  ]) {
    writeFileSync(file, content);
    for (const environment of ['development', 'production'] as const) {
      const message = await refusal({ file }, environment);
      assert.match(message, /is damaged/);
      assert.not.match(message, secretA.slice(0, 8));
    }
    assert.is(readFileSync(file, 'utf8'), content);
  }
  assert.ok(existsSync(file));
});

test('processes that start at the same moment get the same key', async ({ file, folder }) => {
  const script = `
    const { localKeyring } = await import(${JSON.stringify(keyringModule)});
    while (Date.now() < Number(process.argv[1])) {}
    const keyring = await localKeyring({ file: ${JSON.stringify(file)} }).open('development');
    process.stdout.write(Buffer.from(keyring.mac('x', 'y')).toString('hex'));`;
  const at = String(Date.now() + 3_000);
  const macs = await Promise.all(Array.from({ length: 4 }, () => runScript(script, folder, at)));
  assert.is(macs[0]?.length, 64);
  assert.is(new Set(macs).size, 1);
  assert.equal(readdirSync(join(folder, 'deep')), ['keyring.json']);
});

test('callers in one process that start at the same moment get the same key', async ({ file }) => {
  const keyrings = await Promise.all(Array.from({ length: 20 }, () => localKeyring({ file }).open('development')));
  assert.is(new Set(keyrings.map((one) => Buffer.from(one.mac('x', 'y')).toString('hex'))).size, 1);
});

async function runScript(script: string, cwd: string, ...args: string[]): Promise<string> {
  const loader = import.meta.resolve('tsx');
  const options = ['--import', loader, '--input-type=module', '--eval', script, ...args];
  return (await promisify(execFile)(process.execPath, options, { cwd })).stdout;
}

test('the keyring refuses an API key as the secret, and names the variable that contains a keyring secret', async () => {
  for (const mode of ['live', 'test', 'mcp']) {
    const secret = `acme_${mode}_4fGh8sJk2LmN9pQrStUvWxYz0123456789abcdEFGHIJKLmno`;
    const message = await refusal({ keys: [{ id: 'a', secret }] }, 'production');
    assert.match(message, /has an API key as the secret of the key "a"\..*POSTRIDER_API_KEY/);
    assert.not.ok(message.includes(secret));
  }
});

test.run();
