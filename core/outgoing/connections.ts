// The keep-alive connections of outgoing requests, each lent to one request at a time. Called by exchange.ts. There is
// no limit by origin: many receivers may share an origin, and callers limit their own concurrency. Each connection is
// an undici Client with one socket, not a Pool: after an aborted request, a Pool reconnects to clear its queue, which
// would open more connections to a receiver that already times out.
import type { Socket } from 'node:net';
import type { Client } from 'undici';
import { OutgoingError } from '../contract/ports/outgoing.ts';
import { skipInterimAnswers } from './interim.ts';

/** A connection while it is lent. Call exactly one of the two methods to return the connection. */
export interface Lent {
  readonly client: Client;
  /** The answer was read to its end. */
  keep(): void;
  /** The request was aborted or failed. */
  drop(): void;
}

/** All connections of a service. */
export interface Connections {
  /** A free connection, or a new one. */
  borrow(origin: string, connectTimeoutMs: number): Lent;
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

/** The connections of an origin; removed with the last connection. */
interface Place {
  readonly slots: Set<Slot>;
  readonly idle: Slot[];
}

/** Construction does nothing. */
export function createConnections(open: OpenClient): Connections {
  const places = new Map<string, Place>();

  function placeOf(origin: string): Place {
    const place = places.get(origin) ?? { slots: new Set(), idle: [] };
    places.set(origin, place);
    return place;
  }

  function forget(origin: string, place: Place, slot: Slot): void {
    place.slots.delete(slot);
    const index = place.idle.indexOf(slot);
    if (index >= 0) place.idle.splice(index, 1);
    void slot.client.destroy();
    if (place.slots.size === 0) places.delete(origin);
  }

  function openSlot(origin: string, place: Place, connectTimeoutMs: number): Slot {
    const connected = (socket: Socket): void => {
      slot.begin = skipInterimAnswers(socket);
    };
    const client = open(origin, () => slot.connectTimeoutMs, connected);
    const slot: Slot = { client, connectTimeoutMs, begin: () => undefined };
    slot.client.on('disconnect', () => {
      if (place.idle.includes(slot)) forget(origin, place, slot);
    });
    place.slots.add(slot);
    return slot;
  }

  function lend(origin: string, place: Place, connectTimeoutMs: number): Lent {
    // Takes the most recently used connection, so that the others can expire.
    const slot = place.idle.pop() ?? openSlot(origin, place, connectTimeoutMs);
    slot.connectTimeoutMs = connectTimeoutMs;
    slot.begin();
    const giveBack = (isWhole: boolean) => {
      if (!place.slots.has(slot)) return;
      if (isWhole) place.idle.push(slot);
      else forget(origin, place, slot);
    };
    return { client: slot.client, keep: () => giveBack(true), drop: () => giveBack(false) };
  }

  return {
    borrow: (origin, connectTimeoutMs) => lend(origin, placeOf(origin), connectTimeoutMs),
    async close() {
      const ended = [...places.values()];
      places.clear();
      const stopped = new OutgoingError('connection_failed', 'The request was ended: the service is stopping.');
      const slots = ended.flatMap((place) => [...place.slots]);
      for (const { slots: all, idle } of ended) {
        all.clear();
        idle.length = 0;
      }
      await Promise.all(slots.map(({ client }) => client.destroy(stopped)));
    },
  };
}
