// The carts example: an order ends the reminder in its own transaction, and a rolled-back order does not.
// full-run: slow
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { captureMail } from '../../adapters/mail/capture.ts';
import { createCart } from '../../examples/sequences/cart.ts';

const test = suite('the example of carts');

async function withCart(work: (cart: Awaited<ReturnType<typeof createCart>>) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-cart-'));
  const cart = await createCart({ filename: join(folder, 'cart.sqlite'), mail: captureMail() });
  try {
    await work(cart);
  } finally {
    await cart.close();
    await rm(folder, { recursive: true });
  }
}

const runsOf = async ({ sequences }: Awaited<ReturnType<typeof createCart>>) =>
  (await sequences.runs({ keyOrId: 'cart' })).data.map(({ status, exitReason }) => [status, exitReason]);

test('a paid order ends the run', () =>
  withCart(async (cart) => {
    await cart.fillCart('ada@example.com', 2);
    await cart.service.drain();
    assert.is(await cart.pay({ id: '1', email: 'ada@example.com', total: 40 }), 1);
    await cart.service.drain();
    assert.equal(await runsOf(cart), [['exited', 'bought']]);
    assert.is((await cart.orders()).length, 1);
  }));

test('a rolled-back order leaves the run waiting', () =>
  withCart(async (cart) => {
    await cart.fillCart('ada@example.com', 2);
    await cart.service.drain();
    const refuse = () => {
      throw new Error('The card was refused.');
    };
    try {
      await cart.pay({ id: '1', email: 'ada@example.com', total: 40 }, refuse);
      assert.unreachable();
    } catch (error) {
      assert.match(String(error), 'The card was refused.');
    }
    await cart.service.drain();
    assert.equal(await runsOf(cart), [['active', null]]);
    assert.is((await cart.orders()).length, 0);
  }));

test.run();
