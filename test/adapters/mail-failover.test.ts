// Several mail providers: the provider that takes a message, and the reasons to skip a provider.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { captureMail } from '../../adapters/mail/capture.ts';
import { failoverMail } from '../../adapters/mail/failover.ts';
import { isMailError, type MailAdapter, MailError } from '../../plugins/email/port/index.ts';
import { sampleMail, sampleSendOptions } from '../../plugins/email/testing/mail-suite.ts';
import { breaksOff, type MailApiResponse, postmarkApi, sendgridApi, startMailApi } from '../support/mail-apis.ts';

const test = suite('failover between mail providers');
const busy: MailApiResponse = { status: 429, body: { ErrorCode: 429, Message: 'Rate limit exceeded.' } };

/** Postmark first, then SendGrid, with a clock that the test sets. */
async function startPair(
  first: (MailApiResponse | typeof breaksOff)[],
  second: (MailApiResponse | typeof breaksOff)[] = [],
) {
  const one = await startMailApi(postmarkApi, first);
  const secondServer = await startMailApi(sendgridApi, second);
  const time = { now: 0 };
  const adapter = failoverMail([one.adapter, secondServer.adapter], {
    failures: 2,
    pauseMs: 1_000,
    now: () => time.now,
  });
  return {
    one,
    other: secondServer,
    time,
    requests: () => [one.requests(), secondServer.requests()],
    /** Sends a message. Returns the provider that took it, or the fault. */
    async send() {
      try {
        return (await adapter.send(sampleMail(), sampleSendOptions({ outgoing: one.outgoing }))).provider;
      } catch (error) {
        return isMailError(error) ? error.fault : String(error);
      }
    },
    async end() {
      await adapter.close();
      await one.dispose();
      await secondServer.dispose();
    },
  };
}

test('while the first provider works, it takes every message', async () => {
  const { send, requests, end } = await startPair([]);
  assert.equal([await send(), await send()], ['postmark', 'postmark']);
  assert.equal(requests(), [2, 0]);
  await end();
});

test('the next provider is used after a limit, a refusal of service, or if no server answers', async () => {
  const { one, send, requests, end } = await startPair([
    busy,
    { status: 401, body: { ErrorCode: 10, Message: 'Bad token' } },
  ]);
  assert.equal([await send(), await send()], ['sendgrid', 'sendgrid']);
  assert.equal(requests(), [2, 2]);
  await end();
  const second = await startPair([]);
  await second.one.dispose();
  assert.is(await second.send(), 'sendgrid');
  assert.is(one.requests(), 2);
  await second.other.dispose();
});

test('if the first provider may have taken the message, the next provider is not used', async () => {
  for (const answer of [breaksOff, { status: 500 }] as const) {
    const { send, requests, end } = await startPair([answer]);
    assert.is(await send(), 'transient');
    assert.equal(requests(), [1, 0]);
    await end();
  }
});

test('if the first provider refuses the message or its recipient, the next provider is not used', async () => {
  const { send, requests, end } = await startPair([
    { status: 422, body: { ErrorCode: 406, Message: 'Inactive recipient' } },
    { status: 422, body: { ErrorCode: 300, Message: 'Too large' } },
  ]);
  assert.equal([await send(), await send()], ['bounced', 'rejected']);
  assert.equal(requests(), [2, 0]);
  await end();
});

test('a provider that keeps failing is skipped for a while, then tried with one message', async () => {
  const { send, time, requests, end } = await startPair([busy, busy, busy]);
  await send();
  await send();
  assert.equal(requests(), [2, 2]);
  await send();
  assert.equal(requests(), [2, 3], 'the first provider is skipped');
  time.now = 1_001;
  assert.is(await send(), 'sendgrid');
  assert.equal(requests(), [3, 4], 'the first provider was tried, and is skipped again');
  await send();
  assert.equal(requests(), [3, 5]);
  time.now = 2_100;
  assert.equal([await send(), await send()], ['postmark', 'postmark']);
  await end();
});

test('a provider that asks for a wait is skipped at once, for that time', async () => {
  const { send, time, requests, end } = await startPair([{ ...busy, headers: { 'retry-after': '60' } }]);
  await send();
  time.now = 59_000;
  await send();
  assert.equal(requests(), [1, 2]);
  time.now = 60_001;
  assert.is(await send(), 'postmark');
  await end();
});

test('a message waits if every provider is skipped', async () => {
  const { one, other, send, end } = await startPair([busy, busy], [{ status: 429 }, { status: 429 }]);
  assert.equal([await send(), await send(), await send()], ['transient', 'transient', 'transient']);
  assert.equal([one.requests(), other.requests()], [2, 2]);
  await end();
});

test('a message is refused permanently only if every provider refuses its sender', async () => {
  const unknownSender: MailApiResponse = {
    status: 422,
    body: { ErrorCode: 400, Message: 'Sender signature not found.' },
  };
  const unverified = { errors: [{ message: 'The from address does not match a verified Sender.', field: 'from' }] };
  const refusedSender: MailApiResponse = { status: 403, body: unverified };
  const both = await startPair([unknownSender], [refusedSender]);
  assert.is(await both.send(), 'rejected');
  await both.end();
  for (const status of [401, 402, 403, 429]) {
    const one = await startPair([unknownSender], [{ status }]);
    assert.is(await one.send(), 'transient');
    await one.end();
  }
});

test('a provider that refuses the key or the account is skipped', async () => {
  for (const status of [401, 402, 403, 429]) {
    const { send, requests, end } = await startPair([{ status }, { status }]);
    assert.equal([await send(), await send(), await send()], ['sendgrid', 'sendgrid', 'sendgrid'], String(status));
    assert.equal(requests(), [2, 3], String(status));
    await end();
  }
});

test('failover needs two different adapters, and combines their reserved headers', async () => {
  const named = (id: string, reserved: string[]): MailAdapter => ({
    ...captureMail(),
    id,
    reservedHeaders: reserved,
    async send() {
      throw new MailError('rejected', 'No.');
    },
  });
  assert.throws(() => failoverMail([captureMail()]), /two adapters/);
  const sameAdapter = captureMail();
  assert.throws(() => failoverMail([sameAdapter, sameAdapter]), /listed twice/);
  assert.throws(() => failoverMail([named('a', []), named('b', [])], { failures: 0 }), /failures/);
  assert.equal(failoverMail([named('a', ['X-A']), named('b', ['X-B'])]).reservedHeaders, ['X-A', 'X-B']);
});

test.run();
