// Verification of deliveries: every form of input, every reason to refuse, and no accepted change of a byte
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { signWebhook, type WebhookToSign } from '../../core/unstable.ts';
import { isWebhookVerificationError, verifyWebhook, type WebhookToVerify } from '../../core/webhooks/verify.ts';

const test = suite('verifying webhooks');

const secret = 'whsec_cG9zdHJpZGVyLWRvY3VtZW50YXRpb24tdmVjdG9y';
const otherSecret = 'whsec_YW5vdGhlciBzZWNyZXQgb2YgdGhpcnR5IGJ5dGVz';
/** 32 bytes: their base64 ends in padding, and the last character before it has unused bits. */
const paddedSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const seconds = 1_763_650_000;
const now = seconds * 1000;
const toSign: WebhookToSign = {
  eventId: 'evt_01JD0C8Z4V6QK3M9T2X5R7W8YB',
  eventType: 'send.delivered',
  deliveryId: 'dlv_01JD0C8Z4V6QK3M9T2X5R7W8YC',
  timestampSeconds: seconds,
  body: '{"id":"evt_01JD0C8Z4V6QK3M9T2X5R7W8YB","type":"send.delivered","data":{"subject":"Grüße"}}',
  secrets: [secret],
  service: 'Postrider',
};
const { body } = toSign;
const withLowerCaseNames = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
const headers = withLowerCaseNames(signWebhook(toSign));

/** The reason and message of a refusal, or undefined if the delivery is accepted */
function refusal(changes: Partial<WebhookToVerify>): { reason: string; message: string } | undefined {
  try {
    verifyWebhook({ body, headers, secret, now, ...changes });
    return undefined;
  } catch (error) {
    if (!isWebhookVerificationError(error)) throw error;
    return { reason: error.reason, message: error.message };
  }
}

const reasonOf = (changes: Partial<WebhookToVerify>) => refusal(changes)?.reason;

test('the verification accepts headers and bodies in every form in which frameworks pass them', () => {
  const bytes = Buffer.from(String(body));
  const shapes: WebhookToVerify['headers'][] = [
    headers,
    signWebhook(toSign),
    new Headers(headers),
    new Request('https://example.com/', { headers }).headers,
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]])),
    { ...headers, 'x-nothing': undefined, 'set-cookie': ['a', 'b'] },
    Object.assign(Object.create(null), headers),
  ];
  for (const shape of shapes)
    for (const form of [body, bytes, new Uint8Array(bytes)])
      for (const service of [undefined, 'Postrider']) {
        const webhook = { body: form, headers: shape, secret, now, ...(service === undefined ? {} : { service }) };
        assert.equal(verifyWebhook(webhook), JSON.parse(String(body)));
      }
});

test('one valid signature or secret among several is enough', () => {
  const rotating = signWebhook({ ...toSign, secrets: [otherSecret, secret] });
  for (const service of ['Postrider', undefined]) {
    const more = service === undefined ? {} : { service };
    assert.is(reasonOf({ ...more, headers: rotating }), undefined);
    assert.is(reasonOf({ ...more, headers: rotating, secret: otherSecret }), undefined);
    assert.is(reasonOf({ ...more, secret: [otherSecret, secret] }), undefined);
    assert.is(reasonOf({ ...more, headers: rotating, secret: [paddedSecret] }), 'signature_mismatch');
  }
});

test('either set of headers is enough, but if both are present, both must be valid', () => {
  const standard = Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('webhook-')));
  const ownHeaders = Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-')));
  assert.is(reasonOf({ headers: standard }), undefined);
  assert.is(reasonOf({ headers: ownHeaders, service: 'Postrider' }), undefined);
  for (const shape of [ownHeaders, new Headers(ownHeaders)]) assert.is(reasonOf({ headers: shape }), undefined);
  assert.is(reasonOf({ headers: standard, service: 'Postrider' }), undefined);
  assert.is(reasonOf({ headers: ownHeaders, service: 'Acme' }), 'header_missing');
  assert.is(reasonOf({ headers: {} }), 'header_missing');
  const signatures = { 'webhook-signature': 'v1,aaaa', 'x-postrider-signature': 'v1=aaaa' };
  for (const [name, value] of Object.entries(signatures))
    for (const more of [{}, { service: 'Postrider' }])
      assert.is(
        reasonOf({ ...more, headers: { ...standard, ...ownHeaders, [name]: value } }),
        'signature_mismatch',
        name,
      );
  // This header belongs to another program before the receiver, which signs with its own key.
  assert.is(reasonOf({ headers: { ...standard, 'x-gateway-signature': 'v1=aaaa' } }), undefined);
});

