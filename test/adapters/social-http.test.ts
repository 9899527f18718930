// Requests to social networks: what is known after each failure, and that no error contains a secret.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type HttpSocialNetwork, httpSocial, type SocialRequest } from '../../adapters/kit/http-social.ts';
import { type OAuthCredentials, renewedCredentials, requestToken } from '../../adapters/kit/social-oauth.ts';
import { type Outgoing, OutgoingError, type OutgoingRequest, type OutgoingResponse } from '../../core/index.ts';
import { isSocialError, type SocialError } from '../../plugins/social/port/index.ts';

const test = suite('requests to social networks');

const now = Date.parse('2026-11-23T12:00:00Z');
const secret = 'a-secret-token-123';
const options = { signal: new AbortController().signal, now };

const answer = (status: number, body: unknown, headers: Record<string, string> = {}): OutgoingResponse => ({
  status,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  cut: false,
});

/** An `Outgoing` that gives this answer, and records its requests. */
function scriptedOutgoing(result: OutgoingResponse | Error): { outgoing: Outgoing; requests: OutgoingRequest[] } {
  const requests: OutgoingRequest[] = [];
  const never = async () => {
    throw new Error('not used');
  };
  const request = async (sent: OutgoingRequest) => {
    requests.push(sent);
    if (result instanceof Error) throw result;
    return result;
  };
  return { outgoing: { check: never, request, connect: never, close: never }, requests };
}

const network = (outgoing: Outgoing, more: Partial<HttpSocialNetwork> = {}) =>
  httpSocial({
    name: 'Pigeons',
    outgoing,
    secrets: () => [secret],
    errorMessage: ({ message }) => (typeof message === 'string' ? message : ''),
    ...more,
  });

const read: SocialRequest = { method: 'GET', url: 'https://api.pigeons.example/posts' };
const write: SocialRequest = { ...read, method: 'POST', json: { text: 'Coo' }, visible: true };

async function errorOf(work: Promise<unknown>): Promise<SocialError> {
  try {
    await work;
  } catch (error) {
    assert.ok(isSocialError(error), String(error));
    return error;
  }
  throw new Error('The request succeeded.');
}

test('before a visible write the lease is checked, and without the lease no request is made', async () => {
  const { outgoing, requests } = scriptedOutgoing(answer(200, {}));
  const requestsBeforeConfirm: number[] = [];
  const confirm = async () => void requestsBeforeConfirm.push(requests.length);
  await network(outgoing).call(read, { ...options, confirm });
  await network(outgoing).call(write, { ...options, confirm });
  assert.equal([requestsBeforeConfirm, requests.length], [[1], 2]);
  const loseLease = () => Promise.reject(new Error('Another process has it.'));
  const thrown = await network(outgoing)
    .call(write, { ...options, confirm: loseLease })
    .catch((error: unknown) => error);
  assert.is((thrown as Error).message, 'Another process has it.');
  assert.is(requests.length, 2);
});

test("an answer's status decides what is known, for reads and for visible writes", async () => {
  const statuses: readonly [number, string, string][] = [
    [302, 'transient', 'uncertain'],
    [400, 'rejected', 'rejected'],
    [401, 'disconnected', 'disconnected'],
    [403, 'rejected', 'rejected'],
    [404, 'rejected', 'rejected'],
    [408, 'transient', 'uncertain'],
    [422, 'rejected', 'rejected'],
    [429, 'limited', 'limited'],
    [500, 'transient', 'uncertain'],
    [503, 'transient', 'uncertain'],
  ];
  for (const [status, ofRead, ofWrite] of statuses) {
    const http = network(scriptedOutgoing(answer(status, { message: 'No.' })).outgoing);
    const faults = [await errorOf(http.call(read, options)), await errorOf(http.call(write, options))];
    assert.equal(
      faults.map(({ fault, message }) => [fault, message]),
      [
        [ofRead, 'No.'],
        [ofWrite, 'No.'],
      ],
      String(status),
    );
  }
});

test('a request without an answer is uncertain once a part of it was sent', async () => {
  const failures: readonly [Error, string, string][] = [
    [new OutgoingError('dns_failed', 'No address.'), 'transient', 'transient'],
    [new OutgoingError('connection_failed', 'Broken off.', { sent: true }), 'transient', 'uncertain'],
    [new OutgoingError('address_refused', 'Not public.'), 'rejected', 'rejected'],
    [new Error('The call was ended.'), 'transient', 'uncertain'],
  ];
  for (const [failure, ofRead, ofWrite] of failures) {
    const http = network(scriptedOutgoing(failure).outgoing);
    const faults = [await errorOf(http.call(read, options)), await errorOf(http.call(write, options))];
    assert.equal(
      faults.map(({ fault }) => fault),
      [ofRead, ofWrite],
      failure.message,
    );
  }
  const { outgoing, requests } = scriptedOutgoing(answer(200, {}));
  const abortedOptions = { ...options, signal: AbortSignal.abort() };
  assert.is((await errorOf(network(outgoing).call(write, abortedOptions))).fault, 'transient');
  assert.is(requests.length, 0);
});

