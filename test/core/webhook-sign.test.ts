// The signatures of deliveries: Postrider's headers, the Standard Webhooks headers, and verification by official libraries
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemRandomness } from '../../core/kernel/platform.ts';
import { createWebhookSecret, signWebhook, type WebhookToSign } from '../../core/unstable.ts';
import { verifyWebhook } from '../../core/webhooks/verify.ts';

const test = suite('signing webhooks');

const secret = 'whsec_cG9zdHJpZGVyLWRvY3VtZW50YXRpb24tdmVjdG9y';
const toSign: WebhookToSign = {
  eventId: 'evt_01JD0C8Z4V6QK3M9T2X5R7W8YB',
  eventType: 'send.delivered',
  deliveryId: 'dlv_01JD0C8Z4V6QK3M9T2X5R7W8YC',
  timestampSeconds: 1_763_650_000,
  body: '{"id":"evt_01JD0C8Z4V6QK3M9T2X5R7W8YB","type":"send.delivered","data":{"subject":"Grüße 👋"}}',
  secrets: [secret],
  service: 'Postrider',
};
const present = (): WebhookToSign => ({ ...toSign, timestampSeconds: Math.floor(Date.now() / 1000) });

test('a secret is whsec_ and 30 random bytes in base64, which needs no padding', () => {
  const secret = createWebhookSecret(systemRandomness);
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{40}$/);
  assert.is.not(createWebhookSecret(systemRandomness), secret);
  assert.is(createWebhookSecret({ bytes: (length) => new Uint8Array(length).fill(255) }), `whsec_${'/'.repeat(40)}`);
});

test('a delivery has both sets of headers', () => {
  const hex = createHmac('sha256', Buffer.from(secret, 'utf8')).update(`t=1763650000|${toSign.body}`).digest('hex');
  const base64 = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`evt_01JD0C8Z4V6QK3M9T2X5R7W8YB.1763650000.${toSign.body}`)
    .digest('base64');
  assert.equal(signWebhook(toSign), {
    'X-Postrider-Event': 'send.delivered',
    'X-Postrider-Delivery': 'dlv_01JD0C8Z4V6QK3M9T2X5R7W8YC',
    'X-Postrider-Timestamp': '1763650000',
    'X-Postrider-Signature': `v1=${hex}`,
    'webhook-id': 'evt_01JD0C8Z4V6QK3M9T2X5R7W8YB',
    'webhook-timestamp': '1763650000',
    'webhook-signature': `v1,${base64}`,
  });
});

test('the headers contain the name of the service', () => {
  const names = Object.keys(signWebhook({ ...toSign, service: 'Acme Mail & Co.' }));
  assert.equal(names.slice(0, 2), ['X-AcmeMailCo-Event', 'X-AcmeMailCo-Delivery']);
});

test('if two secrets are active, both sign, the newest first', () => {
  const newest = createWebhookSecret(systemRandomness);
  const both = signWebhook({ ...toSign, secrets: [newest, secret] });
  const one = signWebhook({ ...toSign, secrets: [newest] });
  const withoutSecond = signWebhook(toSign);
  for (const [name, separator] of [
    ['X-Postrider-Signature', ','],
    ['webhook-signature', ' '],
  ] as const)
    assert.is(both[name], [one[name], withoutSecond[name]].join(separator));
});

test('bytes and text get the same signature, and the body is signed unchanged', () => {
  assert.equal(signWebhook({ ...toSign, body: Buffer.from(toSign.body) }), signWebhook(toSign));
  assert.is.not(
    signWebhook({ ...toSign, body: `${String(toSign.body)} ` })['webhook-signature'],
    signWebhook(toSign)['webhook-signature'],
  );
});

test('any name of a custom event is encoded for a header, and can be decoded', () => {
  const headerOf = (eventType: string) => signWebhook({ ...toSign, eventType })['X-Postrider-Event'] ?? '';
  assert.is(headerOf('order shipped: 100 %'), 'order%20shipped:%20100%20%25');
  assert.is(headerOf('paket.verschickt-für-👋'), 'paket.verschickt-f%C3%BCr-%F0%9F%91%8B');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (eventType) => {
      const header = headerOf(eventType);
      assert.match(header, /^[!-~]+$/);
      assert.is(decodeURIComponent(header), eventType);
      new Headers({ 'x-event': header });
    }),
  );
});

test('an invalid secret is refused', () => {
  for (const secrets of [[], ['whsec_'], ['secret'], ['whsec_c2hvcnQ='], [secret, 'whsec_…kY3d']])
    assert.throws(
      () => signWebhook({ ...toSign, secrets }),
      (error: unknown) => error instanceof RangeError,
    );
});

for (const [name, Library] of Object.entries({ standardwebhooks: StandardWebhook, svix: SvixWebhook })) {
  test(`the package ${name} verifies deliveries, with either secret during a rotation`, () => {
    const newest = createWebhookSecret(systemRandomness);
    const webhook = { ...present(), secrets: [newest, secret] };
    for (const one of webhook.secrets)
      assert.equal(
        new Library(one).verify(String(webhook.body), signWebhook(webhook)),
        JSON.parse(String(toSign.body)),
      );
    const stranger = new Library(createWebhookSecret(systemRandomness));
    assert.throws(() => stranger.verify(String(webhook.body), signWebhook(webhook)));
    assert.throws(() => new Library(secret).verify(`${String(webhook.body)} `, signWebhook(webhook)));
  });
}

test('a signature by the package standardwebhooks is accepted', () => {
  const date = new Date();
  const signature = new StandardWebhook(secret).sign(toSign.eventId, date, String(toSign.body));
  const headers = {
    'webhook-id': toSign.eventId,
    'webhook-timestamp': String(Math.floor(date.getTime() / 1000)),
    'webhook-signature': signature,
  };
  assert.is(verifyWebhook({ body: toSign.body, headers, secret }).id, toSign.eventId);
});

test.run();
