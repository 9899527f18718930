// `npm start` as a newcomer has it: the printed curl line works when pasted, its mail is in the inbox, a second start
// finds everything again, and it stops in order.
import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

interface Started {
  readonly child: ChildProcess;
  readonly printed: string;
}

interface Context {
  folder: string;
  started: Started | undefined;
}

const test = suite<Context>('the quickstart');
const run = promisify(execFile);
const main = 'examples/quickstart/main.ts';

test.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'postrider-quickstart-'));
  context.started = undefined;
});

test.after.each(async ({ folder, started }) => {
  if (started !== undefined) await stop(started);
  await rm(folder, { recursive: true });
});

/** Starts it and waits until it has said everything. */
async function start({ folder }: Context, port = '0'): Promise<Started> {
  const child = spawn(process.execPath, ['--import', 'tsx', main], {
    env: { ...process.env, POSTRIDER_HOME: folder, PORT: port },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (printed.includes('Ctrl-C stops it.')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`It ended with ${code}:\n${printed}\n${complaints}`)));
  });
  return { child, printed };
}

/** Asks it to end; answers how it did. */
async function stop({ child }: Started, signal: NodeJS.Signals = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return { code: child.exitCode, signal: child.signalCode };
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, by) => resolve({ code, signal: by }));
  });
  child.kill(signal);
  return ended;
}

function printedBy({ printed }: Started, pattern: RegExp): string {
  const [whole = '', part = whole] = pattern.exec(printed) ?? [];
  assert.ok(part, `${pattern} is not in what was printed:\n${printed}`);
  return part;
}

const curlLineOf = (started: Started): string => printedBy(started, /^curl .*$/m);
const addressOf = (started: Started, name: string): string =>
  printedBy(started, new RegExp(`^ *${name} +(http://\\S+)`, 'm'));
const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

async function waitForMail(inbox: string, recipient: string): Promise<string> {
  for (;;) {
    const page = await textOf(inbox);
    if (page.includes(recipient)) return page;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('prints a curl line that works when pasted, and shows its mail', async (context) => {
  const started = await start(context);
  context.started = started;
  assert.match(started.printed, /^Postrider \d+\.\d+\.\d+/m);
  assert.match(started.printed, /Database +\S+dev\.sqlite/);
  assert.match(started.printed, /Migrations +core\/0001/);
  const inbox = addressOf(started, 'Inbox');
  assert.match(await textOf(inbox), /grace@example\.com/);

  const { stdout } = await run('sh', ['-c', curlLineOf(started)]);
  assert.match(stdout, /^HTTP\/1\.1 202 /);
  assert.match(stdout, /"sandbox":true/);
  const page = await waitForMail(inbox, 'ada@example.com');

  const path = /href="\.\/inbox\/(msg_[0-9A-Z]+)"/.exec(page)?.[1];
  assert.ok(path);
  const shown = await textOf(`${inbox}/${path}`);
  assert.match(shown, new RegExp(`<iframe sandbox="" src="\\./${path}/html"`));
  assert.match(shown, /<pre>[^<]*Thank you, Ada\./);
  assert.match(shown, /Message-ID/);
  assert.not.match(shown, /<script/i);
  const html = await fetch(`${inbox}/${path}/html`);
  assert.match(html.headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none'/);
  assert.match(await html.text(), /Thank you, Ada\./);
  const style = await fetch(new URL('inbox.css', `${inbox}/`));
  assert.is(style.headers.get('content-type'), 'text/css; charset=utf-8');
});

test('its other addresses answer', async (context) => {
  const started = await start(context);
  context.started = started;
  const document = JSON.parse(await textOf(addressOf(started, 'OpenAPI'))) as { servers: { url: string }[] };
  assert.is(`${document.servers[0]?.url}/v1`, addressOf(started, 'API'));
  const { key } = JSON.parse(await readFile(join(context.folder, 'dev.json'), 'utf8')) as { key: string };
  const response = await fetch(addressOf(started, 'MCP'), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
  assert.match(await response.text(), /send_transactional/);
});

test('a second start finds the workspace and the key again, and loses nothing', async (context) => {
  const first = await start(context);
  await run('sh', ['-c', curlLineOf(first)]);
  assert.equal(await stop(first), { code: 0, signal: null });
  const second = await start(context);
  context.started = second;
  const keyIn = (line: string) => /Bearer (\S+)'/.exec(line)?.[1];
  assert.is(keyIn(curlLineOf(second)), keyIn(curlLineOf(first)));
  assert.match(second.printed, /Migrations +none to apply/);
  const { stdout } = await run('sh', ['-c', curlLineOf(second)]);
  assert.match(stdout, /^HTTP\/1\.1 202 /);
  const list = await fetch(`${addressOf(second, 'API')}/sends?to=ada%40example.com`, {
    headers: { authorization: `Bearer ${keyIn(curlLineOf(second))}` },
  });
  assert.is(((await list.json()) as { data: unknown[] }).data.length, 2);
});

test('keeps the key out of the database and away from other users', async (context) => {
  const started = await start(context);
  await stop(started);
  const file = join(context.folder, 'dev.json');
  assert.is((await stat(file)).mode & 0o777, 0o600);
  const { key } = JSON.parse(await readFile(file, 'utf8')) as { key: string };
  assert.match(key, /^postrider_test_/);
  const database = await readFile(join(context.folder, 'dev.sqlite'));
  assert.not.ok(database.includes(key));
});

test('takes the next free port and says so', async (context) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  try {
    const started = await start(context, String(port));
    context.started = started;
    assert.match(started.printed, new RegExp(`^Port ${port} is taken; this is on \\d+\\.`, 'm'));
    assert.is((await fetch(addressOf(started, 'Inbox'))).status, 200);
  } finally {
    await new Promise((resolve) => taken.close(resolve));
  }
});

test('Ctrl-C stops it in order, with an open connection too', async (context) => {
  const started = await start(context);
  await fetch(addressOf(started, 'Inbox'));
  assert.equal(await stop(started, 'SIGINT'), { code: 0, signal: null });
});

test.run();
