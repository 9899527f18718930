// A service without a mail adapter: it logs a warning when it starts, and a send fails with the reason.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { captureMail } from '../../adapters/mail/capture.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/index.ts';
import { standardPlugins } from '../../plugins/index.ts';

const test = suite('a service without a mail adapter');
const ignore = (): void => undefined;

/** A started service in memory, and the warnings of its start. */
async function startedService(mail?: ReturnType<typeof captureMail>) {
  const warnings: string[] = [];
  const warn = (_fields: unknown, message?: string) => void warnings.push(String(message));
  const service = createService({
    plugins: standardPlugins,
    storage: sqliteStorage({ filename: ':memory:' }),
    logger: { debug: ignore, info: ignore, warn, error: ignore },
    ...(mail === undefined ? {} : { mail }),
  });
  await service.migrate();
  await service.start();
  return { service, warnings: warnings.filter((text) => text.includes('mail adapter')) };
}

test('the start logs a warning that names the missing adapter, and no warning if there is an adapter', async () => {
  const { service, warnings } = await startedService();
  await service.stop();
  assert.is(warnings.length, 1);
  assert.match(warnings[0] ?? '', 'Give createService a `mail`, such as smtpMail({ host })');

  const complete = await startedService(captureMail());
  await complete.service.stop();
  assert.equal(complete.warnings, []);
});

test('a send fails with the reason', async () => {
  const { service } = await startedService();
  try {
    const { id: workspaceId } = await service.workspaces.create({
      name: 'Acme',
      defaultFrom: { email: 'hello@acme.example', name: 'Acme' },
    });
    const { templates, email, sends } = service.as(workspaceId);
    await templates.create({ key: 'hello', mode: 'html', subject: 'Hi', body: '<p>Hi.</p>' });
    await templates.publish({ key: 'hello' });
    const { id } = await email.send({ template: 'hello', to: 'ada@example.com', variables: {} });
    await service.drain();
    const send = await sends.read({ id });
    assert.is(send.status, 'failed');
    assert.match(JSON.stringify(send.events), 'No mail adapter is configured');
  } finally {
    await service.stop();
  }
});

test.run();
