/*
 * Floor of the delivery workload: a program that renders the receipt by joining segments and passes it to nodemailer's pool of
 * five connections. No database, no queue, no records.
 */
import { createTransport } from 'nodemailer';
import { defaultFrom, receiptVariables } from '../mail-fixture.ts';
import { renderSegments } from './render-segments.ts';

const atOnce = 5;

/** Sends `count` mails. Returns the elapsed milliseconds. */
export async function sendAll(port: number, count: number, text: string): Promise<number> {
  const transport = createTransport({
    pool: true,
    host: '127.0.0.1',
    port,
    secure: false,
    maxConnections: atOnce,
    maxMessages: Number.POSITIVE_INFINITY,
  });
  const began = performance.now();
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < count) {
      const mark = String(next).padStart(6, '0');
      next += 1;
      await transport.sendMail({
        from: { name: defaultFrom.name, address: defaultFrom.email },
        to: `n${mark}@example.com`,
        subject: `Your receipt HS-${mark} from Harbour Supplies`,
        html: renderSegments(receiptVariables(mark)),
        text,
      });
    }
  };
  // Twice as many callers as connections, so that no connection waits for the next message.
  await Promise.all(Array.from({ length: atOnce * 2 }, caller));
  const took = performance.now() - began;
  transport.close();
  return took;
}
