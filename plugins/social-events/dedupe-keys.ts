// The deduplication keys of events. If several calls use a key at the same time, one call creates the run. The others wait and find it.
import { hash } from 'node:crypto';
import type { TransactionContext } from '../../core/index.ts';
import { lockWorkspace } from '../../core/unstable.ts';
import { keyRows, runRows, type SocialEventRunRow } from './tables.ts';

const keyLifetimeMs = 30 * 86_400_000;

/** The run that was created with the key; undefined if there is none or if the key has expired. */
export async function findKey(
  { trx, now }: TransactionContext,
  dedupeKey: string,
): Promise<SocialEventRunRow | undefined> {
  const keyRow = await keyRows.find(trx, hash('sha256', dedupeKey));
  return keyRow !== undefined && keyRow.expires_at > now ? runRows.find(trx, keyRow.run_id) : undefined;
}

/** Reserves the key for a new run. Returns the run that already has the key; undefined if the caller must create the run. */
export async function takeKey(
  { trx, now }: TransactionContext,
  dedupeKey: string,
  runId: string,
): Promise<SocialEventRunRow | undefined> {
  const row = { key_hash: hash('sha256', dedupeKey), run_id: runId, expires_at: now + keyLifetimeMs };
  // The lock serializes the inserts, because on MariaDB waiting inserts of the same key would end in a deadlock.
  await lockWorkspace(trx);
  if (await keyRows.insertUnlessTaken(trx, row)) return undefined;
  const keyRow = await keyRows.lock(trx, row.key_hash);
  if (keyRow === undefined) return undefined;
  const first = keyRow.expires_at > now ? await runRows.find(trx, keyRow.run_id) : undefined;
  if (first === undefined) await keyRows.change(trx, keyRow, row);
  return first;
}
