// Bun as the runtime: a program with Bun.serve sends mail, delivers a webhook and stops. `postrider dev` works, too.
// own-process: runs programs of another runtime.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bunProgram } from '../support/bun.ts';
import { dropSchema, hasPostgres, newSchema, postgresUrl } from '../support/postgres-server.ts';
import { SmtpSink } from '../support/smtp-sink.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { createProjectFolder, type ProjectFolder, program, RunningCall } from './cli-bench.ts';

const test = suite<{ project: ProjectFolder; schema: string }>('Bun');
const runtime = bunProgram();

test.before.each(async (context) => {
  context.schema = newSchema();
  context.project = await createProjectFolder();
  await context.project.install('pg', 'mjml', 'juice', 'html-to-text', 'nodemailer');
});
test.after.each(async ({ project, schema }) => {
  await project.remove();
  await dropSchema(schema);
});

/** The options of a service that delivers to this mail sink and this webhook receiver. */
const options = (schema: string, { port }: SmtpSink, receiver: WebhookReceiver) => `{
  plugins: standardPlugins,
  storage: postgresStorage({ connectionString: ${JSON.stringify(postgresUrl)}, schema: ${JSON.stringify(schema)} }),
  mail: smtpMail({ host: '127.0.0.1', port: ${port}, tls: { rejectUnauthorized: false } }),
  outgoing: { allow: [${JSON.stringify(new URL(receiver.url).host)}] },
}`;

const imports = `
import { createService } from 'postrider';
import { smtpMail } from 'postrider/adapters/mail/smtp';
import { postgresStorage } from 'postrider/adapters/storage/postgres';
import { standardPlugins } from 'postrider/plugins';
`;

if (runtime !== undefined && (await hasPostgres())) {
  test('a program on Bun sends mail, delivers a webhook, answers requests and stops', async ({ project, schema }) => {
    const sink = await SmtpSink.start();
    const receiver = await WebhookReceiver.start();
    await project.write(
      'server.ts',
      `${imports}
const service = createService(${options(schema, sink, receiver)});
await service.migrate();
await service.start();
const server = Bun.serve({ port: 0, fetch: (request) => service.fetch(request, { basePath: '/messaging' }) });
const health = await fetch(new URL('/messaging/v1/health', server.url));
const { id } = await service.workspaces.create({
  name: 'Acme',
  sendingDomains: ['acme.example'],
  defaultFrom: { email: 'hello@acme.example', name: 'Acme' },
});
const acme = service.as(id);
await acme.webhooks.create({ url: ${JSON.stringify(receiver.url)}, events: ['send.sent'] });
await acme.templates.create({ key: 'hi', mode: 'html', subject: 'Hi', body: '<p>こんにちは {{name}}</p>' });
await acme.templates.publish({ key: 'hi' });
await acme.email.send({ template: 'hi', to: 'ada@example.com', variables: { name: 'Ada' } });
process.on('SIGTERM', async () => {
  await server.stop();
  await service.stop();
  console.log('stopped');
});
console.log('ready ' + health.status);
`,
    );
    const call = new RunningCall(project.folder, [], { runtime }, `${project.folder}/server.ts`);
    assert.is(await call.printed(/^ready (\d+)$/m), '200');
    await until(() => sink.messages.length === 1 && receiver.received.length === 1, call);
    assert.is(JSON.parse(receiver.received[0]?.body ?? '').type, 'send.sent');
    const callResult = await call.stop('SIGTERM');
    assert.equal([callResult.code, callResult.stdout.trimEnd().endsWith('stopped')], [0, true], callResult.stderr);
    assert.equal([sink.messages.length, receiver.received.length], [1, 1]);
    await sink.stop();
    await receiver.close();
  });

  test('postrider dev on Bun starts, answers and stops', async ({ project, schema }) => {
    const sink = await SmtpSink.start();
    const receiver = await WebhookReceiver.start();
    await project.write(
      'postrider.config.ts',
      `${imports}
export default createService(${options(schema, sink, receiver)});
`,
    );
    const call = new RunningCall(project.folder, ['dev'], { runtime, env: { PORT: '0' } }, program);
    await call.printed(/Ctrl-C stops it\./);
    const inbox = /^ *Inbox +(http:\S+)/m.exec(call.stdout)?.[1] ?? '';
    assert.is((await fetch(inbox)).status, 200);
    const { code, stderr } = await call.stop();
    assert.is(code, 0, stderr);
    await sink.stop();
    await receiver.close();
  });
}

/** Waits for a condition while the program runs. */
async function until(condition: () => boolean, call: RunningCall): Promise<void> {
  while (!condition()) {
    if (call.child.exitCode !== null) throw new Error(`The program ended:\n${call.stdout}\n${call.stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test.run();
