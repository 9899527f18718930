// time-limit: 300
// Secrets are planted wherever a service receives one, in successes and failures of every kind. Afterwards no secret is in the database,
// the log at any level, a response, the audit, an event or an error. Planted leaks are found.
// full-run: slow
import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import { pkce } from '../support/oauth-bench.ts';
import { consentForm } from '../support/oauth-form.ts';
import { SmtpSink } from '../support/smtp-sink.ts';
import { type AttackBench, openBench } from './attack-bench.ts';
import { type DumpedDatabase, dumpedDatabases } from './dumped-databases.ts';
import { leakingPlugin, leaks } from './leaking-plugin.ts';
import { findSecrets, type Haystack } from './secret-search.ts';

const publicUrl = 'https://api.example.com';

const secret = (): string => randomBytes(33).toString('base64').replace(/[+/]/g, 'x');

/** A service, its mail server, and all output of both */
interface Scene {
  readonly bench: AttackBench;
  readonly sink: SmtpSink;
  readonly planted: Record<string, string>;
  /** Creates a secret and registers it under a name that says where it is planted. */
  plant(name: string): string;
  /** The output of the process. `thrown` has the errors of calls in process. */
  readonly texts: string[];
  readonly thrown: unknown[];
  readonly answers: Haystack[];
  close(): Promise<void>;
}

const contract = {
  type: 'object',
  properties: {
    code: { type: 'string', maxLength: 100 },
    css: { type: 'string' },
    kind: { type: 'string', enum: ['a', 'b'] },
    form: { type: 'string', pattern: '^[0-9]+$' },
  },
};

async function openScene(database: DumpedDatabase): Promise<Scene> {
  const planted: Record<string, string> = {};
  const plant = (name: string): string => {
    planted[name] = secret();
    return planted[name];
  };
  const credentials = { user: 'post', pass: plant('the SMTP password') };
  const sink = await SmtpSink.start({ credentials });
  const options = { host: sink.host, port: sink.port, tls: { rejectUnauthorized: false, required: false } };
  const right = smtpMail({ ...options, auth: credentials });
  const wrong = smtpMail({ ...options, auth: { user: 'post', pass: plant('a wrong SMTP password') } });
  const keyring = localKeyring({ keys: [{ id: 'k1', secret: plant("the keyring's secret") }] });
  const texts: string[] = [];
  const { stdout, stderr } = process;
  const writes = [stdout, stderr].map((stream) => {
    const write = stream.write.bind(stream);
    stream.write = ((chunk: string | Uint8Array, ...rest: never[]) => {
      texts.push(String(chunk));
      return write(chunk, ...rest);
    }) as typeof stream.write;
    return () => {
      stream.write = write as typeof stream.write;
    };
  });
  let foreign = '';
  let ownOutput = '';
  const bench = await openBench(database, {
    keyring,
    plugins: [leakingPlugin()],
    publicUrl,
    access: () => ({ member: 'u_ada', name: 'Ada', workspaces: [{ id: ownOutput, scopes: 'full' }] }),
    mail: (workspaceId) => (workspaceId === foreign ? wrong : right),
  });
  foreign = bench.test.foreignWorkspaceId;
  ownOutput = bench.test.workspaceId;
  planted['the live key'] = bench.test.liveKey.slice(-40);
  planted['the sandbox key'] = bench.test.testKey.slice(-40);
  return {
    bench,
    sink,
    planted,
    plant,
    texts,
    thrown: [],
    answers: [],
    async close() {
      for (const restore of writes) restore();
      await bench.close();
      await sink.stop();
    },
  };
}