for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
  test(`the verification reports ${name} as missing`, () => {
    const standard = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'));
    for (const value of [undefined, '']) {
      const rejection = refusal({ headers: { ...Object.fromEntries(standard), [name]: value } });
      assert.is(rejection?.reason, 'header_missing');
      assert.ok(rejection?.message.includes(name));
    }
  });
}

test('the verification refuses a timestamp that is too old or too far ahead, to the second', () => {
  assert.is(reasonOf({ now: now + 300_999 }), undefined);
  assert.is(reasonOf({ now: now + 301_000 }), 'timestamp_too_old');
  assert.is(reasonOf({ now: now - 300_000 }), undefined);
  assert.is(reasonOf({ now: now - 300_001 }), 'timestamp_in_future');
  assert.is(reasonOf({ now: now + 11_000, toleranceSeconds: 10 }), 'timestamp_too_old');
  assert.is(reasonOf({ now: now + 9_000, toleranceSeconds: 10 }), undefined);
  assert.match(refusal({ now: now + 400_000 })?.message ?? '', /400 seconds ago, and more than 300/);
  // The current time is the default.
  assert.throws(() => verifyWebhook({ body, headers, secret }), /seconds ago/);
});

test('the verification refuses a tolerance or current time that is not a number, because nothing would be checked', () => {
  for (const toleranceSeconds of [Number.NaN, Number.POSITIVE_INFINITY, -1])
    assert.throws(
      () => verifyWebhook({ body, headers, secret, now, toleranceSeconds }),
      (error: unknown) => error instanceof RangeError,
    );
  assert.throws(
    () => verifyWebhook({ body, headers, secret, now: Number.NaN }),
    (error: unknown) => error instanceof RangeError,
  );
});

test('the verification refuses malformed timestamps', () => {
  for (const text of ['now', '1763650000.0', '01763650000', '-1', '0', '1e9', ' 1763650000', '9'.repeat(13), 'NaN'])
    assert.is(reasonOf({ headers: { ...headers, 'webhook-timestamp': text } }), 'timestamp_malformed', text);
});

test('the verification refuses malformed signatures and unknown versions', () => {
  const right = headers['webhook-signature'] ?? '';
  const reasonFor = (text: string) => reasonOf({ headers: { ...headers, 'webhook-signature': text } });
  for (const text of ['v1', 'v1=abc', right.slice(3), `${right} `, `${right},${right}`, `${right} x`, 'v1,ä'])
    assert.is(reasonFor(text), 'signature_malformed', text);
  assert.is(reasonFor('v2,abcd'), 'version_unknown');
  assert.is(reasonFor('v1a,abcd v2,abcd'), 'version_unknown');
  assert.is(reasonFor('v1,abcd'), 'signature_mismatch');
  assert.is(reasonFor(`v2,abcd ${right}`), undefined);
  const ownSignature = headers['x-postrider-signature'] ?? '';
  const ownReason = (text: string) =>
    reasonOf({ headers: { ...headers, 'x-postrider-signature': text }, service: 'Postrider' });
  assert.is(ownReason('v1,abcd'), 'signature_malformed');
  assert.is(ownReason(ownSignature.toUpperCase()), 'signature_malformed');
  assert.is(ownReason('v2=abcd'), 'version_unknown');
  assert.is(ownReason(`v2=abcd,${ownSignature}`), undefined);
});

