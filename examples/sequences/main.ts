// Two carts on a clock of seconds, with the mail printed instead of sent: npx tsx examples/sequences/main.ts
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { captureMail } from 'postrider/adapters/mail/capture';
import { createCart } from './cart.ts';

const folder = await mkdtemp(join(tmpdir(), 'postrider-cart-'));
const mail = captureMail();
mail.onMessage(({ to, subject, text }) => console.log(`Mail to ${to.email}: ${subject}\n${text}`));
const cart = await createCart({ filename: join(folder, 'cart.sqlite'), mail, waiting: 'PT5S' });

await cart.fillCart('ada@example.com', 2);
await cart.fillCart('grace@example.com', 3);
const moved = await cart.pay({ id: '1042', email: 'ada@example.com', total: 40 });
console.log(`The order of Ada moved ${moved} run. Grace is reminded in five seconds.`);
await setTimeout(6_000);
await cart.service.drain();
await cart.close();
await rm(folder, { recursive: true });
