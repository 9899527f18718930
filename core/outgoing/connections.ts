// The kept connections of outgoing requests, lent to one request at a time. Called by exchange.ts. Not limited by origin:
// many receivers may stand behind one, and whoever asks limits what it has in flight of each.
// Each is a client of undici's with one socket. Its pool is not used: after a request that was broken off it connects once
// more to have that one's place in its queue cleared, which a receiver that times out would get instead of peace.
import type { Client } from 'undici';
import { OutgoingError } from '../contract/ports/outgoing.ts';

/** A connection while it is lent. Exactly one of the two gives it back. */
export interface Lent {
  readonly client: Client;
  /** The answer was read to its end. */
  keep(): void;
  /** The request was broken off, or failed. */
  drop(): void;
}

/** All connections of a service. */
export interface Connections {
  /** One that is free, or a new one. */
  borrow(origin: string, connectTimeoutMs: number): Lent;
  /** Ends all, those that are lent too. */
  close(): Promise<void>;
}

/** Makes a client; `connectTimeoutMs` answers what the request at hand says. */
export type OpenClient = (origin: string, connectTimeoutMs: () => number) => Client;

interface Slot {
  readonly client: Client;
  connectTimeoutMs: number;
}

/** What is known of an origin; forgotten when nothing of it is left. */
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
    const slot: Slot = { client: open(origin, () => slot.connectTimeoutMs), connectTimeoutMs };
    slot.client.on('disconnect', () => {
      if (place.idle.includes(slot)) forget(origin, place, slot);
    });
    place.slots.add(slot);
    return slot;
  }

  function lend(origin: string, place: Place, connectTimeoutMs: number): Lent {
    // The one that was used last: the others may end.
    const slot = place.idle.pop() ?? openSlot(origin, place, connectTimeoutMs);
    slot.connectTimeoutMs = connectTimeoutMs;
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
