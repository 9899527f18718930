// own-process: changes the environment variables of AWS
// Deliveries to providers' HTTP APIs: the shared suite against servers of the documented shape, and the meaning of each answer.

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { signAwsRequest } from '../../adapters/kit/aws-signature.ts';
import { httpMail } from '../../adapters/kit/http-mail.ts';
import { mailgunMail } from '../../adapters/mail/mailgun.ts';
import { postmarkMail } from '../../adapters/mail/postmark.ts';
import { resendMail } from '../../adapters/mail/resend.ts';
import { sendgridMail } from '../../adapters/mail/sendgrid.ts';
import { sesMail } from '../../adapters/mail/ses.ts';
import { OutgoingError } from '../../core/contract/ports/outgoing.ts';
import { isMailError, isNotTaken, type MailError } from '../../plugins/email/port/index.ts';
import { mailAdapterSuite, sampleMail, sampleSendOptions } from '../../plugins/email/testing/mail-suite.ts';
import {
  breaksOff,
  type MailApi,
  type MailApiResponse,
  mailApis,
  mailgunApi,
  postmarkApi,
  resendApi,
  sendgridApi,
  sesApi,
  startMailApi,
} from '../support/mail-apis.ts';
import { mailErrorOf } from '../support/smtp-mail-sink.ts';

const test = suite('mail over HTTP');

for (const api of mailApis)
  mailAdapterSuite(
    `${api.id}Mail`,
    () => startMailApi(api),
    (name, run) => test(name, run),
  );

async function faultOf(api: MailApi, answer: MailApiResponse | typeof breaksOff): Promise<MailError> {
  const { adapter, outgoing, dispose } = await startMailApi(api, [answer]);
  try {
    await adapter.send(sampleMail(), sampleSendOptions({ outgoing }));
  } catch (error) {
    assert.ok(isMailError(error), String(error));
    return error;
  } finally {
    await adapter.close();
    await dispose();
  }
  throw new Error('The message was accepted.');
}

const sesError = (status: number, type: string, message: string): MailApiResponse => ({
  status,
  headers: { 'x-amzn-errortype': `${type}:http://internal.amazon.com/` },
  body: { message },
});
const postmarkError = (status: number, ErrorCode: number, Message: string) => ({
  status,
  body: { ErrorCode, Message },
});
const sendgridError = (status: number, message: string, field: string | null = null) => ({
  status,
  body: { errors: [{ message, field, help: null }] },
});
const resendError = (statusCode: number, name: string, message: string) => ({
  status: statusCode,
  body: { statusCode, name, message },
});
const mailgunError = (status: number, message: string) => ({ status, body: { message } });

/** The meaning of a delivery error: recipient, message or service refused; retry later; perhaps delivered. */
const meaningOf = (error: MailError): string =>
  error.fault === 'bounced' ? 'recipient' : `${error.fault}${error.unavailable ? ', not taken' : ''}`;

