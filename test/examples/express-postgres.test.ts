// examples/express-postgres as a separate process on a real PostgreSQL: orders with their receipts, webhooks to the
// program itself, and the state after a stop and a second start.
// time-limit: 120
// full-run: slow
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from '../support/free-port.ts';
import { hasPostgres, newSchema, postgresUrl, queryOnOwnConnection } from '../support/postgres-server.ts';

const test = suite('the example for Express and PostgreSQL');

interface Order {
  readonly id: number;
  readonly send_id: string;
  readonly receipt: string;
}

async function startShop(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'examples/express-postgres/main.ts'], {
    env: { ...process.env, SMTP_HOST: undefined, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const origin = `http://127.0.0.1:${env.PORT}`;
  const until = async (condition: () => boolean | Promise<boolean>) => {
    while (!(await condition())) {
      if (child.exitCode !== null) throw new Error(`The program ended: ${output}`);
      await wait(20);
    }
  };
  await until(() => output.includes('The shop is at'));
  return {
    until,
    printed: () => output,
    order: (body: object) =>
      fetch(`${origin}/orders`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    orders: async () => (await (await fetch(`${origin}/orders`)).json()) as Order[],
    post: (path: string, body: string) =>
      fetch(`${origin}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
    async stop(): Promise<number | null> {
      if (child.exitCode !== null) return child.exitCode;
      child.kill('SIGTERM');
      await once(child, 'exit');
      return child.exitCode;
    },
  };
}

const mug = { email: 'ada@example.com', item: 'mug', quantity: 2 };

test('an order and its receipt commit together, a webhook reports the send, and a stop loses nothing', async () => {
  const database = newSchema();
  await queryOnOwnConnection(`create database ${database}`);
  const url = new URL(postgresUrl);
  url.pathname = `/${database}`;
  const port = String(await freePort());
  const env = { DATABASE_URL: url.href, PORT: port, POSTRIDER_KEY: randomBytes(32).toString('base64') };
  let shop = await startShop(env);
  try {
    const placedOrder = await shop.order(mug);
    assert.is(placedOrder.status, 201, shop.printed());
    const { send } = (await placedOrder.json()) as { send: string };
    await shop.until(async () => (await shop.orders())[0]?.receipt === 'sent');
    assert.match(shop.printed(), 'Mail to ada@example.com: Your order 1');

    const refusal = await shop.order({ ...mug, quantity: 0 });
    assert.is(refusal.status, 422);
    assert.match(await refusal.text(), /variables\.quantity/);
    const [order, ...otherOrders] = await shop.orders();
    assert.equal([order?.id, order?.send_id, otherOrders], [1, send, []], 'a refused receipt leaves no order');
    assert.is(
      (await shop.post('/webhooks', '{"id":"evt_1","type":"send.failed"}')).status,
      400,
      'a forged webhook is refused',
    );

    assert.is(await shop.stop(), 0, shop.printed());
    shop = await startShop(env);
    assert.is((await shop.order({ ...mug, item: 'pen' })).status, 201);
    await shop.until(async () => (await shop.orders()).every(({ receipt }) => receipt === 'sent'));
    assert.is((await shop.orders()).length, 2);
    assert.is(await shop.stop(), 0, shop.printed());
  } finally {
    await shop.stop();
    await queryOnOwnConnection(`drop database ${database} with (force)`);
  }
});

if (await hasPostgres()) test.run();
