// Deliveries to Twilio and Vonage against strict local servers of the documented shape: the shared suite, the meaning of refusals, and
// which reports are accepted.
import { createHash, createHmac } from 'node:crypto';
import twilio from 'twilio';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { captureSms } from '../../adapters/sms/capture.ts';
import type { twilioSms } from '../../adapters/sms/twilio.ts';
import type { vonageSms } from '../../adapters/sms/vonage.ts';
import { isSmsError, isSmsReportRefused, type SmsAdapter, type SmsError } from '../../plugins/sms/port/index.ts';
import { sampleSms, sampleSmsOptions, smsAdapterSuite } from '../../plugins/sms/testing/index.ts';
import { type SmsApi, type SmsApiResponse, startSmsApi, twilioApi, vonageApi } from '../support/sms-apis.ts';

const test = suite('SMS over HTTP');

for (const api of [twilioApi, vonageApi])
  smsAdapterSuite(
    `${api.id}Sms`,
    () => startSmsApi(api),
    (name, run) => test(name, run),
  );
smsAdapterSuite(
  'captureSms',
  async () => {
    const adapter = captureSms();
    const received = async () =>
      adapter
        .messages()
        .map(({ to, body }) => ({ to, body }))
        .toReversed();
    return { adapter, received, dispose: async () => undefined };
  },
  (name, run) => test(name, run),
);

async function faultOf(api: SmsApi, answer: SmsApiResponse): Promise<SmsError> {
  const { adapter, outgoing, dispose } = await startSmsApi(api, [answer]);
  try {
    await adapter.send(sampleSms(), sampleSmsOptions({ outgoing }));
  } catch (error) {
    assert.ok(isSmsError(error), String(error));
    return error;
  } finally {
    await dispose();
  }
  throw new Error('The message was accepted.');
}

const refusals: readonly [SmsApi, number, object | string, string][] = [
  [twilioApi, 400, { code: 21211, message: "Invalid 'To' Phone Number", status: 400 }, 'refused invalid_number 21211'],
  [twilioApi, 400, { code: 21610, message: 'Attempt to send to unsubscribed recipient' }, 'refused opted_out 21610'],
  [twilioApi, 400, { code: 21614, message: "'To' number is not a valid mobile number" }, 'refused landline 21614'],
  [
    twilioApi,
    400,
    { code: 21408, message: 'Permission to send an SMS has not been enabled' },
    'refused not_permitted 21408',
  ],
  [twilioApi, 401, { code: 20003, message: 'Authenticate' }, 'refused account 20003'],
  [twilioApi, 429, { code: 20429, message: 'Too Many Requests' }, 'busy unknown 20429'],
  [twilioApi, 500, '<h1>Error</h1>', 'unknown unknown '],
  [twilioApi, 503, '', 'unknown unknown '],
  [vonageApi, 401, { title: 'Unauthorized', detail: 'You did not provide correct credentials.' }, 'refused account '],
  [vonageApi, 422, { title: '1120', detail: 'Illegal Sender Address' }, 'refused sender 1120'],
  [vonageApi, 422, { title: 'Invalid params', invalid_parameters: [{ name: 'to' }] }, 'refused invalid_number '],
  [vonageApi, 429, { title: 'Rate Limit Hit' }, 'busy unknown '],
  [vonageApi, 500, { title: 'Internal error' }, 'unknown unknown '],
];

for (const [api, status, body, meaning] of refusals)
  test(`${api.id}: ${status} ${JSON.stringify(body).slice(0, 60)} means ${meaning}`, async () => {
    const { fault, reason, code = '' } = await faultOf(api, { status, body });
    assert.is(`${fault} ${reason} ${code}`, meaning);
  });

test('if the connection breaks after the request was sent, the outcome is unknown', async () => {
  for (const api of [twilioApi, vonageApi]) assert.is((await faultOf(api, { breaksOff: true })).fault, 'unknown');
});

test('no error repeats a secret', async () => {
  const { message } = await faultOf(twilioApi, {
    status: 400,
    body: { message: `The token ${twilioApi.secret} is bad.` },
  });
  assert.not.ok(message.includes(twilioApi.secret));
});

const isRefused = async (adapter: SmsAdapter, request: Parameters<NonNullable<SmsAdapter['reports']>['read']>[0]) =>
  adapter.reports?.read(request).then(
    () => false,
    (error: unknown) => isSmsReportRefused(error),
  );

test('Twilio: a report is accepted only with the signature of its public URL and body', async () => {
  const adapter = twilioApi.make('https://api.twilio.com') as ReturnType<typeof twilioSms>;
  const url = 'https://app.example.com/inbound/sms/twilio?workspace=ws_1&sms=sms_1';
  const form = { MessageSid: 'SM1', MessageStatus: 'undelivered', ErrorCode: '30007', From: '+12025550100' };
  const signature = twilio.getExpectedTwilioSignature(twilioApi.secret, url, form);
  const body = Buffer.from(new URLSearchParams(form).toString());
  const request = { headers: { 'x-twilio-signature': signature }, body, url, now: 0 };
  assert.equal(await adapter.reports?.read(request), [
    { kind: 'status', providerMessageId: 'SM1', status: 'undelivered', code: '30007', reason: 'content' },
  ]);
  assert.ok(await isRefused(adapter, { ...request, url: url.replace('sms_1', 'sms_2') }));
  assert.ok(await isRefused(adapter, { ...request, body: Buffer.from(`${body}&ErrorCode=30005`) }));
  assert.ok(await isRefused(adapter, { ...request, headers: {} }));
});

test('Vonage: a report is accepted only with a token of its body, signed with the signature secret', async () => {
  const adapter = vonageApi.make('https://api.nexmo.com') as ReturnType<typeof vonageSms>;
  const report = { message_uuid: 'u1', status: 'delivered', client_ref: 'sms_1', channel: 'sms' };
  const body = Buffer.from(JSON.stringify(report));
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const tokenOf = (secret: string, alg = 'HS256') => {
    const hash = createHash('sha256').update(body).digest('hex');
    const signedPart = `${part({ alg, typ: 'JWT' })}.${part({ iat: 1_000, payload_hash: hash })}`;
    return `Bearer ${signedPart}.${createHmac('sha256', secret).update(signedPart).digest('base64url')}`;
  };
  const request = (authorization: string) => ({ headers: { authorization }, body, url: '', now: 1_000_000 });
  assert.equal(await adapter.reports?.read(request(tokenOf(vonageApi.secret))), [
    { kind: 'status', providerMessageId: 'u1', smsId: 'sms_1', status: 'delivered' },
  ]);
  assert.ok(await isRefused(adapter, request(tokenOf('another secret'))));
  assert.ok(await isRefused(adapter, request(tokenOf(vonageApi.secret, 'none'))));
  assert.ok(await isRefused(adapter, { ...request(tokenOf(vonageApi.secret)), body: Buffer.from('{}') }));
  assert.ok(await isRefused(adapter, { ...request(tokenOf(vonageApi.secret)), now: 200_000_000 }));
});

test.run();