test('if the body was parsed, the error says how to get the bytes', () => {
  const parsedBody = JSON.parse(String(body)) as string;
  const rejection = refusal({ body: parsedBody });
  assert.is(rejection?.reason, 'body_parsed');
  assert.match(rejection?.message ?? '', /express\.raw\(.*addContentTypeParser\(/);
  const withoutBody = refusal({ body: undefined as unknown as string });
  assert.is(withoutBody?.reason, 'body_missing');
  assert.match(withoutBody?.message ?? '', /express\.raw\(/);
  assert.is(reasonOf({ body: JSON.stringify(parsedBody, null, 2) }), 'signature_mismatch');
});

test('the verification refuses malformed secrets without repeating them', () => {
  const cases: readonly [unknown, RegExp][] = [
    [undefined, /is its environment variable set/],
    ['', /does not begin with whsec_/],
    ['hunter2', /does not begin with whsec_/],
    [`${secret}\n`, /white space/],
    [` ${secret}`, /white space/],
    ['whsec_…kY3d', /the shortened form/],
    ['whsec_', /not complete/],
    [secret.slice(0, -3), /not complete/],
    [secret.slice(0, 20), /not complete/],
    [[], /No secret/],
    [[secret, 'hunter2'], /does not begin/],
  ];
  for (const [parsed, sentence] of cases) {
    const rejection = refusal({ secret: parsed as string });
    assert.is(rejection?.reason, 'secret_malformed');
    assert.match(rejection?.message ?? '', sentence);
    assert.not.match(rejection?.message ?? '', /hunter2|cG9z/);
  }
});

test('the verification refuses a correctly signed body that is not an event', () => {
  for (const text of ['', 'hello', '[]', 'null', '{"id":"evt_1"}', '{"type":"a"}', Buffer.from([0x22, 0xff, 0x22])])
    assert.is(reasonOf({ body: text, headers: signWebhook({ ...toSign, body: text }) }), 'body_malformed');
});

/** HMAC pads keys with zero bytes, so a Standard Webhooks secret with an extra zero byte at the end is the same key. */
const sameKey = `${paddedSecret.slice(0, -1)}A`;

/** Every text with one character changed, removed or added */
const changesOf = (text: string) =>
  fc
    .tuple(fc.nat(text.length), fc.integer({ min: 1, max: 255 }), fc.constantFrom('change', 'add', 'remove'))
    .map(([at, by, how]) => {
      const bytes = Buffer.from(text);
      const position = Math.min(at, bytes.length - 1);
      if (how === 'change') {
        bytes[position] = ((bytes[position] ?? 0) + by) & 0xff;
        return bytes;
      }
      const addedCharacters = how === 'add' ? [by] : [];
      return Buffer.from([
        ...bytes.subarray(0, position),
        ...addedCharacters,
        ...bytes.subarray(how === 'add' ? position : position + 1),
      ]);
    });

for (const service of [undefined, 'Postrider']) {
  const more = service === undefined ? {} : { service };
  const label = service ?? 'Standard Webhooks';
  for (const valid of [secret, paddedSecret]) {
    const signedHeaders = withLowerCaseNames(signWebhook({ ...toSign, secrets: [valid] }));
    const isAccepted = (changes: Partial<WebhookToVerify>) =>
      reasonOf({ ...more, secret: valid, headers: signedHeaders, ...changes }) === undefined;

    test(`${label}: no body, header or secret with a changed byte is accepted (${valid.length} characters)`, () => {
      assert.ok(isAccepted({}));
      const options = { numRuns: 500 };
      fc.assert(
        fc.property(changesOf(String(body)), (bytes) => !isAccepted({ body: bytes })),
        options,
      );
      fc.assert(
        fc.property(changesOf(valid), (bytes) => {
          const text = bytes.toString('latin1');
          return text === valid || text === sameKey || !isAccepted({ secret: text });
        }),
        options,
      );
      const names =
        service === undefined
          ? ['webhook-id', 'webhook-timestamp', 'webhook-signature']
          : ['x-postrider-timestamp', 'x-postrider-signature'];
      for (const name of names) {
        const value = signedHeaders[name] ?? '';
        fc.assert(
          fc.property(changesOf(value), (bytes) => {
            const text = bytes.toString('latin1');
            return text === value || !isAccepted({ headers: { ...signedHeaders, [name]: text } });
          }),
          options,
        );
      }
    });

    test(`${label}: the last characters have no unchecked bits (${valid.length} characters)`, () => {
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=';
      const name = service === undefined ? 'webhook-signature' : 'x-postrider-signature';
      const value = signedHeaders[name] ?? '';
      for (const character of alphabet)
        for (const back of [1, 2, 3]) {
          const swap = (text: string) => text.slice(0, -back) + character + text.slice(text.length - back + 1);
          if (swap(valid) !== valid && swap(valid) !== sameKey) assert.not.ok(isAccepted({ secret: swap(valid) }));
          if (swap(value) !== value) assert.not.ok(isAccepted({ headers: { ...signedHeaders, [name]: swap(value) } }));
        }
    });
  }
}

test.run();
