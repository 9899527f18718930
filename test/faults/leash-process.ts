// An agent that makes calls of every kind with one leashed key until a single send is refused, and prints how many sends
// it caused. `node leash-process.js ORDER`. Spawned by leash-processes.test.ts.
import { smtpMail } from '../../adapters/mail/smtp.ts';
import type { Service } from '../../core/kernel/compose.ts';
import { createMailService, type DatabaseLocation, post, storageOf } from './mail-service.ts';

/** The instructions to a process. */
export interface LeashInstructions {
  readonly location: DatabaseLocation;
  /** The number of the process, for its addresses and idempotency keys. */
  readonly number: number;
  /** The secrets of the keys, which the agent uses up one after another. */
  readonly keys: readonly string[];
  /** A list with two confirmed members. */
  readonly listId: string;
}

/** The services of the processes and of the test. No worker runs, so nothing is delivered. */
export const createLeashService = (location: DatabaseLocation): Service =>
  createMailService({ storage: storageOf(location), mail: smtpMail({ host: '127.0.0.1', port: 9 }) });

/** One kind of call: its path and body for a new recipient, and how many sends it counts as. */
interface Kind {
  readonly path: string;
  readonly body: (to: string) => object;
  readonly counts: number;
}

const variables = { name: 'Ada' };
const kindsOf = (listId: string): readonly Kind[] => [
  { path: '/v1/templates/fault-receipt/send', body: (to) => ({ to, variables }), counts: 1 },
  // Refused after it was counted, so it is rolled back.
  { path: '/v1/templates/fault-receipt/send', body: (to) => ({ to, variables: {} }), counts: 0 },
  {
    path: '/v1/transactional/batch',
    body: (to) => ({
      template: 'fault-receipt',
      recipients: ['a', 'b'].map((recipient) => ({ to: `${recipient}-${to}`, variables })),
    }),
    counts: 2,
  },
  { path: '/v1/sequences/loose/enroll', body: (to) => ({ contact: { email: to } }), counts: 1 },
  { path: '/v1/events', body: (to) => ({ type: 'order.placed', contact: { email: to } }), counts: 1 },
  { path: '/v1/sequences/loose/enrollments', body: () => ({ listId }), counts: 2 },
];

/** Makes calls until a single send is refused. Returns how many sends were accepted. */
async function useUp(service: Service, { number, listId }: LeashInstructions, key: string): Promise<number> {
  const kinds = kindsOf(listId);
  let acceptedSends = 0;
  for (let turn = number; ; turn += 1) {
    const kind = kinds[turn % kinds.length];
    if (kind === undefined) throw new Error('There is no such kind of call.');
    const name = `${key.slice(-8)}-${number}-${turn}`.toLowerCase();
    const { status, body } = await post(service, key, kind.path, kind.body(`${name}@example.net`), name);
    const code = status < 300 ? 'accepted' : JSON.parse(String(body)).error.code;
    if (code === 'accepted') acceptedSends += kind.counts;
    else if (code === 'leash_exceeded' && kind.counts === 1) return acceptedSends;
    else if (code !== 'leash_exceeded' && code !== 'variables_invalid')
      throw new Error(`${kind.path} answered ${status}: ${String(body)}`);
  }
}

async function runOrder(order: LeashInstructions): Promise<void> {
  const service = createLeashService(order.location);
  await service.core.database();
  process.stdout.write('ready\n');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  for (const key of order.keys) {
    const agents = Array.from({ length: 3 }, (_, agent) =>
      useUp(service, { ...order, number: order.number * 100 + agent * 31 }, key),
    );
    const counts = await Promise.all(agents);
    process.stdout.write(`${counts.reduce((sum, count) => sum + count, 0)}\n`);
  }
  process.stdin.destroy();
  await service.stop();
}

if (process.argv[2] !== undefined) void runOrder(JSON.parse(process.argv[2]) as LeashInstructions);
