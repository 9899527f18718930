// The keep-alive connections of outgoing requests, each lent to one request at a time. Called by exchange.ts. There is
// no limit by origin: many receivers may share an origin, and callers limit their own concurrency. Each connection is
// an undici Client with one socket, not a Pool: after an aborted request, a Pool reconnects to clear its queue, which
// would open more connections to a receiver that already times out.
import type { Socket } from 'node:net';
import type { Client } from 'undici';
import { OutgoingError } from '../contract/ports/outgoing.ts';
import { skipInterimResponses } from './interim-responses.ts';

/** A connection while it is lent. Call exactly one of the two methods to return the connection. */
export interface BorrowedClient {
  readonly client: Client;
  /** The answer was read to its end. */
  keep(): void;
  /** The request was aborted or failed. */
  drop(): void;
}

/** All connections of a service. */
export interface Connections {
  /** A free connection, or a new one. */
  borrow(origin: string, connectTimeoutMs: number): BorrowedClient;
  /** Closes all connections, also lent ones. */
  close(): Promise<void>;
}

/**
 * Creates a client. `connectTimeoutMs` returns the limit of the current request; `connected` is called with each
 * connection before the first byte.
 */
export type OpenClient = (
  origin: string,
  connectTimeoutMs: () => number,
  connected: (socket: Socket) => void,
) => Client;

interface Slot {
  readonly client: Client;
  connectTimeoutMs: number;
  /** Called before each request. */
  begin: () => void;
}

/** The connections to one origin. The entry is removed with its last connection. */
interface OriginConnections {
  readonly slots: Set<Slot>;
  readonly idle: Slot[];
}

/** Makes the connections of a service. Construction opens nothing. */
export function createConnections(open: OpenClient): Connections {
  const byOrigin = new Map<string, OriginConnections>();

  function connectionsOf(origin: string): OriginConnections {
    const connections = byOrigin.get(origin) ?? { slots: new Set(), idle: [] };
    byOrigin.set(origin, connections);
    return connections;
  }

  function forget(origin: string, connections: OriginConnections, slot: Slot): void {
    connections.slots.delete(slot);
    const index = connections.idle.indexOf(slot);
    if (index >= 0) connections.idle.splice(index, 1);
    void slot.client.destroy();
    if (connections.slots.size === 0) byOrigin.delete(origin);
  }

  function openSlot(origin: string, connections: OriginConnections, connectTimeoutMs: number): Slot {
    const connected = (socket: Socket): void => {
      slot.begin = skipInterimResponses(socket);
    };
    const client = open(origin, () => slot.connectTimeoutMs, connected);
    const slot: Slot = { client, connectTimeoutMs, begin: () => undefined };
    slot.client.on('disconnect', () => {
      if (connections.idle.includes(slot)) forget(origin, connections, slot);
    });
    connections.slots.add(slot);
    return slot;
  }

  function lend(origin: string, connections: OriginConnections, connectTimeoutMs: number): BorrowedClient {
    // Takes the most recently used connection, so that the others can expire.
    const slot = connections.idle.pop() ?? openSlot(origin, connections, connectTimeoutMs);
    slot.connectTimeoutMs = connectTimeoutMs;
    slot.begin();
    const returnSlot = (isReusable: boolean) => {
      if (!connections.slots.has(slot)) return;
      if (isReusable) connections.idle.push(slot);
      else forget(origin, connections, slot);
    };
    return { client: slot.client, keep: () => returnSlot(true), drop: () => returnSlot(false) };
  }

  return {
    borrow: (origin, connectTimeoutMs) => lend(origin, connectionsOf(origin), connectTimeoutMs),
    async close() {
      const origins = [...byOrigin.values()];
      byOrigin.clear();
      const stoppingError = new OutgoingError('connection_failed', 'The request was ended: the service is stopping.');
      const slots = origins.flatMap((connections) => [...connections.slots]);
      for (const { slots: openSlots, idle } of origins) {
        openSlots.clear();
        idle.length = 0;
      }
      await Promise.all(slots.map(({ client }) => client.destroy(stoppingError)));
    },
  };
}
