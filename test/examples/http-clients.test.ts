// The clients in docs/http-clients.md, each run by its own interpreter against a service that listens on a port.
// time-limit: 240
// full-run: slow
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createService } from 'postrider';
import { captureMail } from 'postrider/adapters/mail/capture';
import { sqliteStorage } from 'postrider/adapters/storage/sqlite';
import { nodeHost } from 'postrider/node';
import { standardPlugins } from 'postrider/plugins';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mayUse } from '../support/services.ts';
import { codeBlocks } from './documents.ts';

const runFile = promisify(execFile);
const document = 'docs/http-clients.md';

interface Language {
  readonly block: string;
  readonly file: string;
  readonly command: readonly [string, ...string[]];
  /** Arguments with which the program succeeds if everything it needs is installed. */
  readonly probe: readonly string[];
  /** The program's output after the send and the error. */
  readonly more?: string;
}

const languages: readonly Language[] = [
  { block: 'sh', file: 'send.sh', command: ['sh'], probe: ['-c', 'curl --version'] },
  { block: 'python', file: 'send.py', command: ['python3'], probe: ['--version'], more: 'welcome sent\n' },
  { block: 'go', file: 'main.go', command: ['go', 'run'], probe: ['version'] },
  { block: 'php', file: 'send.php', command: ['php'], probe: ['--version'] },
  { block: 'ruby', file: 'send.rb', command: ['ruby'], probe: ['--version'] },
];

const isInstalled = ({ command: [program], probe }: Language): Promise<boolean> =>
  runFile(program, probe).then(
    () => true,
    () => false,
  );

const mail = captureMail();
/** The clock does not advance by itself: request buckets refill only when a test advances it. */
let now = Date.UTC(2026, 0, 5);
const service = createService({
  plugins: standardPlugins,
  storage: sqliteStorage({ filename: ':memory:' }),
  mail,
  environment: 'development',
  clock: { now: () => now },
  plans: { pro: { keyRate: 2, keyBurst: 5 } },
});

/** Sends requests until the service refuses one. */
async function emptyBucket(authorization: string): Promise<void> {
  for (let requestCount = 0; requestCount < 10; requestCount += 1) {
    const answer = await service.fetch(new Request('http://localhost/v1/sends', { headers: { authorization } }));
    if (answer.status === 429) return;
  }
  throw new Error('The service limits nothing.');
}

/** Status and Retry-After of the refused requests. */
const refusals: unknown[] = [];

const test = suite<{ server: Server; url: string; folder: string }>('HTTP clients');

/** Keys whose first send is executed, but whose answer is then lost. */
const keysWithLostAnswer = new Set<string>();
/** Keys that send again while their bucket is empty. */
const keysWithEmptyBucket = new Set<string>();
/** The number of welcome mails that each key sent. */
const attempts = new Map<string, number>();

test.before(async (context) => {
  await service.migrate();
  context.folder = await mkdtemp(join(tmpdir(), 'postrider-clients-'));
  const host = nodeHost(service);
  context.server = createServer((request, response) => {
    const key = request.headers.authorization ?? '';
    if (request.url === '/v1/templates/welcome/send') attempts.set(key, (attempts.get(key) ?? 0) + 1);
    if (request.method === 'POST' && keysWithLostAnswer.delete(key)) {
      // The service does its work, but the client sees a broken connection.
      response.end = () => response.destroy();
      response.write = () => true;
      host(request, response);
    } else if (request.method === 'POST' && keysWithEmptyBucket.delete(key)) {
      response.on('finish', () => {
        refusals.push([response.statusCode, response.getHeader('retry-after')]);
        now += 10_000;
      });
      emptyBucket(key).then(
        () => host(request, response),
        () => response.destroy(),
      );
    } else host(request, response);
  });
  context.server.listen(0, '127.0.0.1');
  await once(context.server, 'listening');
  context.url = `http://127.0.0.1:${(context.server.address() as AddressInfo).port}`;
});

test.after(async ({ server, folder }) => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await service.stop();
  await rm(folder, { recursive: true });
});

async function openWorkspace(): Promise<{ id: string; secret: string }> {
  const defaultFrom = { email: 'hello@acme.example', name: 'Acme' };
  const { id } = await service.workspaces.create({ name: 'Acme', plan: 'pro', defaultFrom });
  const { secret } = await service.keys.create({ workspaceId: id, name: 'client', preset: 'send' });
  return { id, secret };
}

for (const language of languages) {
  const { block, file, command, more = '' } = language;
  test(`${block}: the client sends once, although the first answer is lost and the next is 429`, async ({
    url,
    folder,
  }) => {
    if (!mayUse(`the ${block} client`, await isInstalled(language), `${command[0]} is not installed`)) return;
    const { id, secret } = await openWorkspace();
    const isShell = block === 'sh';
    // curl alone does not retry.
    if (!isShell) {
      keysWithLostAnswer.add(`Bearer ${secret}`);
      keysWithEmptyBucket.add(`Bearer ${secret}`);
    }
    await writeFile(join(folder, file), (await codeBlocks(document, block)).join('\n'));
    const [program, ...options] = command;
    const { stdout } = await runFile(program, [...options, file], {
      cwd: folder,
      env: {
        ...process.env,
        POSTRIDER_API_URL: url,
        POSTRIDER_API_KEY: secret,
        GOCACHE: join(folder, 'go'),
        GO111MODULE: 'off',
      },
    });
    if (isShell) assert.is(JSON.parse(stdout).status, 'sent');
    else assert.match(stdout, new RegExp(`^snd_\\w+ sent\ntemplate_not_found\n${more}$`));

    assert.is(attempts.get(`Bearer ${secret}`), isShell ? 1 : 3);
    assert.equal(refusals.splice(0), isShell ? [] : [[429, '1']]);
    const { data } = await service.as(id).sends.list();
    assert.is(data.length, 1);
    mail.clear();
    await service.drain();
    assert.equal(
      mail.messages().map(({ to }) => to.email),
      ['ada@example.com'],
    );
  });
}

test.run();
