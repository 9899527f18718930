// Connectors of the five providers with an API: mail leaves with the tenant's key, mail waits after a refused key, a connector can be
// tested, and a planted key is in no answer, log line, row or error.
// full-run: slow
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { mailgunConnector } from '../../adapters/mail/mailgun-connector.ts';
import { postmarkConnector } from '../../adapters/mail/postmark-connector.ts';
import { resendConnector } from '../../adapters/mail/resend-connector.ts';
import { sendgridConnector } from '../../adapters/mail/sendgrid-connector.ts';
import { sesConnector } from '../../adapters/mail/ses-connector.ts';
import type { ConnectorProvider } from '../../plugins/connectors/port/index.ts';
import { findSecrets, type Haystack } from '../core/secret-search.ts';
import { type ConnectorBench, openConnectorBench } from '../support/connector-bench.ts';
import { twoDatabases } from '../support/databases.ts';

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** A provider as its documentation describes it: the requests that it accepts, and its response to a wrong key. */
interface Provider {
  readonly id: string;
  make(url: string): ConnectorProvider;
  credentials(key: string): object;
  readonly options: object;
  /** The key that a request shows. For SES it is the access key, because the secret is never sent. */
  keyOf(request: IncomingMessage): string;
  readonly checkRequest: string;
  readonly checkResponse: Answer;
  readonly sendRequest: string;
  readonly sendResponse: Answer;
  /** The response that refuses a key. It repeats the key, to test that the service shows it nowhere. */
  refusalOf(key: string): Answer;
}

const bearer = ({ headers }: IncomingMessage): string => (headers.authorization ?? '').replace('Bearer ', '');

const providerSpecs: readonly Provider[] = [
  {
    id: 'postmark',
    make: (url) => postmarkConnector({ url }),
    credentials: (serverToken) => ({ serverToken }),
    options: { messageStream: 'outbound' },
    keyOf: ({ headers }) => String(headers['x-postmark-server-token']),
    checkRequest: 'GET /server',
    checkResponse: { status: 200, body: { ID: 1, Name: 'Server' } },
    sendRequest: 'POST /email',
    sendResponse: { status: 200, body: { MessageID: 'pm-1', ErrorCode: 0 } },
    refusalOf: (key) => ({ status: 401, body: { ErrorCode: 10, Message: `Bad token ${key}` } }),
  },
  {
    id: 'sendgrid',
    make: (url) => sendgridConnector({ url }),
    credentials: (apiKey) => ({ apiKey }),
    options: {},
    keyOf: bearer,
    checkRequest: 'GET /v3/scopes',
    checkResponse: { status: 200, body: { scopes: ['mail.send'] } },
    sendRequest: 'POST /v3/mail/send',
    sendResponse: { status: 202, headers: { 'x-message-id': 'sg-1' } },
    refusalOf: (key) => ({
      status: 401,
      body: { errors: [{ message: `authorization required ${key}`, field: null }] },
    }),
  },
  {
    id: 'resend',
    make: (url) => resendConnector({ url }),
    credentials: (apiKey) => ({ apiKey }),
    options: {},
    keyOf: bearer,
    checkRequest: 'GET /domains',
    // This key may only send.
    checkResponse: {
      status: 401,
      body: { name: 'restricted_api_key', message: 'This API key is restricted to only send' },
    },
    sendRequest: 'POST /emails',
    sendResponse: { status: 200, body: { id: 're-1' } },
    refusalOf: (key) => ({ status: 403, body: { name: 'invalid_api_key', message: `API key ${key} is invalid` } }),
  },
  {
    id: 'mailgun',
    make: (url) => mailgunConnector({ url }),
    credentials: (apiKey) => ({ apiKey }),
    options: { domain: 'mg.example.com' },
    keyOf: ({ headers }) =>
      Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64')
        .toString()
        .replace(/^api:/, ''),
    checkRequest: 'POST /v3/mg.example.com/messages.mime',
    checkResponse: { status: 400, body: { message: "'to' parameter is missing" } },
    sendRequest: 'POST /v3/mg.example.com/messages.mime',
    sendResponse: { status: 200, body: { id: '<mg-1@mg.example.com>', message: 'Queued. Thank you.' } },
    refusalOf: (key) => ({ status: 401, body: { message: `Forbidden ${key}` } }),
  },
  {
    id: 'ses',
    make: (url) => sesConnector({ url }),
    credentials: (key) => ({ accessKeyId: key, secretAccessKey: `${key}/secret` }),
    options: { region: 'eu-west-1' },
    keyOf: ({ headers }) => /Credential=([^/]+)\//.exec(headers.authorization ?? '')?.[1] ?? '',
    checkRequest: 'GET /v2/email/account',
    checkResponse: {
      status: 403,
      headers: { 'x-amzn-errortype': 'AccessDeniedException' },
      body: { message: 'not allowed' },
    },
    sendRequest: 'POST /v2/email/outbound-emails',
    sendResponse: { status: 200, body: { MessageId: 'ses-1' } },
    refusalOf: (key) => ({
      status: 403,
      headers: { 'x-amzn-errortype': 'UnrecognizedClientException' },
      body: { message: `The security token ${key} is invalid` },
    }),
  },
];

