// A small shop that embeds the service: an order and its receipt commit in one transaction on the shop's own database.
// Used by main.ts and by a test.
import BetterSqlite from 'better-sqlite3';
import express from 'express';
import { type Generated, Kysely, SqliteDialect } from 'kysely';
import { createService, isPostriderError } from 'postrider';
import { localKeyring } from 'postrider/adapters/keyring/local';
import { sqliteStorage } from 'postrider/adapters/storage/sqlite';
import { expressHost } from 'postrider/express';
import { standardPlugins } from 'postrider/plugins';

type ServiceOptions = Parameters<typeof createService>[0];

interface Tables {
  /** One row: the shop's workspace. */
  shop: { workspace_id: string };
  orders: { id: Generated<number>; email: string; item: string; quantity: number };
}

/** The shop's files, and its mail adapter. */
export interface ShopOptions {
  readonly filename: string;
  readonly keyFile: string;
  readonly mail: NonNullable<ServiceOptions['mail']>;
}

async function openDatabase(filename: string): Promise<Kysely<Tables>> {
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new BetterSqlite(filename) }) });
  await db.schema
    .createTable('shop')
    .ifNotExists()
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('orders')
    .ifNotExists()
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('item', 'text', (column) => column.notNull())
    .addColumn('quantity', 'integer', (column) => column.notNull())
    .execute();
  return db;
}

const receipt = {
  key: 'order-receipt',
  subject: 'Your order {{order}}',
  body: `<mjml><mj-body><mj-section><mj-column>
    <mj-text font-size="20px">Thank you!</mj-text>
    <mj-text>{{quantity}} × {{item}} will be on the way today.</mj-text>
  </mj-column></mj-section></mj-body></mjml>`,
  variables: {
    type: 'object',
    required: ['order', 'item', 'quantity'],
    properties: { order: { type: 'integer' }, item: { type: 'string' }, quantity: { type: 'integer', minimum: 1 } },
  },
};

const compose = ({ filename, keyFile, mail }: ShopOptions) =>
  createService({
    plugins: standardPlugins,
    storage: sqliteStorage({ filename }),
    keyring: localKeyring({ file: keyFile }),
    mail,
  });

/** The first start: a workspace with the one template that the shop sends. */
async function openShop(service: ReturnType<typeof compose>, db: Kysely<Tables>): Promise<string> {
  const { id } = await service.workspaces.create({
    name: 'Shop',
    defaultFrom: { email: 'orders@shop.example', name: 'The shop' },
  });
  const { templates } = service.as(id, { actor: 'shop' });
  await templates.create(receipt);
  await templates.publish({ key: receipt.key });
  await db.insertInto('shop').values({ workspace_id: id }).execute();
  return id;
}

/** The shop as an Express program, ready to listen. */
export async function createShop(options: ShopOptions) {
  const { filename } = options;
  const service = compose(options);
  await service.migrate();
  await service.start();
  const db = await openDatabase(filename);
  const shop = await db.selectFrom('shop').selectAll().executeTakeFirst();
  const workspaceId = shop?.workspace_id ?? (await openShop(service, db));
  const { email } = service.as(workspaceId, { actor: 'shop' });

  const app = express();
  app.use(express.json());
  app.use('/messaging', expressHost(service));

  app.post('/orders', async (request, response) => {
    const { email: to, item, quantity } = request.body as { email: string; item: string; quantity: number };
    const placedOrder = await db.transaction().execute(async (trx) => {
      // A write first: on SQLite, a transaction that begins with a read may find the file locked at its first write.
      const order = await trx
        .insertInto('orders')
        .values({ email: to, item, quantity })
        .returning('id')
        .executeTakeFirstOrThrow();
      const variables = { order: order.id, item, quantity };
      const send = await email.send({ template: receipt.key, to, variables }, { trx });
      return { order: order.id, send: send.id };
    });
    response.status(201).json(placedOrder);
  });

  app.get('/orders', async (_request, response) => {
    response.json(await db.selectFrom('orders').selectAll().execute());
  });

  app.use(((error, _request, response, next) => {
    if (!isPostriderError(error)) return next(error);
    response.status(error.status).json({ reason: error.message, details: error.details });
  }) satisfies express.ErrorRequestHandler);

  return {
    app,
    service,
    workspaceId,
    async close() {
      await service.stop();
      await db.destroy();
    },
  };
}
