// A shop on Express and PostgreSQL in one file: an order and its receipt in one transaction, a handler of webhooks, and a
// graceful stop. It creates its own tables. Install postrider, express, pg, kysely, mjml, juice and html-to-text, then run
// DATABASE_URL=postgres://app@127.0.0.1/app npx tsx examples/express-postgres/main.ts
import express from 'express';
import { type Generated, Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { createService, isPostriderError } from 'postrider';
import { localKeyring } from 'postrider/adapters/keyring/local';
import { captureMail } from 'postrider/adapters/mail/capture';
import { smtpMail } from 'postrider/adapters/mail/smtp';
import { postgresStorage } from 'postrider/adapters/storage/postgres';
import { expressHost } from 'postrider/express';
import { standardPlugins } from 'postrider/plugins';
import { isWebhookVerificationError, verifyWebhook, type WebhookEvent } from 'postrider/webhooks';

const { DATABASE_URL, POSTRIDER_KEY, SMTP_HOST, SMTP_PORT = '587', SMTP_USER = '', SMTP_PASSWORD = '' } = process.env;
if (DATABASE_URL === undefined) throw new Error('Set DATABASE_URL, such as postgres://app@127.0.0.1/app.');
const port = Number(process.env['PORT'] ?? 3_000);
const publicUrl = process.env['PUBLIC_URL'] ?? `http://localhost:${port}`;

// One pool for the shop and the service, whose tables begin with postrider_.
const pool = new pg.Pool({ connectionString: DATABASE_URL });
// Without a listener, a lost connection ends the process.
pool.on('connect', (client) => client.on('error', (error) => console.error(`A connection was lost: ${error.message}`)));
pool.on('error', () => undefined);

interface Tables {
  /** One row: the shop's workspace, and the secret that signs what the service posts to the shop. */
  shop: { workspace_id: string; webhook_secret: string };
  orders: {
    id: Generated<number>;
    email: string;
    item: string;
    quantity: number;
    send_id: string | null;
    receipt: string;
  };
  /** Processed webhooks: each may arrive more than once. */
  webhook_events: { id: string };
}

const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });

async function createTables(): Promise<void> {
  await sql`create table if not exists shop (workspace_id text not null, webhook_secret text not null)`.execute(db);
  await sql`create table if not exists orders (
    id serial primary key, email text not null, item text not null, quantity integer not null,
    send_id text unique, receipt text not null default 'waiting')`.execute(db);
  await sql`create table if not exists webhook_events (id text primary key)`.execute(db);
}

const login = SMTP_USER === '' ? {} : { auth: { user: SMTP_USER, pass: SMTP_PASSWORD } };
const printedMail = captureMail();
printedMail.onMessage(({ to, subject }) => console.log(`Mail to ${to.email}: ${subject}`));

const service = createService({
  plugins: standardPlugins,
  storage: postgresStorage({ pool }),
  mail: SMTP_HOST === undefined ? printedMail : smtpMail({ host: SMTP_HOST, port: Number(SMTP_PORT), ...login }),
  ...(POSTRIDER_KEY === undefined ? {} : { keyring: localKeyring({ keys: POSTRIDER_KEY }) }),
  publicUrl: `${publicUrl}/messaging`,
});

/** The first start: a workspace with the template that the shop sends, and a webhook to the shop itself. */
async function openShop(): Promise<Tables['shop']> {
  const defaultFrom = { email: 'orders@shop.example', name: 'The shop' };
  const { id } = await service.workspaces.create({ name: 'Shop', defaultFrom });
  const { templates, webhooks } = service.as(id, { actor: 'shop' });
  await templates.create({
    key: 'order-receipt',
    mode: 'html',
    subject: 'Your order {{order}}',
    body: '<p>Thank you! {{quantity}} × {{item}} will be on the way today.</p>',
    variables: {
      type: 'object',
      required: ['order', 'item', 'quantity'],
      properties: { order: { type: 'integer' }, item: { type: 'string' }, quantity: { type: 'integer', minimum: 1 } },
    },
  });
  await templates.publish({ key: 'order-receipt' });
  const url = `${publicUrl}/webhooks`;
  const { secret } = await webhooks.create({ url, events: ['send.sent', 'send.bounced', 'send.failed'] });
  const shop = { workspace_id: id, webhook_secret: secret };
  await db.insertInto('shop').values(shop).execute();
  return shop;
}

await service.migrate();
await createTables();
const shop = (await db.selectFrom('shop').selectAll().executeTakeFirst()) ?? (await openShop());
const { email } = service.as(shop.workspace_id, { actor: 'shop' });

/** Stores the state of a receipt in the same transaction as the webhook's id. */
async function storeReceiptState(trx: Transaction<Tables>, event: WebhookEvent): Promise<void> {
  const insertion = trx.insertInto('webhook_events').values({ id: event.id });
  const { numInsertedOrUpdatedRows } = await insertion
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n || event.source === 'custom') return;
  if (event.type !== 'send.sent' && event.type !== 'send.bounced' && event.type !== 'send.failed') return;
  const { id, status } = event.data;
  await trx.updateTable('orders').set({ receipt: status }).where('send_id', '=', id).execute();
}

const app = express();
app.use('/messaging', expressHost(service));

// Before express.json(): a parsed body cannot be verified.
app.post('/webhooks', express.raw({ type: 'application/json' }), async (request, response) => {
  let event: WebhookEvent;
  try {
    event = verifyWebhook({ body: request.body, headers: request.headers, secret: shop.webhook_secret });
  } catch (error) {
    if (!isWebhookVerificationError(error)) throw error;
    response.sendStatus(400);
    return;
  }
  await db.transaction().execute((trx) => storeReceiptState(trx, event));
  response.sendStatus(204);
});

app.use(express.json());

app.post('/orders', async (request, response) => {
  const { email: to, item, quantity } = request.body as { email: string; item: string; quantity: number };
  // The order, its receipt and all rows of the send commit together, or not at all.
  const placedOrder = await db.transaction().execute(async (trx) => {
    const orderInsertion = trx
      .insertInto('orders')
      .values({ email: to, item, quantity, send_id: null, receipt: 'waiting' });
    const { id } = await orderInsertion.returning('id').executeTakeFirstOrThrow();
    const send = await email.send({ template: 'order-receipt', to, variables: { order: id, item, quantity } }, { trx });
    await trx.updateTable('orders').set({ send_id: send.id }).where('id', '=', id).execute();
    return { order: id, send: send.id };
  });
  response.status(201).json(placedOrder);
});

app.get('/orders', async (_request, response) => {
  response.json(await db.selectFrom('orders').selectAll().orderBy('id').execute());
});

app.use(((error, _request, response, next) => {
  if (!isPostriderError(error)) return next(error);
  response.status(error.status).json({ reason: error.message, details: error.details });
}) satisfies express.ErrorRequestHandler);

await service.start();
const server = app.listen(port, '127.0.0.1', () => {
  console.log(`The shop is at http://localhost:${port}. Order something:

curl http://localhost:${port}/orders -H 'Content-Type: application/json' -d '{"email":"ada@example.com","item":"mug","quantity":2}'`);
});

/** Open requests are answered and running jobs end. The next process runs the waiting jobs. */
async function stop(): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  setTimeout(() => server.closeAllConnections(), 10_000).unref();
  await closed;
  await service.stop();
  await db.destroy();
}
process.once('SIGTERM', stop).once('SIGINT', stop);