/** Sends with every possible outcome, each time with a secret in the variables, the attachment and a header. */
async function sendAll({ bench, sink, plant, answers }: Scene, template: string): Promise<void> {
  const send = async (name: string, more: object = {}, key = bench.test.liveKey) => {
    const attachments = [
      {
        filename: 'a.txt',
        content_type: 'text/plain',
        data_base64: Buffer.from(plant(`an attachment, ${name}`)).toString('base64'),
      },
    ];
    const headers = { 'X-Token': plant(`a header, ${name}`) };
    const body = {
      to: `${name.replaceAll(' ', '-')}@example.org`,
      variables: { code: plant(`a variable, ${name}`) },
      attachments,
      headers,
      ...more,
    };
    const answer = await bench.post(`/v1/templates/${template}/send`, body, { key });
    assert.equal(answer.faults, [], name);
    answers.push([`the answer to ${name}`, [answer.headers, answer.text]]);
    return answer;
  };
  sink.answer('bounced@example.org', { code: 550, text: '5.1.1 No such user' });
  sink.answer('delayed@example.org', { code: 451, text: '4.3.0 Later' });
  sink.answer('rejected@example.org', { code: 554, text: '5.7.1 Not this content', at: 'content' });
  for (const name of ['delivered', 'bounced', 'delayed', 'rejected']) assert.is((await send(name)).status, 202);
  assert.is(
    (await send('unrendered', { variables: { code: 'x', css: `red;${plant('a variable that no style takes')}` } }))
      .status,
    202,
  );
  assert.is((await send('later', { send_at: '2026-01-02T00:00:00Z' })).status, 202);
  assert.is((await send('sandbox', {}, bench.test.testKey)).status, 202);
  const refusals: Readonly<Record<string, object>> = {
    'of the wrong type': { variables: { code: { a: plant('a variable of the wrong type') } } },
    'too long': { variables: { code: plant('a variable too long').repeat(9) } },
    'not in the enum': { variables: { kind: plant('a variable not in the enum') } },
    'against the pattern': { variables: { form: plant('a variable against the pattern') } },
    unknown: { variables: { other: plant('an unknown variable') } },
    'an unknown field': { secretly: plant('an unknown field') },
    'a broken header': { headers: { 'X-Token': `${plant('a broken header')}\r\nBcc: a@b.cc` } },
    'broken base64': {
      attachments: [{ filename: 'a.txt', content_type: 'text/plain', data_base64: `${plant('broken base64')}!` }],
    },
    'a wrong scenario': { simulationScenario: plant('a wrong scenario') },
    'no address': { to: `${plant('no address')} at example.org` },
  };
  for (const [name, more] of Object.entries(refusals)) assert.is((await send(name, more)).status, 422, name);
}

/** Requests that fail before an operation runs: invalid JSON, invalid keys, tools, calls in process. */
async function failAll({ bench, plant, planted, answers, thrown }: Scene, template: string): Promise<void> {
  const path = `/v1/templates/${template}/send`;
  const invalidBodies = [
    `{"to":"a@b.cc","variables":{"code":${plant('broken JSON')}}}`,
    `{"variables":{"code":"${plant('JSON that breaks off')}`,
  ];
  for (const body of invalidBodies) answers.push(['the answer to broken JSON', (await bench.post(path, body)).text]);
  const wrongKey = `${bench.test.liveKey.slice(0, -1)}~`;
  planted['a wrong key'] = wrongKey.slice(-40);
  for (const key of [wrongKey, `${plant('something that is not a key')}`]) {
    const answer = await bench.get('/v1/workspace', { key });
    assert.is(answer.status, 401);
    answers.push(['the answer to a wrong key', [answer.headers, answer.text]]);
  }
  const args = {
    template,
    to: 'no address',
    variables: { code: plant('a variable of a tool') },
    idempotency_key: 'tool',
  };
  answers.push(['the answer to a tool', (await bench.tool('send_transactional', args)).text]);
  const { service, workspaceId } = bench.test;
  const operation = service.core.registry.operations.get('email.send');
  assert.ok(operation !== undefined);
  await bench.kit
    .call('email.send', { template, to: 'a@b.cc', variables: { kind: plant('a variable in process') } }, workspaceId)
    .then(
      () => assert.unreachable('the call was accepted'),
      (error: unknown) => thrown.push(error),
    );
}

