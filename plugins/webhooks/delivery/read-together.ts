// Batches the reads of deliveries that begin at the same time: two statements for all of them instead of two for each. Called by
// deliver-event.ts. Has no state beyond one turn of the event loop.
import type { JobContext, ServicePorts } from '../../../core/index.ts';
import { findEvents, type StoredEvent } from '../../../core/unstable.ts';
import { listPending, type PendingDelivery } from './store.ts';

/** The rows that an attempt needs. Undefined if the row was deleted or the delivery has ended. */
export interface DeliveryRows {
  readonly delivery: PendingDelivery | undefined;
  readonly event: StoredEvent | undefined;
}

interface PendingRead {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly resolve: (found: DeliveryRows) => void;
  readonly reject: (error: unknown) => void;
}

/** The maximum number of deliveries that one statement reads. */
const maxTogether = 64;

/** The deliveries that wait for this turn's reads, by workspace and side. One batcher for each service. */
const waitingOf = new WeakMap<ServicePorts, Map<string, PendingRead[]>>();

async function readAll({ read }: JobContext, asked: readonly PendingRead[]): Promise<void> {
  try {
    const [deliveries, events] = await read(({ trx }) =>
      Promise.all([
        listPending(
          trx,
          asked.map(({ deliveryId }) => deliveryId),
        ),
        findEvents(trx, [...new Set(asked.map(({ eventId }) => eventId))]),
      ]),
    );
    for (const { deliveryId, eventId, resolve } of asked)
      resolve({ delivery: deliveries.get(deliveryId), event: events.get(eventId) });
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
}

/** The committed delivery and its event. */
export function readTogether(context: JobContext, deliveryId: string, eventId: string): Promise<DeliveryRows> {
  const { ports, workspace, sandbox } = context;
  const side = `${workspace.id} ${sandbox}`;
  const waiting = waitingOf.get(ports) ?? new Map<string, PendingRead[]>();
  waitingOf.set(ports, waiting);
  return new Promise((resolve, reject) => {
    const request = { deliveryId, eventId, resolve, reject };
    const others = waiting.get(side);
    if (others !== undefined && others.length < maxTogether) {
      others.push(request);
      return;
    }
    const all: PendingRead[] = [request];
    waiting.set(side, all);
    setImmediate(() => {
      if (waiting.get(side) === all) waiting.delete(side);
      void readAll(context, all);
    });
  });
}