const answers: readonly [MailApi, MailApiResponse, string][] = [
  [sesApi, sesError(429, 'TooManyRequestsException', 'Maximum sending rate exceeded.'), 'transient, not taken'],
  [sesApi, sesError(400, 'LimitExceededException', 'Daily message quota exceeded.'), 'transient, not taken'],
  [sesApi, sesError(400, 'SendingPausedException', 'Sending is paused.'), 'transient, not taken'],
  [sesApi, sesError(400, 'AccountSuspendedException', 'Your account is suspended.'), 'transient, not taken'],
  [sesApi, sesError(403, 'InvalidClientTokenId', 'The security token is invalid.'), 'transient, not taken'],
  [sesApi, sesError(400, 'MessageRejected', 'Email address is not verified.'), 'rejected, not taken'],
  [sesApi, sesError(400, 'MessageRejected', 'Transaction failed: Virus.'), 'rejected'],
  [sesApi, sesError(500, 'InternalFailure', 'Unknown error.'), 'transient'],
  [postmarkApi, postmarkError(422, 406, 'You tried to send to a recipient that is inactive.'), 'recipient'],
  [postmarkApi, postmarkError(422, 300, "Invalid 'To' address: 'ada@example.net'."), 'recipient'],
  [postmarkApi, postmarkError(422, 300, "Invalid 'From' address."), 'rejected'],
  [postmarkApi, postmarkError(401, 10, 'No Account or Server API tokens were supplied.'), 'transient, not taken'],
  [postmarkApi, postmarkError(422, 412, 'The account is pending.'), 'transient, not taken'],
  [postmarkApi, postmarkError(422, 400, 'The Sender Signature was not found.'), 'rejected, not taken'],
  [postmarkApi, postmarkError(200, 406, 'You tried to send to a recipient that is inactive.'), 'recipient'],
  [postmarkApi, postmarkError(200, 413, 'You may not send.'), 'transient, not taken'],
  [postmarkApi, postmarkError(429, 429, 'Rate limit exceeded.'), 'transient, not taken'],
  [postmarkApi, postmarkError(503, 100, 'Maintenance'), 'transient, not taken'],
  [postmarkApi, { status: 500, body: '<h1>Error</h1>' }, 'transient'],
  [sendgridApi, sendgridError(400, 'Does not contain a valid address.', 'personalizations.0.to.0.email'), 'recipient'],
  [sendgridApi, sendgridError(400, 'The subject is required.', 'subject'), 'rejected'],
  [sendgridApi, sendgridError(401, 'The provided authorization grant is invalid.'), 'transient, not taken'],
  [sendgridApi, sendgridError(403, 'Your account is under review.'), 'transient, not taken'],
  [sendgridApi, sendgridError(402, 'Maximum credits exceeded'), 'transient, not taken'],
  [sendgridApi, sendgridError(403, 'The from address does not match a verified Sender.'), 'rejected, not taken'],
  [sendgridApi, sendgridError(429, 'too many requests'), 'transient, not taken'],
  [sendgridApi, { status: 503 }, 'transient'],
  [sendgridApi, { status: 500 }, 'transient'],
  [resendApi, resendError(422, 'validation_error', 'Invalid `to` field.'), 'recipient'],
  [resendApi, resendError(422, 'invalid_attachment', 'Attachment must have either content or path.'), 'rejected'],
  [resendApi, resendError(403, 'invalid_api_key', 'API key is invalid.'), 'transient, not taken'],
  [resendApi, resendError(403, 'validation_error', 'The acme.example domain is not verified.'), 'rejected, not taken'],
  [resendApi, resendError(429, 'daily_quota_exceeded', 'You have reached your daily quota.'), 'transient, not taken'],
  [resendApi, resendError(409, 'concurrent_idempotent_requests', 'In progress.'), 'transient'],
  [resendApi, resendError(500, 'application_error', 'An unexpected error occurred.'), 'transient'],
  [mailgunApi, mailgunError(400, "'to' parameter is not a valid address. please check documentation"), 'recipient'],
  [mailgunApi, mailgunError(400, 'message is too large'), 'rejected'],
  [mailgunApi, { status: 401, body: 'Forbidden' }, 'transient, not taken'],
  [mailgunApi, mailgunError(404, 'Domain not found: mg.example.com'), 'transient, not taken'],
  [mailgunApi, mailgunError(429, 'Too many requests'), 'transient, not taken'],
  [mailgunApi, { status: 502, body: '<html></html>' }, 'transient'],
];

for (const [api, answer, meaning] of answers) {
  const errorText =
    answer.headers?.['x-amzn-errortype'] ?? (typeof answer.body === 'string' ? '' : JSON.stringify(answer.body ?? ''));
  test(`${api.id}: ${answer.status} ${errorText.slice(0, 80)} means: ${meaning}`, async () => {
    const error = await faultOf(api, answer);
    assert.is(meaningOf(error), meaning);
    assert.is(error.bounce?.class, error.fault === 'transient' ? 'soft' : 'undetermined');
    assert.ok(error.message !== '' && error.message === error.bounce?.diagnostic);
  });
}

