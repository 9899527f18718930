// The salts of the hashes that distinguish the visitors of a day. Every workspace has a salt for each day. A salt is sealed in the
// database and destroyed when the day is over, so that nobody can find an address by trial.
import { createHmac } from 'node:crypto';
import type { ServiceContext, TransactionContext } from '../../../core/index.ts';
import { saltRows } from '../tables.ts';

const dayMs = 86_400_000;
/** Caches the last day, because clicks of one day come together. */
let lastNumber = Number.NaN;
let lastDay = '';

/** YYYY-MM-DD in UTC. */
export function dayOf(at: number): string {
  const number = Math.floor(at / dayMs);
  if (number !== lastNumber) {
    lastDay = new Date(at).toISOString().slice(0, 10);
    lastNumber = number;
  }
  return lastDay;
}
export const startOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);

export interface Salts {
  /** The salt of a day. It is created if there is none. */
  of(ctx: TransactionContext, day: string): Promise<Uint8Array>;
  /** Drops the cached salts of all other days. */
  keepOnly(day: string): void;
}

const contextOf = (workspaceId: string, day: string): string => `links_salt:${workspaceId}:${day}`;

export function createSalts({ ports }: ServiceContext): Salts {
  let saltsByContext = new Map<string, Uint8Array>();
  return {
    async of({ trx, afterCommit }, day) {
      const context = contextOf(trx.workspaceId, day);
      const cachedSalt = saltsByContext.get(context);
      if (cachedSalt !== undefined) return cachedSalt;
      const newSalt = ports.keyring.seal(ports.randomness.bytes(32), context);
      await saltRows.insertUnlessTaken(trx, { day, salt: newSalt, created_at: startOf(day) });
      const row = await saltRows.find(trx, day);
      if (row === undefined) throw new Error('The salt of the day is gone.');
      const salt = ports.keyring.open(row.salt, context);
      // Another transaction may still roll the row back, so the salt is cached only after the commit.
      afterCommit(() => void saltsByContext.set(context, salt));
      return salt;
    },
    keepOnly(day) {
      if ([...saltsByContext.keys()].every((context) => context.endsWith(`:${day}`))) return;
      saltsByContext = new Map([...saltsByContext].filter(([context]) => context.endsWith(`:${day}`)));
    },
  };
}

/** The hash of a visitor for one link and one day. Each link has different hashes. */
export const visitorOf = (
  salt: Uint8Array,
  linkId: string,
  address: string | undefined,
  userAgent: string | undefined,
): string =>
  createHmac('sha256', salt)
    .update(`${linkId}\n${address ?? ''}\n${userAgent ?? ''}`)
    .digest('base64url')
    .slice(0, 24);
