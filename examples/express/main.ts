// The shop on a port, with its mail printed instead of sent: npx tsx examples/express/main.ts
import { mkdir } from 'node:fs/promises';
import { captureMail } from 'postrider/adapters/mail/capture';
import { createShop } from './shop.ts';

const port = Number(process.env['PORT'] ?? 3_000);
const mail = captureMail();
mail.onMessage(({ to, subject, text }) => console.log(`\nMail to ${to.email}: ${subject}\n${text}\n`));

await mkdir('.postrider', { recursive: true });
const shop = await createShop({ filename: '.postrider/shop.sqlite', keyFile: '.postrider/keyring.json', mail });
const server = shop.app.listen(port, '127.0.0.1', () => {
  console.log(`The shop is at http://127.0.0.1:${port}. Order something:

curl http://127.0.0.1:${port}/orders -H 'Content-Type: application/json' -d '{"email":"ada@example.com","item":"mug","quantity":2}'`);
});

async function stop(): Promise<void> {
  server.close();
  server.closeAllConnections();
  await shop.close();
}
process.once('SIGINT', stop).once('SIGTERM', stop);
