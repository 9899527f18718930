// time-limit: 600
// postrider/webhooks as published in the package: it runs without any other package, and a program that imports only this module gets the
// types of every event.
// full-run: slow
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { signWebhook } from '../../core/unstable.ts';
import { writeBuiltPackage } from '../support/built-package.ts';
import { typeCompiler } from '../support/type-compiler.ts';

const run = promisify(execFile);
const root = resolve('.');
const secret = 'whsec_cG9zdHJpZGVyLWRvY3VtZW50YXRpb24tdmVjdG9y';

const test = suite<{ folder: string }>('the subpath postrider/webhooks', { folder: '' });

test.before(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'postrider-receiver-'));
  const packageFolder = join(context.folder, 'node_modules/postrider');
  await mkdir(packageFolder, { recursive: true });
  await copyFile('package.json', join(packageFolder, 'package.json'));
  await writeBuiltPackage(join(packageFolder, 'dist'));
  await writeFile(join(context.folder, 'package.json'), '{"type":"module"}');
});

test.after(({ folder }) => rm(folder, { recursive: true, force: true }));

test('the module verifies a webhook without any other package', async ({ folder }) => {
  const body = '{"id":"evt_1","type":"send.sent","source":"service","data":{}}';
  const toSign = { eventId: 'evt_1', eventType: 'send.sent', deliveryId: 'dlv_1', timestampSeconds: 1_795_187_045 };
  const headers = signWebhook({ ...toSign, body, secrets: [secret], service: 'Postrider' });
  const input = JSON.stringify({ body, headers, secret, now: toSign.timestampSeconds * 1000 });
  const program = `import { isWebhookVerificationError, verifyWebhook } from 'postrider/webhooks';
const reasonOf = (webhook) => {
  try {
    return verifyWebhook(webhook).type;
  } catch (error) {
    return isWebhookVerificationError(error, error.reason) && error.reason;
  }
};
const given = ${input};
console.log(JSON.stringify([reasonOf(given), reasonOf({ ...given, body: '{}' })]));`;
  await writeFile(join(folder, 'program.mjs'), program);
  const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: folder });
  assert.equal(JSON.parse(stdout), ['send.sent', 'signature_mismatch']);
});

const receiver = `import { verifyWebhook, type email, type WebhookEvent, type WebhookEventType } from 'postrider/webhooks';

export function told(body: Uint8Array, headers: Headers): string {
  const event: WebhookEvent = verifyWebhook({ body, headers, secret: '' });
  if (event.source === 'custom') {
    const { contact, metadata } = event.data;
    return \`\${event.type} \${contact.email ?? ''} \${Object.keys(metadata).length}\`;
  }
  switch (event.type) {
    case 'send.bounced': {
      const data: email.SendEventData = event.data;
      return \`\${data.to} \${data.event.bounce?.class ?? ''}\`;
    }
    case 'contact.created':
      return event.data.id;
    case 'schema_contract.changed':
      return event.data.added.join();
    case 'webhook.disabled':
      return event.data.url;
    // @ts-expect-error there is no such event
    case 'send.teleported':
      return '';
    default:
      // @ts-expect-error what is left has no one shape
      return event.data.to;
  }
}

export const names: readonly WebhookEventType[] = ['send.sent', 'contact.updated'];
// @ts-expect-error not of the catalogue
export const other: WebhookEventType = 'order_paid';
// @ts-expect-error a parsed body
export const parsed = () => verifyWebhook({ body: { id: 'evt_1' }, headers: {}, secret: '' });
`;

for (const settings of [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
]) {
  test(`a program with ${settings.moduleResolution} gets its types`, async ({ folder }) => {
    const folderOfSetting = join(folder, settings.moduleResolution);
    await mkdir(join(folderOfSetting, 'node_modules'), { recursive: true });
    // The regular dependencies on which the types of the package are based
    for (const name of ['zod', 'kysely', 'postrider'])
      await symlink(
        join(name === 'postrider' ? folder : root, 'node_modules', name),
        join(folderOfSetting, 'node_modules', name),
      );
    const compilerOptions = {
      ...settings,
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      target: 'ES2023',
      skipLibCheck: false,
      preserveSymlinks: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    };
    await writeFile(join(folderOfSetting, 'package.json'), '{"type":"module"}');
    await writeFile(
      join(folderOfSetting, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['receiver.ts'] }),
    );
    await writeFile(join(folderOfSetting, 'receiver.ts'), receiver);
    const output = await run(process.execPath, [typeCompiler, '-p', '.'], { cwd: folderOfSetting }).then(
      () => '',
      (error: { stdout?: string }) => String(error.stdout),
    );
    assert.is(output, '');
  });
}

test.run();
