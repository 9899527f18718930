// A program that bundlers bundle: starts a service, publishes a template, draws a QR code, and prints the result of each.
import { createService } from 'postrider';
import { captureMail } from 'postrider/adapters/mail/capture';
import { sqliteStorage } from 'postrider/adapters/storage/sqlite';
import { standardPlugins } from 'postrider/plugins';

async function resultOf(work) {
  try {
    await work();
    return 'done';
  } catch ({ status, message }) {
    return status === undefined ? message : `${status} ${message}`;
  }
}

async function main() {
  const storage = sqliteStorage({ filename: ':memory:' });
  const service = createService({ plugins: standardPlugins, storage, mail: captureMail() });
  await service.migrate();
  const start = await resultOf(() => service.start());
  const again = await resultOf(() => service.start());
  const { id } = await service.workspaces.create({
    name: 'Acme',
    defaultFrom: { email: 'hello@acme.example', name: 'Acme' },
  });
  const { templates, qr } = service.as(id);
  const body =
    '<mjml><mj-body><mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section></mj-body></mjml>';
  await templates.create({ key: 'hello', subject: 'Hello', body });
  const publish = await resultOf(() => templates.publish({ key: 'hello' }));
  const draw = await resultOf(async () => {
    const { qrId } = await qr.create({ encodes: { kind: 'static', payload: 'https://acme.example' } });
    await qr.render({ qrId, format: 'svg' });
  });
  process.stdout.write(JSON.stringify({ start, again, publish, draw }), () => process.exit());
}
void main();