for (const api of mailApis) {
  test(`${api.id}: if the connection breaks, it is unknown whether the provider took the message`, async () => {
    const error = await faultOf(api, breaksOff);
    assert.equal([error.fault, isNotTaken(error)], ['transient', false]);
  });

  test(`${api.id}: if the connection is refused, the message was not delivered`, async () => {
    const { adapter, outgoing, dispose } = await startMailApi(api);
    await dispose();
    const error = await adapter.send(sampleMail(), sampleSendOptions({ outgoing })).catch((fault: unknown) => fault);
    assert.ok(isMailError(error));
    assert.equal([error.fault, error.unavailable], ['transient', true]);
  });

  test(`${api.id}: the error has the wait that the answer asks for, and no secret`, async () => {
    const body = { message: api.secret, Message: api.secret, errors: [{ message: api.secret }] };
    const error = await faultOf(api, { status: 429, headers: { 'retry-after': '90' }, body });
    assert.is(error.retryAfterMs, 90_000);
    assert.not.match(`${error.stack} ${JSON.stringify(error)}`, api.secret);
  });
}

test('a URL that the service never calls is refused permanently and is not retried for hours', async () => {
  const refuse = async (): Promise<never> => {
    throw new OutgoingError('url_refused', 'api.example may be called only over https: begin the URL with https://.');
  };
  const adapter = postmarkMail({ serverToken: 'key', url: 'http://api.example' });
  const outgoing = { check: refuse, request: refuse, connect: refuse, close: async () => undefined };
  const error = await adapter.send(sampleMail(), sampleSendOptions({ outgoing })).catch((fault: unknown) => fault);
  assert.ok(isMailError(error));
  assert.equal([error.fault, /only over https/.test(error.message)], ['rejected', true]);
});

test('an invalid option is refused at once', () => {
  const wrong = [
    () => postmarkMail({ serverToken: '' }),
    () => sendgridMail({ apiKey: 'a\nb' }),
    () => resendMail({ apiKey: 'key', url: 'none' }),
    () => mailgunMail({ apiKey: 'key', domain: '../x' }),
    () => sesMail({ region: 'Europe', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } }),
    () => postmarkMail({ serverToken: 'key', timeoutMs: 0 }),
  ];
  for (const make of wrong) assert.throws(make, (error: unknown) => error instanceof TypeError);
});

// AWS's test suite for Signature Version 4: every case has the same key, time, region and service.
const vectors: readonly [
  name: string,
  method: string,
  path: string,
  Record<string, string>,
  body: string,
  signature: string,
][] = [
  ['post-vanilla', 'POST', '/', {}, '', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  [
    'post-vanilla-query',
    'POST',
    '/?Param1=value1',
    {},
    '',
    '28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11',
  ],
  [
    'get-vanilla-query-order-key-case',
    'GET',
    '/?Param2=value2&Param1=value1',
    {},
    '',
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  [
    'post-header-value-case',
    'POST',
    '/',
    { 'My-Header1': 'VALUE1' },
    '',
    'cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d',
  ],
  [
    'get-header-value-trim',
    'GET',
    '/',
    { 'My-Header1': ' value1', 'My-Header2': ' "a   b   c"' },
    '',
    'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
  ],
  [
    'post-x-www-form-urlencoded',
    'POST',
    '/',
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    'Param1=value1',
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
];

for (const [name, method, path, headers, body, signature] of vectors) {
  test(`signature of AWS: ${name}`, () => {
    const signedRequest = signAwsRequest(
      {
        method,
        url: `https://example.amazonaws.com${path}`,
        headers,
        body,
        region: 'us-east-1',
        service: 'service',
        now: Date.UTC(2015, 7, 30, 12, 36),
      },
      { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
    );
    assert.is(signedRequest['authorization']?.split('Signature=')[1], signature);
  });
}

test('signature of AWS: the token of temporary keys is sent and signed', async () => {
  const credentials = async () => ({ accessKeyId: 'AKID', secretAccessKey: 'key', sessionToken: 'session-token' });
  const signedRequest = signAwsRequest(
    { method: 'POST', url: 'https://example.com/', headers: {}, body: '', region: 'r', service: 's', now: 0 },
    await credentials(),
  );
  assert.is(signedRequest['x-amz-security-token'], 'session-token');
  assert.match(signedRequest['authorization'] ?? '', 'SignedHeaders=host;x-amz-date;x-amz-security-token,');
  const api = { ...sesApi, connect: (url: string) => sesMail({ region: 'eu-west-1', credentials, url }) };
  const body = { message: 'The canonical request was POST x-amz-security-token:session-token' };
  const error = await faultOf({ ...api, read: () => sampleMail() as never }, { status: 403, body });
  assert.not.match(error.message, 'session-token');
});

test('SES reads the region and the current key from the environment, for each message', async () => {
  const names = ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const;
  const before = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) delete process.env[name];
  try {
    assert.throws(() => sesMail({}), /^sesMail: `region` is missing, and the environment has no AWS_REGION/);
    process.env['AWS_REGION'] = 'eu-west-1';
    const seenRegions: string[] = [];
    const { adapter, outgoing, dispose } = await startMailApi({ ...sesApi, connect: (url) => sesMail({ url }) });
    const request: typeof outgoing.request = (input) => {
      seenRegions.push(String(input.headers['authorization']), String(input.headers['x-amz-security-token']));
      return outgoing.request(input);
    };
    const send = () => adapter.send(sampleMail(), sampleSendOptions({ outgoing: { ...outgoing, request } }));
    const missingKey = await send().catch((error: unknown) => error);
    assert.match(String((missingKey as Error).cause), /sesMail has no credentials: set AWS_ACCESS_KEY_ID/);
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'AKIDONE', AWS_SECRET_ACCESS_KEY: 'one', AWS_SESSION_TOKEN: 't1' });
    await send().catch(() => undefined);
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'AKIDTWO', AWS_SECRET_ACCESS_KEY: 'two', AWS_SESSION_TOKEN: 't2' });
    await send().catch(() => undefined);
    assert.match(seenRegions[0] ?? '', /Credential=AKIDONE\/\d+\/eu-west-1\/ses/);
    assert.match(seenRegions[2] ?? '', /Credential=AKIDTWO/);
    assert.equal([seenRegions[1], seenRegions[3]], ['t1', 't2']);
    await adapter.close();
    await dispose();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
});

