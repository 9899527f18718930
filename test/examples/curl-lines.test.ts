// The curl calls in the documents, against a service on a local port: each is answered, and has the effect that its page describes.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mailboxReports } from '../../adapters/mail/mailbox.ts';
import { createTestService, type TestService } from '../../hosts/testing/index.ts';
import { emailPlugin } from '../../plugins/email/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { closeServer, portOf, serveBelow } from '../support/based-server.ts';
import { codeBlocks } from './documents.ts';

interface Context {
  bench: TestService<(typeof standardPlugins)[number]['id']>;
  key: string;
  folder: string;
  mounted: Server;
  bare: Server;
}

const test = suite<Context>('calls of curl');
const mailboxSecret = 'the secret of a mailbox that reports';

test.before(async (context) => {
  const email = emailPlugin({ reports: [mailboxReports({ secret: mailboxSecret })] });
  context.bench = await createTestService({
    // Less than a year before the date in docs/planned-emails.md.
    startAt: Date.UTC(2026, 8, 1),
    plugins: standardPlugins.map((plugin) => (plugin.id === 'email' ? email : plugin)),
  });
  const { service, workspaceId } = context.bench;
  context.key = (await service.keys.create({ workspaceId, name: 'curl', preset: 'full' })).secret;
  context.folder = await mkdtemp(join(tmpdir(), 'postrider-curl-'));
  context.mounted = await serveBelow('/messaging', service);
  context.bare = await serveBelow('', service);
});

test.after(async ({ bench, folder, mounted, bare }) => {
  await closeServer(mounted);
  await closeServer(bare);
  await bench.close();
  await rm(folder, { recursive: true });
});

/** Runs the document's only call against the service, with `piped` on its stdin. */
async function called(context: Context, document: string, env: NodeJS.ProcessEnv = {}, piped = ''): Promise<string> {
  const calls = (await codeBlocks(document, 'sh')).filter((block) => block.startsWith('curl '));
  assert.is(calls.length, 1);
  const line = calls
    .join('')
    .replace('https://app.example.com/messaging', `http://127.0.0.1:${portOf(context.mounted)}/messaging`)
    .replace('https://mail.acme.example', `http://127.0.0.1:${portOf(context.bare)}`);
  assert.not.match(line, /https:/);
  const running = promisify(execFile)('sh', ['-c', line], {
    cwd: context.folder,
    env: { ...process.env, KEY: context.key, ...env },
  });
  running.child.stdin?.end(piped);
  return (await running).stdout;
}

test('idempotency: running the same line twice makes one send', async (context) => {
  const { service, workspaceId } = context.bench;
  const { sends } = service.as(workspaceId);
  const first = await called(context, 'docs/idempotency.md');
  assert.is(JSON.parse(first).to, 'ada@example.com');
  assert.is(await called(context, 'docs/idempotency.md'), first);
  assert.is((await sends.list()).data.length, 1);
});

test('planned emails: the answer is what the page shows', async (context) => {
  const planned = JSON.parse(await called(context, 'docs/planned-emails.md'));
  assert.equal([planned.name, planned.status, planned.templateKey], ['Spring news', 'planned', null]);
});

test('QR codes: the picture is written', async (context) => {
  const { service, workspaceId } = context.bench;
  const design = await service.as(workspaceId).qr.create({ encodes: { kind: 'static', payload: 'Table 4' } });
  await called(context, 'docs/qr.md', { QR: design.qrId });
  assert.match(await readFile(join(context.folder, 'table-4.svg'), 'utf8'), /^<svg /);
});

test('providers: a mail from the pipe of a mail server is accepted', async (context) => {
  const mail = 'From: ada@example.com\r\nTo: hello@acme.example\r\nSubject: Away\r\n\r\nI am away.\r\n';
  await called(context, 'docs/providers.md', { MAILBOX_SECRET: mailboxSecret }, mail);
  const refused = await called(context, 'docs/providers.md', { MAILBOX_SECRET: 'another' }, mail).then(
    () => false,
    () => true,
  );
  assert.ok(refused);
});

test.run();