/** Signs in an agent, uses and renews its tokens, and plants every secret of this flow. */
async function signIn({ bench, planted, answers }: Scene): Promise<void> {
  const { dispatch } = bench.test.service;
  const ask = (method: string, url: string, headers: Record<string, string> = {}, body?: string) =>
    dispatch({ method, url, headers, body, address: '127.0.0.1' });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const redirect_uri = 'https://desk.example/callback';
  const json = { 'content-type': 'application/json' };
  const registration = await ask('POST', '/oauth/register', json, JSON.stringify({ redirect_uris: [redirect_uri] }));
  const { client_id } = JSON.parse(String(registration.body)) as { client_id: string };
  const { verifier, challenge } = pkce();
  planted['a PKCE verifier'] = verifier;
  const authorizeQuery = { response_type: 'code', client_id, redirect_uri, code_challenge: challenge };
  const query = new URLSearchParams({ ...authorizeQuery, code_challenge_method: 'S256' });
  const consentPage = await ask('GET', `/oauth/authorize?${query}`);
  const cookie = consentPage.headers['Set-Cookie']?.split(';', 1)[0] ?? '';
  const page = await ask('GET', '/oauth/consent', { cookie });
  const consent = await ask('POST', '/oauth/consent', { ...form, cookie }, String(consentForm(String(page.body))));
  const code = new URL(consent.headers['Location'] ?? '').searchParams.get('code') ?? '';
  planted['a code'] = code.slice(-40);
  const exchange = async (more: Readonly<Record<string, string>>, status = 200) => {
    const answer = await ask('POST', '/oauth/token', form, String(new URLSearchParams({ client_id, ...more })));
    assert.is(answer.status, status, String(answer.body));
    if (status !== 200) answers.push(['a refused exchange', [answer.headers, answer.body]]);
    return JSON.parse(String(answer.body)) as { access_token: string; refresh_token: string };
  };
  const first = { grant_type: 'authorization_code', code, code_verifier: verifier };
  const tokens = await exchange(first);
  await exchange(first, 400);
  const renew = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
  const next = await exchange(renew);
  for (const [name, pair] of Object.entries({ first: tokens, next })) {
    planted[`the ${name} access token`] = pair.access_token.slice(-40);
    planted[`the ${name} refresh token`] = pair.refresh_token.slice(-40);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_grants', arguments: {} } };
    const toolAnswer = await bench.post('/v1/mcp', call, { key: pair.access_token });
    assert.is(toolAnswer.status, 200, toolAnswer.text);
    answers.push(['the answer to an agent', [toolAnswer.headers, toolAnswer.text]]);
    answers.push(['a token on REST', (await bench.get('/v1/workspace', { key: pair.access_token })).text]);
  }
  await exchange(renew, 400);
}

/** Reads everything that the API returns. */
async function readAll({ bench, answers }: Scene): Promise<void> {
  for (const key of [bench.test.liveKey, bench.test.testKey]) {
    for (const { method, path } of bench.test.service.core.registry.operations.values()) {
      if (method !== 'GET' || path.includes('{')) continue;
      answers.push([`GET ${path}`, (await bench.get(path, { key })).text]);
    }
    const { data } = (await bench.get('/v1/sends?limit=100', { key })).json;
    for (const { id } of data) answers.push([`GET the send ${id}`, (await bench.get(`/v1/sends/${id}`, { key })).text]);
  }
  answers.push(['the failed jobs', await bench.test.service.jobs.list()]);
}