test("a refusal with status 200 and a code in the body reaches the kit's refusal, in send and in verify", async () => {
  const meanings = {
    21: 'recipient',
    22: 'message',
    23: 'sender',
    24: 'service',
    25: 'credentials',
    26: 'busy',
  } as const;
  const { signal } = sampleSendOptions();
  const adapterAnswered = (body: object) => {
    const outgoing = {
      ...sampleSendOptions().outgoing,
      request: async () => ({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)), cut: false }),
    };
    const adapter = httpMail({
      id: 'pigeon',
      secrets: ['s3cret'],
      request: () => ({ url: 'https://pigeon.example/send', headers: {}, body: '{}' }),
      check: () => ({ method: 'GET', url: 'https://pigeon.example/me', headers: {} }),
      receipt: ({ fields }) => String(fields['id']),
      errorMessage: (fields) => String(fields['text'] ?? ''),
      refusal: ({ fields }) => meanings[fields['error'] as keyof typeof meanings],
    });
    return {
      send: () => adapter.send(sampleMail(), sampleSendOptions({ outgoing })),
      verify: async () => adapter.verify?.(signal, { outgoing }),
    };
  };
  const seenErrors: Record<string, string> = {};
  for (const code of Object.keys(meanings)) {
    const { send, verify } = adapterAnswered({ error: Number(code), text: 'No, s3cret.' });
    const error = await mailErrorOf(send());
    assert.is(error.message, 'No, [secret].');
    assert.is((await mailErrorOf(verify())).fault, error.fault);
    seenErrors[code] = `${meaningOf(error)}${error.credentialsRefused ? ', key refused' : ''}`;
  }
  assert.equal(seenErrors, {
    21: 'recipient',
    22: 'rejected',
    23: 'rejected, not taken',
    24: 'transient, not taken',
    25: 'transient, not taken, key refused',
    26: 'transient, not taken',
  });
  const acceptingAdapter = adapterAnswered({ error: 0, id: 'p1' });
  assert.is((await acceptingAdapter.send()).providerMessageId, 'p1');
  await acceptingAdapter.verify();
});

test.run();
