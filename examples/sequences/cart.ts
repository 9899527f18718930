// A cart with a reminder: filling it starts a sequence, and a paid order ends the sequence in the transaction that stores the order.
import BetterSqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { createService } from 'postrider';
import { sqliteStorage } from 'postrider/adapters/storage/sqlite';
import { defineSequence, standardPlugins } from 'postrider/plugins';

interface Tables {
  orders: { id: string; email: string; total: number };
}

/** The reminder is sent four hours after the cart was filled, unless an order ends the sequence earlier. */
const cart = (waiting: string) =>
  defineSequence({
    key: 'cart',
    name: 'Abandoned cart',
    trigger: { kind: 'event', type: 'cart_filled' },
    nodes: [
      { id: 'wait', kind: 'wait_for_event', type: 'order_paid', timeout: waiting },
      {
        id: 'remind',
        kind: 'send_email',
        templateKey: 'cart_reminder',
        variables: { items: '{{ event.metadata.items }}' },
      },
      { id: 'bought', kind: 'exit', reason: 'bought' },
    ],
    edges: [
      { from: 'wait', when: 'matched', to: 'bought' },
      { from: 'wait', when: 'timeout', to: 'remind' },
    ],
  });

export interface CartOptions {
  readonly filename: string;
  readonly mail: NonNullable<Parameters<typeof createService>[0]['mail']>;
  /** How long an order may take, as ISO 8601. (Default: PT4H) */
  readonly waiting?: string;
}

export async function createCart({ filename, mail, waiting = 'PT4H' }: CartOptions) {
  const service = createService({ plugins: standardPlugins, storage: sqliteStorage({ filename }), mail });
  await service.migrate();
  const from = { email: 'hello@acme.example', name: 'Acme' };
  const { id } = await service.workspaces.create({ name: 'Acme', defaultFrom: from });
  const { templates, sequences, events } = service.as(id);
  await templates.create({
    key: 'cart_reminder',
    mode: 'html',
    subject: 'Your cart waits for you',
    body: '<p>{{ items }} things are still in it.</p>',
    variables: { type: 'object', properties: { items: { type: 'integer' } }, required: ['items'] },
  });
  await templates.publish({ key: 'cart_reminder' });
  const { key, name, trigger, nodes, edges } = cart(waiting);
  await sequences.create({ key, name, trigger, nodes, edges });
  await sequences.publish({ keyOrId: key });

  const database = new BetterSqlite(filename);
  database.pragma('busy_timeout = 5000');
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
  const orderTable = db.schema
    .createTable('orders')
    .ifNotExists()
    .addColumn('id', 'text', (column) => column.primaryKey());
  await orderTable.addColumn('email', 'text').addColumn('total', 'integer').execute();

  return {
    service,
    sequences,
    fillCart: (email: string, items: number) =>
      events.emit({ type: 'cart_filled', contact: { email }, metadata: { items } }),
    /** Stores the order and ends the reminder together. Returns the number of runs that the order moved. */
    pay: (order: Tables['orders'], check: () => void = () => {}) =>
      db.transaction().execute(async (trx) => {
        await trx.insertInto('orders').values(order).execute();
        const metadata = { order: order.id, total: order.total };
        const emitted = await events.emit({ type: 'order_paid', contact: { email: order.email }, metadata }, { trx });
        check();
        return emitted.fan_out.sequences_woken;
      }),
    orders: () => db.selectFrom('orders').selectAll().execute(),
    async close() {
      await db.destroy();
      await service.stop();
    },
  };
}