for (const database of await dumpedDatabases()) {
  const test = suite(`secrets on ${database.name}`);
  let scene: Scene;
  const everything = async (): Promise<Haystack[]> => [
    ...(await database.dump()),
    ['the log', scene.bench.log],
    ['the output of the process', scene.texts.join('')],
    ['errors in process', scene.thrown],
    ...scene.answers,
  ];
  test.before(async () => {
    scene = await openScene(database);
  });
  test.after(async () => {
    await scene.close();
    await database.remove();
  });

  test('after requests with every outcome, no planted secret is in any store or output', async () => {
    const { bench, sink, planted, plant } = scene;
    const body = '<p style="color:{{ css }}">Your code is {{ code }}</p>';
    const template = await bench.publish({ body, text: 'Your code is {{ code }}', variables: contract });
    await sendAll(scene, template);
    await failAll(scene, template);
    await signIn(scene);
    const kit = { ...bench.kit, workspaceId: bench.test.foreignWorkspaceId };
    const draft = { key: 'theirs', mode: 'html', subject: 'x', body: '<p>{{ code }}</p>' };
    await kit.call('templates.create', draft, kit.workspaceId);
    await kit.call('templates.publish', { key: 'theirs' }, kit.workspaceId);
    const undeliverable = {
      template: 'theirs',
      to: 'lost@example.org',
      variables: { code: plant('a variable of a send whose SMTP login fails') },
    };
    await kit.call('email.send', undeliverable, kit.workspaceId);
    for (let round = 0; round < 4; round += 1) {
      await bench.test.drain();
      bench.test.advanceClock(130_000);
    }
    const word = plant('a sealed answer');
    for (const replayed of [undefined, 'true']) {
      const headers = { 'content-type': 'application/json', 'idempotency-key': 'vault' };
      const request = {
        method: 'POST',
        url: '/v1/vault',
        key: bench.test.liveKey,
        headers,
        body: JSON.stringify({ word }),
      };
      const answer = await bench.ask(request);
      assert.equal([answer.headers['Idempotent-Replay'], answer.json.secret], [replayed, word]);
    }
    await readAll(scene);

    const lists = [bench.test.liveKey, bench.test.testKey].map((key) => bench.get('/v1/sends?limit=100', { key }));
    const sends: { status: string }[] = (await Promise.all(lists)).flatMap(({ json }) => json.data);
    const statuses = new Set(sends.map(({ status }) => status));
    for (const status of ['sent', 'bounced', 'failed', 'delivery_delayed', 'scheduled', 'delivered'])
      assert.ok(statuses.has(status), `no send became ${status}: ${[...statuses]}`);
    assert.ok(
      sink.messages.some(({ raw }) => findSecrets([['mail', raw]], planted).length > 0),
      'the mail contains no secret, so the test checks nothing',
    );
    assert.ok(Object.keys(planted).length > 50);
    assert.equal(findSecrets(await everything(), planted), []);
    console.log(`# ${Object.keys(planted).length} secrets planted, ${bench.log.length} log lines, on ${database.name}`);
  });

  test('a secret that is shown on purpose is found in that answer, but not in the log or the audit', async () => {
    const { bench } = scene;
    const visibleSecret = { shown: secret() };
    const template = await bench.publish({
      subject: 'Hi {{ name }}',
      variables: { type: 'object', properties: { name: { type: 'string' } } },
    });
    const { answer } = await bench.send(template, { name: visibleSecret.shown });
    const findings = findSecrets([...(await everything()), ['the answer', answer.text]], visibleSecret);
    assert.ok(findings.includes('shown, plain, in the answer'));
    assert.ok(
      findings.some((line) => line.includes(database.name === 'sqlite' ? 'the file' : 'the table secrets_sends')),
      `${findings}`,
    );
    assert.equal(
      findings.filter((line) => /log|audit|process/.test(line)),
      [],
    );
  });

  for (const by of leaks) {
    test(`the check finds a leaked secret: ${by}`, async () => {
      const leak = { leak: secret() };
      assert.equal(findSecrets(await everything(), leak), []);
      const { text } = await scene.bench.post('/v1/vault/leak', { word: leak.leak, by });
      assert.ok(
        findSecrets([...(await everything()), ['the answer', text]], leak).length > 0,
        'the leak was not found',
      );
    });
  }

  test.run();
}