await twoDatabases('connectors of providers', (test, database) => {
  let bench: ConnectorBench;
  let server: Server;
  /** `provider method path`, in order. */
  const requests: string[] = [];
  const rightKey = (id: string) => `PLANTED-right-${id}-70412`;
  const wrongKey = (id: string) => `PLANTED-wrong-${id}-91527`;
  let isDown = false;

  test.before(async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const [, id = '', ...rest] = (request.url ?? '').split('/');
      const provider = providerSpecs.find((one) => one.id === id);
      const line = `${request.method} /${rest.join('/')}`;
      requests.push(`${id} ${line}`);
      if (provider === undefined || isDown) return request.socket.destroy();
      const key = provider.keyOf(request);
      const isCheck = line === provider.checkRequest && (line !== provider.sendRequest || chunks.length === 0);
      const expected = isCheck
        ? provider.checkResponse
        : line === provider.sendRequest
          ? provider.sendResponse
          : { status: 404 };
      const answer: Answer = key === rightKey(id) ? expected : provider.refusalOf(key);
      response.writeHead(answer.status, answer.headers);
      return response.end(JSON.stringify(answer.body ?? {}));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const providers = providerSpecs.map(({ id, make }) => make(`http://127.0.0.1:${port}/${id}`));
    bench = await openConnectorBench(database, { providers });
  });
  test.after(async () => {
    await bench.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const answers: Haystack[] = [];
  const note = <T>(name: string, value: T): T => {
    answers.push([name, value]);
    return value;
  };

  for (const { id, credentials, options, checkRequest: check, sendRequest: send } of providerSpecs)
    test(`${id}: mail waits while the key is wrong and is delivered with the right key, and both keys can be tested`, async () => {
      const { service, workspaceId } = bench;
      const { connectors } = service;
      const key = `mail-${id}`;
      await bench.publish(key);
      const connector = { kind: 'mail' as const, provider: id, name: id, options, uses: { templates: [key] } };
      const created = note(
        'create',
        await connectors.create(workspaceId, { ...connector, credentials: credentials(wrongKey(id)) }),
      );
      const refusal = note('test', await connectors.test(workspaceId, created.id));
      assert.is(refusal.outcome, 'refused', refusal.text);
      assert.match(refusal.text, /connectors\.update/);
      assert.is(requests.at(-1), `${id} ${check}`);
      const { body } = await bench.send(key, { to: `${id}@example.org`, variables: { name: 'Ada' } });
      await bench.drain();
      note('send', await bench.readSend(body.id));
      assert.equal([(await bench.readSend(body.id)).status, requests.at(-1)], ['delivery_delayed', `${id} ${send}`]);
      const list = note('list', (await bench.request('/v1/connectors')).body.data);
      assert.is(list.find((row: { id: string }) => row.id === created.id).status, 'revoked');
      const before = requests.length;
      assert.is((await connectors.test(workspaceId, created.id)).outcome, 'refused');
      assert.is(requests.length, before, 'a revoked key was tried again');
      note('update', await connectors.update(workspaceId, created.id, { credentials: credentials(rightKey(id)) }));
      assert.equal(await connectors.test(workspaceId, created.id), {
        outcome: 'works',
        text: `${id} accepts the credentials.`,
      });
      isDown = true;
      const down = note('down', await connectors.test(workspaceId, created.id));
      isDown = false;
      assert.is(down.outcome, 'unreachable', down.text);
      bench.advanceClock(60_000);
      await bench.drain();
      assert.equal([(await bench.readSend(body.id)).status, requests.at(-1)], ['sent', `${id} ${send}`]);
      assert.is((await bench.readSend(body.id)).connectorProvider, id);
      const invalid = await connectors
        .create(workspaceId, {
          ...connector,
          uses: {},
          credentials: { ...credentials(rightKey(id)), more: rightKey(id) },
        })
        .catch((error: unknown) => error);
      note('a refused field', invalid);
    });

  test('no planted key is in an answer, a log line, a row or an error', async () => {
    for (const path of [
      '/v1/connectors',
      '/v1/connectors/catalog',
      '/v1/audit?limit=100',
      '/v1/sends',
      '/v1/sends?limit=50',
    ])
      note(path, (await bench.request(path)).bytes);
    note('the log', bench.logged.join('\n'));
    const { core } = bench.service;
    const db = await core.database();
    for (const table of core.registry.tables.keys()) {
      const { rows } = await db.driver.read((connection) =>
        connection.query({ sql: `select * from ${db.prefix}${table}`, parameters: [] }),
      );
      for (const row of rows) for (const [name, value] of Object.entries(row)) note(`${table}.${name}`, value);
    }
    const secrets = Object.fromEntries(
      providerSpecs.flatMap(({ id }) => [
        [`right ${id}`, rightKey(id)],
        [`wrong ${id}`, wrongKey(id)],
      ]),
    );
    assert.ok(answers.length > 500, 'the test did not search the rows');
    assert.equal(findSecrets(answers, secrets), []);
    assert.ok(findSecrets([['a leak', `..${rightKey('ses')}..`]], secrets).length > 0);
  });

  test("another workspace's connector cannot be tested", async () => {
    const [row] = await bench.service.connectors.list(bench.workspaceId);
    const error = await bench.service.connectors
      .test(bench.foreignWorkspaceId, row?.id ?? '')
      .catch((fault: unknown) => fault);
    assert.is((error as { code: string }).code, 'connector_not_found');
  });
});
