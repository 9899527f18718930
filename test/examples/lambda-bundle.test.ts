// time-limit: 300
// The bundle of the example for AWS Lambda, in Node.js without AWS's client: features that need more than one file publish
// templates, serve tools, and draw QR codes with packages beside it.
// full-run: slow
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { captureMail } from '../../adapters/mail/capture.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { createService } from '../../core/index.ts';
import { bundleFunction } from '../../examples/lambda/build.ts';
import { readSecrets } from '../../examples/lambda/secrets.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { httpEvent } from '../hosts/lambda-events.ts';
import { root } from '../support/bundle.ts';
import { hasPostgres, newSchema, postgresUrl, queryOnOwnConnection } from '../support/postgres-server.ts';

const test = suite('the bundle of the example for AWS Lambda');

/** A program that passes events to the function, one after another, and prints the results. */
const caller = `const { handler } = require('./function.cjs');
const context = { awsRequestId: '1', getRemainingTimeInMillis: () => 30000 };
const events = JSON.parse(process.env.EVENTS);
const results = [];
const next = () => (events.length === 0 ? undefined : handler(events.shift(), context).then((result) => results.push(result)).then(next));
next().then(() => process.stdout.write(JSON.stringify(results), () => process.exit()));
`;

test('the function reads its secrets only at the first event', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-secrets-'));
  const requestedNames: (readonly [string, unknown])[] = [];
  const variables = { DATABASE_URL: 'postgres://127.0.0.1/none', POSTRIDER_KEY: randomBytes(32).toString('hex') };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const target = String(request.headers['x-amz-target']);
    requestedNames.push([target, JSON.parse(Buffer.concat(chunks).toString('utf8'))]);
    const SecretString = JSON.stringify(variables);
    response.end(JSON.stringify({ SecretString, Parameter: { Value: SecretString } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const runFunction = async (variables: Readonly<Record<string, string>>): Promise<number[]> => {
    const { DATABASE_URL: _, POSTRIDER_KEY: __, ...environment } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, ['call.cjs'], {
      cwd: folder,
      env: {
        ...environment,
        ...variables,
        NODE_ENV: 'production',
        NODE_OPTIONS: '',
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
        AWS_SECRET_ACCESS_KEY: 'key',
        AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint,
        AWS_ENDPOINT_URL_SSM: endpoint,
        EVENTS: JSON.stringify(
          Array.from({ length: 2 }, () => httpEvent({ method: 'GET', path: '/v1/workspace', headers: {} })),
        ),
      },
    });
    return (JSON.parse(stdout) as { statusCode: number }[]).map(({ statusCode }) => statusCode);
  };
  try {
    await bundleFunction(join(root, 'examples/lambda/function-with-secrets.ts'), folder);
    assert.equal(requestedNames, []);
    writeFileSync(join(folder, 'call.cjs'), caller);
    assert.equal(await runFunction({ SECRET_ID: 'postrider' }), [401, 401]);
    assert.equal(await runFunction({ PARAMETER_NAME: '/postrider' }), [401, 401]);
    assert.equal(requestedNames, [
      ['secretsmanager.GetSecretValue', { SecretId: 'postrider' }],
      ['AmazonSSM.GetParameter', { Name: '/postrider', WithDecryption: true }],
    ]);
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
});

test('if a secret cannot be read, one sentence gives the reason, its name and the permission', async () => {
  const refusal = (type: string) => [400, JSON.stringify({ __type: type, Message: 'top secret' })] as const;
  const cases: readonly (readonly [answer: readonly [number, string] | undefined, expected: RegExp])[] = [
    [refusal('com.amazonaws.ssm#ParameterNotFound'), /^is not in eu-west-1\.$/],
    [refusal('ResourceNotFoundException'), /^is not in eu-west-1\.$/],
    [refusal('AccessDeniedException'), /^may not be read: give the function's role that permission on it/],
    [refusal('ThrottlingException'), /^was answered 400 ThrottlingException\.$/],
    [[200, JSON.stringify({ SecretString: 'top secret' })], /^does not contain a JSON object of variables/],
    [[200, JSON.stringify({ SecretBinary: 'dG9wIHNlY3JldA==' })], /^does not contain a JSON object of variables/],
    [undefined, /^was not answered within 0\.1 s: in a VPC the function needs network access/],
  ];
  let answer: readonly [number, string] | undefined;
  const server = createServer((_request, response) => {
    if (answer !== undefined) response.writeHead(answer[0]).end(answer[1]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const before = { ...process.env };
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'key',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint,
    AWS_ENDPOINT_URL_SSM: endpoint,
  });
  const secretSources = [
    ['SECRET_ID', 'The secret shop (permission secretsmanager:GetSecretValue) '],
    ['PARAMETER_NAME', 'The parameter shop (permission ssm:GetParameter) '],
  ] as const;
  try {
    for (const [variable, begins] of secretSources) {
      process.env[variable] = 'shop';
      for (const [environment, expected] of cases) {
        answer = environment;
        const text = await readSecrets(environment === undefined ? 100 : 30_000).then(
          () => 'read',
          (error: Error) => error.message,
        );
        assert.ok(text.startsWith(begins), text);
        assert.match(text.slice(begins.length), expected);
        assert.not.match(text, /top secret/);
      }
      delete process.env[variable];
    }
  } finally {
    process.env = before;
    server.closeAllConnections();
    server.close();
  }
});

test('a function that streams can be bundled', async () => {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'streaming-'));
  try {
    const service = join(root, 'examples/lambda/service.ts');
    writeFileSync(
      join(folder, 'function.ts'),
      `import { lambdaHost } from 'postrider/lambda';\nimport { service } from '${service}';\nexport const handler = lambdaHost(service, { streaming: true });\n`,
    );
    await bundleFunction(join(folder, 'function.ts'), join(folder, 'dist'));
    assert.ok(existsSync(join(folder, 'dist', `program.${process.arch}.cache`)));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('if the service does not compose, the build prints only the message and leaves no bundle', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-broken-'));
  try {
    const entry = `import { lambdaHost } from '${join(root, 'hosts/lambda/index.ts')}';\nexport const handler = lambdaHost`;
    writeFileSync(join(folder, 'function.ts'), `${entry}(() => undefined as never, { basePath: 'no-slash' });\n`);
    const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
    const build = join(root, 'examples/lambda/build.ts');
    const words = [tsx, build, join(folder, 'dist'), relative(dirname(build), join(folder, 'function.ts'))];
    const failure = await promisify(execFile)(process.execPath, words, { cwd: root }).catch((error) => error);
    assert.is(failure.code, 1);
    assert.is(
      failure.stderr,
      'option_invalid: basePath must start with a slash, as in /messaging. It is "no-slash".\nThe service does not compose, so no bundle was written.\n',
    );
    assert.equal(readdirSync(join(folder, 'dist')), []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('if esbuild is missing, the build prints the command that installs it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-no-esbuild-'));
  try {
    const file = join(folder, 'build.ts');
    copyFileSync(join(root, 'examples/lambda/build.ts'), file);
    const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
    const failure = await promisify(execFile)(process.execPath, [tsx, file], { cwd: folder }).catch((error) => error);
    assert.is(failure.stderr, 'esbuild is missing. Install it: npm install --save-dev esbuild\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

if (await hasPostgres()) {
  test('the bundle publishes templates, serves tools and draws QR codes, with its code cache', async () => {
    const cache = join(root, 'node_modules/.cache');
    mkdirSync(cache, { recursive: true });
    // The folder is beside the package that the function imports when a tool is first called.
    const folder = mkdtempSync(join(cache, 'function-'));
    const database = newSchema();
    await queryOnOwnConnection(`create database ${database}`);
    const target = new URL(postgresUrl);
    target.pathname = `/${database}`;
    const secret = randomBytes(32).toString('hex');
    const service = createService({
      plugins: standardPlugins,
      storage: postgresStorage({ connectionString: target.href, maxConnections: 2 }),
      keyring: localKeyring({ keys: [{ id: 'a', secret }] }),
      mail: captureMail(),
    });
    try {
      await bundleFunction(join(root, 'examples/lambda/function.ts'), folder);
      writeFileSync(join(folder, 'call.cjs'), caller);
      await service.migrate();
      const defaultFrom = { email: 'shop@acme.example', name: 'Acme' };
      const { id: workspaceId } = await service.workspaces.create({ name: 'Acme', defaultFrom });
      const { secret: key } = await service.keys.create({ workspaceId, name: 'all', preset: 'full' });
      const { templates } = service.as(workspaceId);
      const text = { subject: 'Hi', previewText: '' };
      await templates.create({ key: 'html', mode: 'html', ...text, body: '<style>b{color:red}</style><b>Hi</b>' });
      const section = '<mj-section><mj-column><mj-text>Hi</mj-text></mj-column></mj-section>';
      await templates.create({
        key: 'mjml',
        mode: 'mjml',
        ...text,
        body: `<mjml><mj-body>${section}</mj-body></mjml>`,
      });
      const { qrId } = await service
        .as(workspaceId)
        .qr.create({ label: 'Menu', encodes: { kind: 'static', payload: 'https://acme.example' } });
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const post = (path: string, body: object) =>
        httpEvent({
          method: 'POST',
          path,
          headers: { ...headers, accept: 'application/json, text/event-stream' },
          body: JSON.stringify(body),
        });
      const events = [
        post('/v1/templates/html/publish', {}),
        post('/v1/templates/mjml/publish', {}),
        post(`/v1/qr/${qrId}/render`, { format: 'png' }),
        post(`/v1/qr/${qrId}/render`, { format: 'pdf' }),
        post('/v1/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      ];
      const { stdout, stderr } = await promisify(execFile)(process.execPath, ['call.cjs'], {
        cwd: folder,
        maxBuffer: 64 * 1_048_576,
        env: {
          ...process.env,
          NODE_OPTIONS: '',
          DATABASE_URL: target.href,
          POSTRIDER_KEY: secret,
          EVENTS: JSON.stringify(events),
        },
      });
      assert.not.match(stderr, /write-cache/);
      const results = JSON.parse(stdout) as { statusCode: number; body: string }[];
      assert.equal(
        results.map(({ statusCode, body }) => (statusCode === 200 ? 200 : [statusCode, body.slice(0, 500)])),
        [200, 200, 200, 200, 200],
        stderr,
      );
    } finally {
      await service.stop();
      await queryOnOwnConnection(`drop database if exists ${database} with (force)`);
      rmSync(folder, { recursive: true });
    }
  });
}

test.run();
