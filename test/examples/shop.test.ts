// The Express example: an order and its receipt commit together, or not at all.
// full-run: slow
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { captureMail } from '../../adapters/mail/capture.ts';
import { createShop } from '../../examples/express/shop.ts';
import { listen } from '../hosts/programs.ts';

const test = suite('the Express example');

async function withShop(
  run: (
    shop: Awaited<ReturnType<typeof createShop>> & { origin: string },
    mail: ReturnType<typeof captureMail>,
  ) => Promise<void>,
) {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-shop-'));
  const mail = captureMail();
  const shop = await createShop({ filename: join(folder, 'shop.sqlite'), keyFile: join(folder, 'keyring.json'), mail });
  const program = await listen(shop.app);
  try {
    await run({ ...shop, origin: program.origin }, mail);
  } finally {
    await program.close();
    await shop.close();
    await rm(folder, { recursive: true });
  }
}

const order = (origin: string, body: object) =>
  fetch(`${origin}/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('an order sends its receipt', () =>
  withShop(async ({ origin }, mail) => {
    const mailArrived = new Promise((resolve) => void mail.onMessage(resolve));
    const response = await order(origin, { email: 'ada@example.com', item: 'mug', quantity: 2 });
    assert.is(response.status, 201);
    await mailArrived;
    const message = mail.lastTo('ada@example.com');
    assert.is(message?.subject, 'Your order 1');
    assert.match(message?.text ?? '', /2 × mug/);
  }));

test('an order whose receipt is refused is not placed', () =>
  withShop(async ({ origin, service, workspaceId }) => {
    const response = await order(origin, { email: 'ada@example.com', item: 'mug', quantity: 0 });
    assert.is(response.status, 422);
    assert.match(await response.text(), /variables\.quantity/);
    assert.equal(await (await fetch(`${origin}/orders`)).json(), []);
    assert.equal((await service.as(workspaceId).sends.list()).data, []);
  }));

test('concurrent orders are all placed, each with its receipt', () =>
  withShop(async ({ origin, service, workspaceId }) => {
    const orders = Array.from({ length: 20 }, (_, count) =>
      order(origin, { email: `buyer${count}@example.com`, item: 'mug', quantity: 1 }),
    );
    const statuses = (await Promise.all(orders)).map(({ status }) => status);
    assert.equal([...new Set(statuses)], [201]);
    const { data } = await service.as(workspaceId).sends.list({ limit: 100 });
    assert.is(data.length, 20);
  }));

test.run();
