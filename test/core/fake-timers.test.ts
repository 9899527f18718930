// docs/testing.md explains fake timers. This test checks the explanation in Node's own test runner: if only Date is faked, a service
// works and uses the faked time.
// full-run: slow
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('fake timers');
const moduleUrl = (path: string): string => JSON.stringify(pathToFileURL(resolve(path)).href);

const program = `
import assert from 'node:assert';
import { mock, test } from 'node:test';
import { localKeyring } from ${moduleUrl('adapters/keyring/local.ts')};
import { captureMail } from ${moduleUrl('adapters/mail/capture.ts')};
import { sqliteStorage } from ${moduleUrl('adapters/storage/sqlite.ts')};
import { createService } from ${moduleUrl('core/index.ts')};
import { standardPlugins } from ${moduleUrl('plugins/index.ts')};

test('a call, its job and a stop', { timeout: 60_000 }, async () => {
  mock.timers.enable({ apis: ['Date'], now: Date.parse('2030-01-02T03:04:05Z') });
  const mail = captureMail();
  const service = createService({
    plugins: standardPlugins,
    storage: sqliteStorage({ filename: ':memory:' }),
    keyring: localKeyring({ file: process.env.KEY_FILE }),
    mail,
  });
  await service.migrate();
  const { id } = await service.workspaces.create({ name: 'A', defaultFrom: { email: 'a@acme.example', name: 'A' } });
  const { email } = service.as(id, { actor: 'test' });
  const given = { template: 'login-code', to: 'ada@example.com', variables: { code: '123456', expires_in: 'an hour' } };
  const waiting = async () => (await service.jobs.list({ state: 'ready', kind: 'email.deliver' })).map((job) => job.createdAt);
  await email.send(given);
  assert.deepEqual(await waiting(), [Date.parse('2030-01-02T03:04:05Z')]);
  await service.drain();
  assert.equal(mail.messages().length, 1);
  mock.timers.setTime(Date.parse('2031-01-01T00:00:00Z'));
  await email.send(given);
  assert.deepEqual(await waiting(), [Date.parse('2031-01-01T00:00:00Z')]);
  await service.stop();
});
`;

test('if only Date is faked, a call, its jobs and a stop finish', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-test-'));
  const file = join(folder, 'faked.test.mts');
  writeFileSync(file, program);
  try {
    const output = await new Promise<string>((done) => {
      const args = ['--import', 'tsx', '--test', '--test-reporter', 'tap', file];
      const env: NodeJS.ProcessEnv = { ...process.env, KEY_FILE: join(folder, 'keyring.json') };
      delete env['NODE_TEST_CONTEXT'];
      execFile(process.execPath, args, { timeout: 100_000, env }, (_error, stdout, stderr) => done(stdout + stderr));
    });
    assert.match(output, /^ok 1 /m, output);
    assert.match(output, /^# pass 1$/m, output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