test('a limit ends at the time that the network states', async () => {
  const after = network(scriptedOutgoing(answer(429, '', { 'retry-after': '120' })).outgoing);
  assert.is((await errorOf(after.call(read, options))).until, now + 120_000);
  const networkWithLimit = network(scriptedOutgoing(answer(429, '')).outgoing, {
    limitedUntil: (_answer, at) => at + 5_000,
  });
  assert.is((await errorOf(networkWithLimit.call(read, options))).until, now + 5_000);
  const silent = network(scriptedOutgoing(answer(429, '')).outgoing);
  assert.is((await errorOf(silent.call(read, options))).until, undefined);
  const networkWithoutLimit = network(scriptedOutgoing(answer(403, '', { 'retry-after': '120' })).outgoing);
  assert.is((await errorOf(networkWithoutLimit.call(read, options))).until, undefined);
});

test('no error contains a secret, whoever wrote the message', async () => {
  for (const result of [
    answer(400, { message: `The token ${secret} is of another app.` }),
    new OutgoingError('connection_failed', `${secret} broke off`, { sent: true }),
  ]) {
    const error = await errorOf(network(scriptedOutgoing(result).outgoing).call(write, options));
    assert.not.match(error.message, secret);
    assert.match(error.message, '[secret]');
  }
});

test('queries, forms and bodies are encoded correctly', async () => {
  const { outgoing, requests } = scriptedOutgoing(answer(200, {}));
  const http = network(outgoing, { headers: () => ({ authorization: `Bearer ${secret}` }) });
  await http.call({ ...read, query: { a: 'ü&b', none: undefined, count: 5 } }, options);
  await http.call({ ...read, method: 'POST', form: { text: 'a b', none: undefined } }, options);
  await http.call({ ...write, headers: { authorization: 'none' } }, options);
  assert.equal(
    requests.map(({ url, body = null, headers }) => [url, body, headers['content-type'], headers['authorization']]),
    [
      ['https://api.pigeons.example/posts?a=%C3%BC%26b&count=5', null, undefined, `Bearer ${secret}`],
      [read.url, 'text=a+b', 'application/x-www-form-urlencoded', `Bearer ${secret}`],
      [read.url, '{"text":"Coo"}', 'application/json', 'none'],
    ],
  );
});

test('a refused token refresh is distinguished from a failed one', async () => {
  const ask = (result: OutgoingResponse) =>
    requestToken({
      name: 'Pigeons',
      url: 'https://api.pigeons.example/token',
      outgoing: scriptedOutgoing(result).outgoing,
      signal: options.signal,
      form: { refresh_token: secret },
    }).catch((error: Error) => error);
  const refusedError = await ask(answer(400, { error: 'invalid_grant' }));
  assert.is((refusedError as Error).name, 'CredentialsRefused');
  for (const result of [answer(400, { error: 'invalid_client' }), answer(500, ''), answer(200, 'no JSON')]) {
    const failure = (await ask(result)) as Error;
    assert.is(failure.name, 'Error');
    assert.not.match(failure.message, secret);
  }
});

test('new tokens replace old tokens, and a refresh token stays valid if the network sends no new one', () => {
  const old: OAuthCredentials = { accessToken: 'a', refreshToken: 'r', expiresAt: 1 };
  assert.equal(renewedCredentials(old, { access_token: 'b', expires_in: 60 }, now), {
    accessToken: 'b',
    refreshToken: 'r',
    expiresAt: now + 60_000,
  });
  assert.equal(renewedCredentials(old, { access_token: 'b', refresh_token: 's' }, now), {
    accessToken: 'b',
    refreshToken: 's',
    expiresAt: undefined,
  });
});

test("a 2xx answer is a refusal if the network's rules say so, and a success otherwise", async () => {
  const refusal: HttpSocialNetwork['refusal'] = ({ fields }) =>
    fields['code'] === 7 ? { code: '7', fault: 'rejected' } : { code: 'none' };
  const refusedNetwork = network(scriptedOutgoing(answer(200, { code: 7, message: `No. ${secret}` })).outgoing, {
    refusal,
  });
  const error = await errorOf(refusedNetwork.call(write, options));
  assert.equal([error.fault, error.code, error.message.includes(secret)], ['rejected', '7', false]);
  const acceptedNetwork = network(scriptedOutgoing(answer(200, { code: 0, id: 'p1' })).outgoing, { refusal });
  assert.is((await acceptedNetwork.call(write, options)).fields['id'], 'p1');
});

test.run();
