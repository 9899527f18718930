// Batches the reads of deliveries that begin at the same time: two statements for all of them instead of two for each. Called by
// deliver-event.ts. Has no state beyond one turn of the event loop.
import type { JobContext, ServicePorts } from '../../../core/index.ts';
import { findEvents, type StoredEvent } from '../../../core/unstable.ts';
import { listPending, type PendingDelivery } from './store.ts';

/** The rows that an attempt needs. A row is undefined if it was deleted; the delivery also if it has ended. */
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
const maxPerStatement = 64;

/** The deliveries that wait for the next read: for each service, by workspace and side. */
const waitingByService = new WeakMap<ServicePorts, Map<string, PendingRead[]>>();

async function readAll({ read }: JobContext, requests: readonly PendingRead[]): Promise<void> {
  try {
    const [deliveries, events] = await read(({ trx }) =>
      Promise.all([
        listPending(
          trx,
          requests.map(({ deliveryId }) => deliveryId),
        ),
        findEvents(trx, [...new Set(requests.map(({ eventId }) => eventId))]),
      ]),
    );
    for (const { deliveryId, eventId, resolve } of requests)
      resolve({ delivery: deliveries.get(deliveryId), event: events.get(eventId) });
  } catch (error) {
    for (const { reject } of requests) reject(error);
  }
}

/** Reads the committed delivery and its event, together with other deliveries of the workspace that begin at the same time. */
export function readTogether(context: JobContext, deliveryId: string, eventId: string): Promise<DeliveryRows> {
  const { ports, workspace, sandbox } = context;
  const side = `${workspace.id} ${sandbox}`;
  const waiting = waitingByService.get(ports) ?? new Map<string, PendingRead[]>();
  waitingByService.set(ports, waiting);
  return new Promise((resolve, reject) => {
    const request = { deliveryId, eventId, resolve, reject };
    const waitingRequests = waiting.get(side);
    if (waitingRequests !== undefined && waitingRequests.length < maxPerStatement) {
      waitingRequests.push(request);
      return;
    }
    const batch: PendingRead[] = [request];
    waiting.set(side, batch);
    setImmediate(() => {
      if (waiting.get(side) === batch) waiting.delete(side);
      void readAll(context, batch);
    });
  });
}
