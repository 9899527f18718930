/*
 * The send workload: its requests, the rows that a correct contestant leaves, and the floors. Used by send.ts and by the
 * harness's own test.
 */
import { join } from 'node:path';
import { admitSender } from './admission.ts';
import type { Storage } from './contestant.ts';
import { receiptVariables, templateKey } from './mail-fixture.ts';
import { freshNumber, type Workload } from './measure.ts';

const body = JSON.stringify({
  to: `customer-${freshNumber}@example.com`,
  variables: receiptVariables(freshNumber),
  metadata: { orderId: `ord_${freshNumber}`, customerId: 'cus_8421' },
  tags: ['receipt', 'web'],
});

function sendRequest(key: string): string {
  return [
    `POST /v1/templates/${templateKey}/send HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${key}`,
    `Idempotency-Key: order-${freshNumber}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

/** Sends accepted per second, on one storage. */
export function sendWorkload(storage: Storage): Workload {
  const floors = join(import.meta.dirname, 'floors');
  return {
    name: 'send',
    floor: join(floors, `send-${storage}-fastify.ts`),
    orientation: [join(floors, `send-${storage}-group.ts`)],
    pipeline: 1,
    echo: true,
    durable: true,
    requests: ({ keys }) => keys.map(sendRequest),
    admit: ({ announcement }) => admitSender(announcement),
    expectedRows: (accepted, suppressed) => ({
      send: accepted,
      timeline: accepted,
      job: accepted - suppressed,
      event: accepted,
      audit: accepted,
      idempotency: accepted,
    }),
  };
}
