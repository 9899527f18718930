// time-limit: 300
// `postrider dev` for a new user: the printed curl line works when pasted, its mail is in the inbox, a
// second start reuses everything, and it stops cleanly.
// full-run: slow
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import BetterSqlite from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProjectFolder, type ProjectFolder, RunningCall, sqliteConfig } from './cli-bench.ts';

const test = suite<{ project: ProjectFolder }>('postrider dev');
const run = promisify(execFile);
const root = resolve('.');

test.before.each(async (context) => {
  context.project = await createProjectFolder();
});

test.after.each(({ project }) => project.remove());

const ready = /Ctrl-C stops it\./;

async function start(
  project: ProjectFolder,
  words: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<RunningCall> {
  const call = project.start(['dev', ...words], { env: { PORT: '0', ...env } });
  await call.printed(ready);
  return call;
}

function findInOutput({ stdout }: RunningCall, pattern: RegExp): string {
  const [match = '', part = match] = pattern.exec(stdout) ?? [];
  assert.ok(part, `${pattern} is not in what was printed:\n${stdout}`);
  return part;
}

const curlLineOf = (call: RunningCall): string => findInOutput(call, /^curl .*$/m);
const addressOf = (call: RunningCall, name: string): string =>
  findInOutput(call, new RegExp(`^ *${name} +(http://\\S+)`, 'm'));
const keyOf = (call: RunningCall): string => findInOutput(call, /Sandbox key (\S+)/);
const ask = (url: string, key: string) => fetch(url, { headers: { authorization: `Bearer ${key}` } });

/** Requests an address with another Host header, which fetch does not send. */
async function pageUnder(url: string, host: string): Promise<string> {
  const [response] = (await once(get(url, { headers: { host } }), 'response')) as [IncomingMessage];
  return text(response);
}

async function messagesIn(call: RunningCall): Promise<{ to: string; subject: string }[]> {
  const response = await fetch(`${addressOf(call, 'Inbox')}/messages`);
  assert.is(response.status, 200, await response.clone().text());
  return ((await response.json()) as { data: { to: string; subject: string }[] }).data;
}

/** Counts the receipts, without the mails of the sample sequences. */
const receiptsIn = async (call: RunningCall): Promise<number> =>
  (await messagesIn(call)).filter(({ to, subject }) => to === 'grace@example.com' && /receipt/i.test(subject)).length;

async function waitForMail(call: RunningCall, recipient: string): Promise<void> {
  while (!(await messagesIn(call)).some(({ to }) => to.includes(recipient)))
    await new Promise((resolve) => setTimeout(resolve, 50));
}

test('dev prints a curl line that works when pasted, and shows its mail', async ({ project }) => {
  const call = await start(project);
  assert.match(call.stdout, /^Starting Postrider (\d+\.\d+\.\d+) …\nPostrider \1\n/);
  assert.match(call.stdout, /Database +\.postrider\/dev\.sqlite\n/);
  assert.match(call.stdout, /Migrations +applied \d+, core\/0001-core to /);
  assert.match(
    call.stdout,
    /Workspace +Northwind Supply, ws_\w+ \(a sample: dev made it, with its data; plan sandbox: everything it sends is simulated\)/,
  );
  assert.is(await receiptsIn(call), 1);

  const { stdout } = await run('sh', ['-c', curlLineOf(call)]);
  assert.match(stdout, /^HTTP\/1\.1 202 /);
  assert.match(stdout, /"sandbox":true/);
  await waitForMail(call, 'ada@example.com');
  const { code, signal, stderr } = await call.stop();
  assert.equal([code, signal, stderr], [0, null, '']);
});

test('the addresses of dev answer, and the start page links to them', async ({ project }) => {
  const call = await start(project);
  const origin = addressOf(call, 'Start page');
  const page = await fetch(origin);
  assert.equal([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  const html = await page.text();
  assert.is(html.match(/<script/g)?.length, 1);
  assert.ok(html.includes(`<code id="key">${keyOf(call)}</code>`), 'the sandbox key is shown');
  // A page of another site whose host name resolves to this machine must not read the key.
  const rebound = await pageUnder(origin, 'attacker.example');
  assert.match(rebound, 'API reference');
  assert.not.match(rebound, /postrider_test_/);
  assert.ok(html.includes(`<dd>${addressOf(call, 'MCP')}</dd>`));
  const links = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => new URL(href, origin).href);
  const pages = ['qr-designer', 'connected-apps'].map((name) => new URL(`/${name}`, origin).href);
  const [inbox, reference] = [addressOf(call, 'Inbox'), addressOf(call, 'Reference')];
  const team = new URL('/console', origin).href;
  assert.equal(links, [team, inbox, ...pages, reference, addressOf(call, 'OpenAPI')]);
  for (const link of links) {
    const answer = await fetch(link);
    assert.is(answer.status, 200, link);
    const back = /<a class="(start|brand)" href="\/" aria-label="Postrider(?: API reference)?: start page">/;
    if (!link.endsWith('.json')) assert.match(await answer.text(), back, link);
  }
  assert.is((await fetch(origin, { method: 'HEAD' })).status, 200);
  assert.is((await fetch(`${origin}/?a=b`)).status, 200);
  assert.is((await fetch(origin, { method: 'POST' })).status, 404);
  assert.is((await ask(`${addressOf(call, 'API')}/brand/default`, keyOf(call))).status, 200);

  const document = (await (await fetch(addressOf(call, 'OpenAPI'))).json()) as { servers: { url: string }[] };
  assert.is(`${document.servers[0]?.url}/v1`, addressOf(call, 'API'));
  const tools = await fetch(addressOf(call, 'MCP'), {
    method: 'POST',
    headers: { authorization: `Bearer ${keyOf(call)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
  assert.match(await tools.text(), /send_transactional/);
});

test('a second start reuses the workspace, the key and the only mail', async ({ project }) => {
  const first = await start(project);
  await first.stop();
  const second = await start(project);
  assert.is(keyOf(second), keyOf(first));
  assert.match(second.stdout, /Migrations +up to date\n/);
  assert.is(await receiptsIn(second), 1);
  const sends = await ask(`${addressOf(second, 'API')}/sends?templateKey=receipt`, keyOf(second));
  assert.is(((await sends.json()) as { data: unknown[] }).data.length, 1);
  await second.stop();
  // Deletes the database, but not the file that refers to it.
  for (const name of await readdir(join(project.folder, '.postrider')))
    if (name.startsWith('dev.sqlite')) await rm(join(project.folder, '.postrider', name));
  const third = await start(project);
  assert.is.not(keyOf(third), keyOf(first));
  assert.is(await receiptsIn(third), 1);
});

test('dev keeps the key out of the database, away from other users, and out of git', async ({ project }) => {
  const call = await start(project);
  const key = keyOf(call);
  await call.stop();
  const folder = join(project.folder, '.postrider');
  assert.is((await stat(join(folder, 'dev.json'))).mode & 0o777, 0o600);
  assert.is((await stat(folder)).mode & 0o777, 0o700);
  assert.match(key, /^postrider_test_/);
  const bytes = await readFile(join(folder, 'dev.sqlite'));
  assert.ok(bytes.length > 10_000);
  assert.not.ok(bytes.includes(key));
  await run('git', ['init', '-q'], { cwd: project.folder });
  const { stdout } = await run('git', ['status', '--porcelain', '--ignored=no'], { cwd: project.folder });
  assert.not.match(stdout, /\.postrider/);
});

test('dev takes the next free port and prints it', async ({ project }) => {
  const takenPort = createServer();
  await new Promise<void>((done) => takenPort.listen(0, '127.0.0.1', done));
  const { port } = takenPort.address() as AddressInfo;
  try {
    const call = await start(project, ['--port', String(port)]);
    assert.match(call.stdout, new RegExp(`\nPort ${port} is taken, so this server uses \\d+\\.\\n`));
    assert.is((await fetch(addressOf(call, 'Inbox'))).status, 200);
  } finally {
    await new Promise((done) => takenPort.close(done));
  }
});

const canConnect = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} stops dev cleanly, even with open connections`, async ({ project }) => {
    const call = await start(project);
    const { port, origin } = new URL(addressOf(call, 'Start page'));
    await fetch(origin);
    const idle = connect(Number(port), '127.0.0.1');
    idle.on('error', () => undefined);
    await new Promise((done) => idle.once('connect', done));
    const callResult = await call.stop(signal);
    assert.equal([callResult.code, callResult.signal], [0, null]);
    assert.match(callResult.stdout, /\nStopped\.\n$/);
    assert.is(await canConnect(Number(port)), false);
    // A closed database has no log file beside it.
    const files = (await readdir(join(project.folder, '.postrider'))).filter((name) => name.startsWith('dev.sqlite'));
    assert.equal(files, ['dev.sqlite']);
  });
}

test('with --json dev prints one document and keeps running', async ({ project }) => {
  const call = project.start(['dev', '--json'], { env: { PORT: '0' } });
  const info = JSON.parse(await call.printed(/^\{.*\}$/m)) as Record<string, string>;
  assert.match(info['key'] ?? '', /^postrider_test_/);
  assert.is((await ask(`${info['api']}/workspace`, info['key'] ?? '')).status, 200);
  assert.is((await fetch(info['inbox'] ?? '')).status, 200);
  assert.is((await fetch(info['docs'] ?? '')).status, 200);
  const { code, stdout, stderr } = await call.stop();
  assert.equal([code, stdout.trim().split('\n').length, stderr], [0, 1, '']);
});

test("dev serves the project's own service, below the path of its public address", async ({ project }) => {
  await project.write(
    'postrider.config.mjs',
    sqliteConfig("name: 'Acme Mail',\n  publicUrl: 'https://app.example.com/messaging/',"),
  );
  const call = await start(project);
  assert.match(call.stdout, /\nAcme Mail \d/);
  assert.match(call.stdout, /Database +sqlite, as postrider\.config\.mjs says\n/);
  assert.match(addressOf(call, 'API'), /\/messaging\/v1$/);
  assert.match(keyOf(call), /^acmemail_test_/);
  const { stdout } = await run('sh', ['-c', curlLineOf(call)]);
  assert.match(stdout, /^HTTP\/1\.1 202 /);
  assert.is((await fetch(addressOf(call, 'Inbox'))).status, 200);
  assert.is((await call.stop()).code, 0);
  assert.is((await project.json(['workspaces', 'list'])).data.length, 1);
});

test('dev fills no workspace that it did not create, and does not choose among several workspaces', async ({
  project,
}) => {
  await project.write('postrider.config.mjs', sqliteConfig());
  await project.json(['migrate']);
  const ownWorkspace = ['--name', 'Mine', '--from', 'a@mine.example', '--plan', 'pro'];
  const { id } = await project.json(['workspaces', 'create', ...ownWorkspace]);
  const one = await start(project);
  assert.match(one.stdout, new RegExp(`Workspace +Mine, ${id}\\n`));
  assert.match(one.stdout, /OpenAPI +http:\S+ \(asks for a key\)\n/);
  assert.match(await (await fetch(addressOf(one, 'Start page'))).text(), 'Your config leaves out: QR codes.');
  assert.is((await messagesIn(one)).length, 0);
  // On this plan, a send needs a separate key.
  assert.match((await run('sh', ['-c', curlLineOf(one)])).stdout, /^HTTP\/1\.1 202 /);
  await one.stop();
  await rm(join(project.folder, '.postrider/dev.json'));
  const otherWorkspace = await project.json(['workspaces', 'create', '--name', 'Other', '--from', 'a@other.example']);
  const several = await start(project);
  assert.match(
    several.stdout,
    /There are several workspaces, so dev made no key\. Choose one: postrider dev --workspace ID\n/,
  );
  assert.not.match(several.stdout, /_test_/);
  await several.stop();
  const chosen = await start(project, ['--workspace', otherWorkspace.id]);
  assert.match(chosen.stdout, /Workspace +Other, /);
});

test('dev migrates and creates keys in development only', async ({ project }) => {
  const key = "keyring: localKeyring({ keys: [{ id: 'a', secret: process.env.KEY }] }),\n  environment: 'production',";
  await project.write(
    'postrider.config.mjs',
    `import { localKeyring } from 'postrider/adapters/keyring/local';\n${sqliteConfig(key)}`,
  );
  const env = { KEY: 'q1T7m3ZkWf0u8Yx2Jd5vRb9cLnHsPgAe4oIiKtUyMwE=' };
  const refusal = await project.run(['dev', '--no-watch'], { env: { PORT: '0', ...env } });
  assert.is(refusal.code, 1);
  assert.match(
    refusal.stderr,
    /^error \d+ migrations are pending \(.*\)\. Run: postrider migrate \(in code: service\.migrate\(\)\)\. If that finds no pending migration, .* node --env-file=\.env\.\n$/,
  );
  assert.is((await project.run(['migrate'], { env })).code, 0);
  const call = await start(project, ['--no-watch'], env);
  assert.match(call.stdout, /Database +sqlite, as postrider\.config\.mjs says \(production\)\n/);
  assert.match(call.stdout, /Closed +Console, Inbox\b.* \(no access .*\n +Left out +QR codes .* ask for them\)\n/);
  assert.match(call.stdout, /In production, dev makes no key\. Make one: postrider keys create\n/);
  assert.not.match(call.stdout, /_test_/);
});

/** Copies the sources with their ordinary dependencies, and with only the named optional dependencies. */
async function copyWithPeers(project: ProjectFolder, ...peers: readonly string[]): Promise<string> {
  const copy = join(project.folder, 'copy');
  await mkdir(join(copy, 'node_modules'), { recursive: true });
  for (const name of ['core', 'plugins', 'adapters', 'hosts', 'package.json', 'tsconfig.json'])
    await cp(join(root, name), join(copy, name), { recursive: true });
  const { dependencies = {} } = JSON.parse(await readFile('package.json', 'utf8')) as Record<
    string,
    Record<string, string>
  >;
  // tsx runs the sources, in threads too.
  for (const name of [...Object.keys(dependencies), ...peers, 'tsx']) {
    await mkdir(join(copy, 'node_modules', name, '..'), { recursive: true });
    await symlink(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  }
  return copy;
}

test('dev works with its ordinary dependencies and SQLite, and says which features need the missing packages', async ({
  project,
}) => {
  const copy = await copyWithPeers(project, 'better-sqlite3');
  const empty = join(project.folder, 'empty');
  await mkdir(empty);
  const main = join(copy, 'hosts/cli/main.ts');
  const call = new RunningCall(empty, ['dev'], { env: { PORT: '0' } }, main);
  try {
    await call.printed(ready);
    assert.match(call.stdout, /MCP +http:\S+ \(needs more packages, see below\)\n/);
    // The folder has no postrider of its own, as after `npx postrider`, so the packages alone would not be found.
    assert.match(
      call.stdout,
      /Packages are missing for publishing templates, QR codes, PDFs of lead magnets and the MCP endpoint\. Stop .*\n\nnpm install postrider mjml juice html-to-text qrcode sharp zxing-wasm pdfkit @modelcontextprotocol\/sdk @modelcontextprotocol\/server\n/,
    );
    assert.is((await messagesIn(call)).length, 1);
    assert.match((await run('sh', ['-c', curlLineOf(call)])).stdout, /^HTTP\/1\.1 202 /);
    await waitForMail(call, 'ada@example.com');
    const publishAnswer = await fetch(`${addressOf(call, 'API')}/templates/receipt/publish`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keyOf(call)}`, 'content-type': 'application/json' },
      body: '{}',
    });
    const refusal = (await publishAnswer.json()) as { error: { code: string; message: string } };
    assert.equal([publishAnswer.status, refusal.error.code], [501, 'compiler_missing']);
    assert.match(refusal.error.message, /npm install mjml juice html-to-text$/);
    const tools = await fetch(addressOf(call, 'MCP'), {
      method: 'POST',
      headers: { authorization: `Bearer ${keyOf(call)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
    assert.ok(tools.status >= 500);
    assert.match(call.stderr + (await tools.text()), /npm install @modelcontextprotocol/);
    assert.is((await call.stop()).code, 0);
    const doctor = await new RunningCall(empty, ['doctor'], {}, main).ended;
    assert.is(doctor.code, 0);
    const packages = doctor.stdout.split('\n').filter((line) => line.includes('Packages'));
    assert.is(packages.length, 1);
    assert.match(
      packages[0] ?? '',
      /^! Packages +Not installed: mjml, juice, html-to-text for publishing templates; qrcode, sharp, zxing-wasm for QR codes; pdfkit for PDFs of lead magnets; @modelcontextprotocol\/sdk, @modelcontextprotocol\/server for the MCP endpoint\. To use these: npm install postrider mjml juice html-to-text qrcode /,
    );
  } finally {
    await call.stop('SIGKILL');
  }
});

test('without SQLite and a config, dev and doctor name the packages to install, and create nothing', async ({
  project,
}) => {
  const copy = await copyWithPeers(project);
  const main = join(copy, 'hosts/cli/main.ts');
  const empty = join(project.folder, 'empty');
  await mkdir(empty);
  const refusal = await new RunningCall(empty, ['dev'], { env: { PORT: '0' } }, main).ended;
  assert.is(refusal.code, 1);
  const packageNames =
    ' mjml juice html-to-text qrcode sharp zxing-wasm pdfkit @modelcontextprotocol/sdk @modelcontextprotocol/server';
  assert.match(refusal.stderr, /\n +For SQLite \(.*\): npm install postrider better-sqlite3 /);
  assert.ok(refusal.stderr.endsWith(`${packageNames}\n`), refusal.stderr);
  const doctor = await new RunningCall(empty, ['doctor'], {}, main).ended;
  assert.is(doctor.code, 1);
  assert.match(doctor.stdout, /✗ SQLite +Without a postrider\.config, .*: npm install postrider better-sqlite3 /);
  assert.equal(await readdir(empty), []);
});

test('doctor reports a driver that was not built, with the command that builds it', async ({ project }) => {
  const copy = await copyWithPeers(project, 'bindings', 'file-uri-to-path');
  const driver = join(copy, 'node_modules/better-sqlite3');
  for (const part of ['lib', 'package.json'])
    await cp(join(root, 'node_modules/better-sqlite3', part), join(driver, part), { recursive: true });
  const empty = join(project.folder, 'empty');
  await mkdir(empty);
  const doctor = await new RunningCall(empty, ['doctor'], {}, join(copy, 'hosts/cli/main.ts')).ended;
  assert.is(doctor.code, 1);
  assert.match(doctor.stdout, /✗ SQLite +better-sqlite3 is installed, but .* Run: npm rebuild better-sqlite3 .*\n/);
  assert.match(doctor.stdout, /\n1 problem found\.\n$/);
});

test('a damaged dev.json is reported and not overwritten', async ({ project }) => {
  await mkdir(join(project.folder, '.postrider'));
  await writeFile(join(project.folder, '.postrider/dev.json'), '{');
  const refusal = await project.run(['dev'], { env: { PORT: '0' } });
  assert.equal([refusal.code, /Start page/.test(refusal.stdout)], [1, false]);
  assert.match(refusal.stderr, /^error \.postrider\/dev\.json cannot be read\. Delete it to start with a new key\.\n$/);
  const database = new BetterSqlite(join(project.folder, '.postrider/dev.sqlite'), { readonly: true });
  assert.is(
    (database.prepare('select count(*) as count from postrider_workspaces').get() as { count: number }).count,
    0,
  );
  database.close();
});

test.run();
