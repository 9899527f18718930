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

interface CallOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** The text that the call reads from its stdin. */
  readonly stdinText?: string;
  /** A text by which the call is found. (Default: the document has one call) */
  readonly containing?: string;
  /** Ids in the call, and the ids to call with instead. */
  readonly ids?: Readonly<Record<string, string>>;
}

/** Runs a call of the document against the service. */
async function runCall(
  context: Context,
  document: string,
  { env = {}, stdinText: piped = '', containing: holds = '', ids = {} }: CallOptions = {},
): Promise<string> {
  const calls = (await codeBlocks(document, 'sh')).filter(
    (block) => block.startsWith('curl ') && block.includes(holds),
  );
  assert.is(calls.length, 1);
  const line = Object.entries(ids)
    .reduce((text, [id, replacement]) => text.replace(id, replacement), calls.join(''))
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
  const first = await runCall(context, 'docs/idempotency.md');
  assert.is(JSON.parse(first).to, 'ada@example.com');
  assert.is(await runCall(context, 'docs/idempotency.md'), first);
  assert.is((await sends.list()).data.length, 1);
});

test('planned emails: the answer is what the page shows', async (context) => {
  const plannedEmail = JSON.parse(await runCall(context, 'docs/planned-emails.md', { containing: 'scheduleAt' }));
  assert.equal([plannedEmail.name, plannedEmail.status, plannedEmail.templateKey], ['Spring news', 'planned', null]);
});

test('planned emails: the call creates a broadcast from a planned email', async (context) => {
  const { service, workspaceId } = context.bench;
  const { campaigns, lists } = service.as(workspaceId);
  const scheduleAt = new Date(context.bench.now() + 86_400_000).toISOString();
  const { campaignId } = await campaigns.planned({ name: 'Spring news', scheduleAt, timezone: 'UTC' });
  const { listId } = await lists.create({ name: 'Readers' });
  const answer = await runCall(context, 'docs/planned-emails.md', {
    env: { CAMPAIGN: campaignId },
    containing: '$CAMPAIGN/broadcast',
    ids: { lst_01JD3Q5S8ZK2M4N6P8R0T2V4W6: listId },
  });
  const { broadcastId, ...broadcast } = JSON.parse(answer);
  assert.equal([broadcast.status, broadcast.name, broadcast.campaignId], ['draft', 'Spring news', campaignId]);
  assert.is((await campaigns.plannedRead({ campaignId })).broadcastId, broadcastId);
});

test('QR codes: the picture is written', async (context) => {
  const { service, workspaceId } = context.bench;
  const design = await service.as(workspaceId).qr.create({ encodes: { kind: 'static', payload: 'Table 4' } });
  await runCall(context, 'docs/qr.md', { env: { QR: design.qrId } });
  assert.match(await readFile(join(context.folder, 'table-4.svg'), 'utf8'), /^<svg /);
});

test('providers: a mail from the pipe of a mail server is accepted', async (context) => {
  const mail = 'From: ada@example.com\r\nTo: hello@acme.example\r\nSubject: Away\r\n\r\nI am away.\r\n';
  await runCall(context, 'docs/providers.md', { env: { MAILBOX_SECRET: mailboxSecret }, stdinText: mail });
  const refusal = await runCall(context, 'docs/providers.md', {
    env: { MAILBOX_SECRET: 'another' },
    stdinText: mail,
  }).then(
    () => false,
    () => true,
  );
  assert.ok(refusal);
});

test.run();
