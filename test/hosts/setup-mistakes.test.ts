// Small set-up mistakes that are reported at once: quotes around a key, a folder that cannot be written, a byte order mark in .env, a
// CNAME that would have no target. Also every byte type that a receiver of webhooks may pass.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { signWebhook } from '../../core/webhooks/sign.ts';
import { verifyWebhook } from '../../core/webhooks/verify.ts';
import { loadEnvironment } from '../../hosts/cli/project.ts';
import { cnameTarget } from '../../plugins/domains/dns/records.ts';

const test = suite('set-up mistakes');
const secret = randomBytes(32).toString('base64');

const fault = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'taken',
    (error: Error) => error.message,
  );

test('a keyring refuses a secret in quotes, and accepts white space around a secret', async () => {
  for (const text of [`"${secret}"`, `'${secret}'\n`, `a:"${secret}"`, `"a:${secret},b:${secret}"`]) {
    const message = await fault(localKeyring({ keys: text }).open('production'));
    assert.match(message, /has quotes around/);
    assert.not(message.includes(secret));
  }
  const listedKeyring = localKeyring({ keys: [{ id: 'a', secret: `"${secret}"` }] });
  assert.match(await fault(listedKeyring.open('production')), /has quotes around the secret of the key "a"/);
  for (const text of [`${secret}\n`, ` ${secret} `, `a:${secret}\r\n`])
    assert.is(await fault(localKeyring({ keys: text }).open('production')), 'taken');
});

test('the error for a key file that cannot be created names the keyring', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-told-'));
  writeFileSync(join(folder, 'file'), '');
  const keyring = localKeyring({ file: join(folder, 'file', 'keyring.json') });
  assert.match(await fault(keyring.open('development')), /^The keyring cannot use its key file /);
  rmSync(folder, { recursive: true });
});

test('.env is read with a byte order mark, CRLF, quotes and export, and overrides nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-told-'));
  const text = '\ufeffTOLD_FIRST=one\r\nexport TOLD_SECOND="two # words"\r\nTOLD_THIRD=new\r\n';
  const before = { ...process.env };
  for (const encoding of ['utf8', 'utf16le'] as const) {
    process.env['TOLD_THIRD'] = 'old';
    writeFileSync(join(folder, '.env'), text, encoding);
    loadEnvironment(folder);
    const { TOLD_FIRST, TOLD_SECOND, TOLD_THIRD } = process.env;
    assert.equal([TOLD_FIRST, TOLD_SECOND, TOLD_THIRD], ['one', 'two # words', 'old']);
    process.env = { ...before };
  }
  rmSync(folder, { recursive: true });
});

test('a CNAME target is always a public name', () => {
  for (const host of [
    '127.0.0.1',
    '[::1]',
    '10.0.0.5',
    '8.8.8.8',
    'localhost',
    'app.localhost',
    'nas.local',
    'db.internal',
    'host',
    '',
  ])
    assert.is(cnameTarget(host), undefined, host);
  assert.is(cnameTarget('Mail.Example.com.'), 'mail.example.com');
});

test('verifyWebhook accepts every byte type', () => {
  const text = JSON.stringify({ id: 'evt_1', type: 'send.sent', data: { name: 'İ日本😀' } });
  const key = `whsec_${secret}`;
  const headers = signWebhook({
    eventId: 'evt_1',
    eventType: 'send.sent',
    deliveryId: 'dlv_1',
    timestampSeconds: Math.floor(Date.now() / 1000),
    body: text,
    secrets: [key],
    service: 'Postrider',
  });
  const bytes = Buffer.from(text);
  const paddedBytes = Buffer.concat([Buffer.from('xx'), bytes, Buffer.from('yy')]);
  const exact = Uint8Array.from(bytes).buffer;
  const sharedBuffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(sharedBuffer).set(bytes);
  const forms = [
    text,
    bytes,
    Uint8Array.from(bytes),
    exact,
    new DataView(paddedBytes.buffer, paddedBytes.byteOffset + 2, bytes.length),
    paddedBytes.subarray(2, 2 + bytes.length),
    new Uint8Array(sharedBuffer),
  ];
  for (const body of forms) assert.is(verifyWebhook({ body, headers, secret: key }).id, 'evt_1');
});

test.run();
