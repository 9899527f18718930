// Idempotency: calls with the same key have one effect. Plain operations lock the key inside their transaction. Prepared
// operations first commit a reservation of the key, and their final commit checks its token. Called by the pipeline only.

import { defineStatement, type WorkspaceHandle } from '../contract/context/handle.ts';
import type { Operation } from '../contract/declaration/operation.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import { isStorageError } from '../contract/ports/storage.ts';
import type { IdempotencyRow } from '../storage/core-tables.ts';
import type { Database, TransactionScope } from '../storage/database.ts';
import { shareNoWait } from '../storage/share-no-wait.ts';
import type { Core } from './core.ts';
import type { ResponseBytes } from './representations.ts';
import { findBytes, storeBytes } from './stored-bytes.ts';

/** How long a key stays reserved after its process died. A live process renews its reservation at every third of this time. */
export const keyReservationMs = 15_000;
const retryAfterSeconds = 0.25;

/** A key in use by one call. */
export interface IdempotentCall {
  readonly workspaceId: string;
  /** Method and route template; an alias counts as another endpoint. */
  readonly endpoint: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly sandbox: boolean;
}

/** The stored answer of an earlier call. */
export interface StoredResponse {
  readonly status: number;
  readonly json: string;
  /** The bytes of an answer in another media type. */
  readonly bytes: ResponseBytes | undefined;
}

/** The columns that a look-up reads. The query already contains the other values of the record. */
const lookUpColumns = [
  ...(['fingerprint', 'lease_token', 'status', 'answer'] as const),
  ...(['sealed', 'representation', 'bytes', 'expires_at'] as const),
] as const;

type FoundRecord = Pick<IdempotencyRow, (typeof lookUpColumns)[number]>;

const findStatement = (locksRecord: boolean) =>
  defineStatement((db, p: { endpoint: string; key: string }) => {
    const query = db
      .selectFrom('idempotency')
      .select(lookUpColumns)
      .where('endpoint', '=', p.endpoint)
      .where('key', '=', p.key);
    return locksRecord ? query.modifyEnd(shareNoWait) : query;
  });

/**
 * If locks belong to connections, a call that joined a program's transaction has no lock that lasts until the program commits.
 * So the look-up locks the record itself, and fails at once if the record exists and is not committed.
 */
const find = { plain: findStatement(false), locking: findStatement(true) };

/** Reads the record of a key. @throws idempotency_key_in_progress if another call's record is not committed yet */
async function findRecord(scope: TransactionScope, call: IdempotentCall): Promise<FoundRecord | undefined> {
  const handle = scope.handle(call.workspaceId);
  const parameters = { endpoint: call.endpoint, key: call.key };
  if (scope.locks !== 'session') return handle.one(find.plain, parameters);
  try {
    return await handle.one(find.locking, parameters);
  } catch (error) {
    throw isStorageError(error, 'busy') ? inProgress() : error;
  }
}

const remove = defineStatement((db, p: { endpoint: string; key: string; expires_at: number }) =>
  db
    .deleteFrom('idempotency')
    .where('endpoint', '=', p.endpoint)
    .where('key', '=', p.key)
    .where('expires_at', '=', p.expires_at),
);

const releaseReservation = defineStatement((db, p: { endpoint: string; key: string; token: string }) =>
  db
    .deleteFrom('idempotency')
    .where('endpoint', '=', p.endpoint)
    .where('key', '=', p.key)
    .where('lease_token', '=', p.token),
);

const insert = defineStatement((db, p: IdempotencyRow) =>
  db.insertInto('idempotency').values({
    workspace_id: p.workspace_id,
    endpoint: p.endpoint,
    key: p.key,
    fingerprint: p.fingerprint,
    sandbox: p.sandbox,
    lease_token: p.lease_token,
    status: p.status,
    answer: p.answer,
    sealed: p.sealed,
    representation: p.representation,
    bytes: p.bytes,
    expires_at: p.expires_at,
  }),
);

/** The record of most answers: JSON that is not secret. Its other columns are null. */
const insertPlain = defineStatement(
  (db, p: Omit<IdempotencyRow, 'lease_token' | 'sealed' | 'representation' | 'bytes'>) =>
    db.insertInto('idempotency').values({
      workspace_id: p.workspace_id,
      endpoint: p.endpoint,
      key: p.key,
      fingerprint: p.fingerprint,
      sandbox: p.sandbox,
      status: p.status,
      answer: p.answer,
      expires_at: p.expires_at,
    }),
);

const renewReservation = defineStatement(
  (db, p: { endpoint: string; key: string; token: string; expires_at: number }) =>
    db
      .updateTable('idempotency')
      .set({ expires_at: p.expires_at })
      .where('endpoint', '=', p.endpoint)
      .where('key', '=', p.key)
      .where('lease_token', '=', p.token),
);

const finishReservation = defineStatement((db, p: IdempotencyRow & { token: string }) =>
  db
    .updateTable('idempotency')
    .set({
      lease_token: null,
      status: p.status,
      answer: p.answer,
      sealed: p.sealed,
      representation: p.representation,
      bytes: p.bytes,
      expires_at: p.expires_at,
    })
    .where('endpoint', '=', p.endpoint)
    .where('key', '=', p.key)
    .where('lease_token', '=', p.token),
);

/**
 * The length is counted in code points, as databases and JSON Schema do. An unpaired surrogate would become another key in UTF-8.
 */
const keyPattern = /^[^\p{Cc}\p{Cs}]{1,200}$/u;

/** Checks the form of a key. @throws idempotency_key_invalid */
export function checkKey(key: string | undefined, required: boolean): void {
  if (key === undefined) {
    if (required) {
      throw coreErrors.idempotency_key_invalid({
        reason: "An Idempotency-Key is required on this workspace's plan. Send one of 1 to 200 characters.",
      });
    }
    return;
  }
  if (!keyPattern.test(key)) {
    throw coreErrors.idempotency_key_invalid({
      reason: 'The Idempotency-Key must have 1 to 200 characters, and must not contain control characters.',
    });
  }
}

const inProgress = () => coreErrors.idempotency_key_in_progress({ retryAfterSeconds });

const contextOf = (call: IdempotentCall): string => `idempotency:${call.workspaceId}:${call.endpoint}:${call.key}`;

async function openAnswer(
  core: Core,
  handle: WorkspaceHandle,
  call: IdempotentCall,
  row: FoundRecord,
): Promise<StoredResponse> {
  if (row.fingerprint !== call.fingerprint) throw coreErrors.idempotency_key_mismatch();
  const json =
    row.sealed === null
      ? row.answer
      : Buffer.from(core.ports.keyring.open(row.sealed, contextOf(call))).toString('utf8');
  // Some drivers return 64-bit integers as text, and other tables have a column of this name that is text.
  const status = Number(row.status ?? 200);
  return { status, json: json ?? 'null', bytes: await findBytes(handle, row) };
}

/** The stored answer in the key's record. @throws idempotency_key_in_progress while another call holds the reservation */
async function readRow(
  core: Core,
  handle: WorkspaceHandle,
  call: IdempotentCall,
  row: FoundRecord,
): Promise<StoredResponse> {
  if (row.lease_token === null) return openAnswer(core, handle, call, row);
  if (row.fingerprint !== call.fingerprint) throw coreErrors.idempotency_key_mismatch();
  throw inProgress();
}

/**
 * The stored answer of a call, read without a lock. For a call that may not run now: it is answered only if it is a replay.
 * @throws idempotency_key_in_progress, idempotency_key_mismatch
 */
export async function findStoredResponse(
  core: Core,
  handle: WorkspaceHandle,
  call: IdempotentCall,
  now: number,
): Promise<StoredResponse | undefined> {
  const row = await handle.one(find.plain, { endpoint: call.endpoint, key: call.key });
  return row === undefined || row.expires_at <= now ? undefined : readRow(core, handle, call, row);
}

/**
 * The first step in the transaction of a plain operation: takes the lock, looks up the answer and removes an expired answer.
 * Only a call that would run the handler needs the lock; a replay does not.
 */
export async function claimKey(
  core: Core,
  scope: TransactionScope,
  call: IdempotentCall,
  now: number,
): Promise<StoredResponse | undefined> {
  const handle = scope.handle(call.workspaceId);
  // Both together, so that a remote database needs one round trip.
  const [locked, row] = await Promise.all([scope.tryLock(contextOf(call)), findRecord(scope, call)]);
  if (row !== undefined && row.expires_at > now) return readRow(core, handle, call, row);
  if (!locked) throw inProgress();
  if (row !== undefined)
    await handle.run(remove, { endpoint: call.endpoint, key: call.key, expires_at: row.expires_at });
  if (mustRecordFirst(scope))
    await handle.run(insert, {
      ...recordWithoutAnswer(call),
      lease_token: joinedToken,
      expires_at: now + keyReservationMs,
    });
  return undefined;
}

/** The token of a record that a joined call has written but not completed. No other transaction ever sees it. */
const joinedToken = 'joined';

/**
 * A joined call without a lock inserts its record before its work and completes it afterwards, so that other calls find
 * it in their look-ups. If it were inserted last, concurrent calls would block each other at that insert.
 */
const mustRecordFirst = (scope: TransactionScope): boolean => scope.joined && scope.locks === 'session';

const recordWithoutAnswer = ({ endpoint, key, fingerprint, sandbox }: IdempotentCall) => ({
  endpoint,
  key,
  fingerprint,
  sandbox: sandbox ? 1 : 0,
  status: null,
  answer: null,
  sealed: null,
  representation: null,
  bytes: null,
});

/** An answer to store. */
interface ResponseToStore {
  readonly operation: Operation;
  readonly call: IdempotentCall;
  readonly answer: StoredResponse;
  readonly now: number;
}

/** Builds the record without its workspace, which the handle adds. Bytes that are too large for the record are stored at once. */
async function record(
  core: Core,
  handle: WorkspaceHandle,
  { operation, call, answer, now }: ResponseToStore,
): Promise<Omit<IdempotencyRow, 'workspace_id'>> {
  const sealed = operation.secretOutput ? core.ports.keyring.seal(Buffer.from(answer.json), contextOf(call)) : null;
  const expiresAt = now + core.settings.idempotencyMs;
  const newId = (prefix: string) => core.ports.ids.create(prefix);
  return {
    endpoint: call.endpoint,
    key: call.key,
    fingerprint: call.fingerprint,
    sandbox: call.sandbox ? 1 : 0,
    lease_token: null,
    status: answer.status,
    answer: sealed === null ? answer.json : null,
    sealed,
    ...(await storeBytes(handle, answer.bytes, { newId, expiresAt })),
    expires_at: expiresAt,
  };
}

/** The last step in the transaction of a plain operation: stores the answer with a deferred write. */
export async function storeResponse(core: Core, scope: TransactionScope, stored: ResponseToStore): Promise<void> {
  const handle = scope.handle(stored.call.workspaceId);
  const row = await record(core, handle, stored);
  if (mustRecordFirst(scope)) handle.defer(finishReservation, { ...row, token: joinedToken });
  else if (row.sealed === null && row.representation === null) handle.defer(insertPlain, row);
  else handle.defer(insert, row);
}

/** The committed reservation of a prepared operation on a key. */
export interface KeyReservation {
  readonly token: string;
  /** Stops the renewal. */
  end(): void;
}

/**
 * Renews a reservation until `end` is called or another call has taken the key. If the database is unavailable, the renewal is
 * retried.
 */
function startRenewal(core: Core, database: Database, call: IdempotentCall, token: string): KeyReservation {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const { endpoint, key } = call;
  const renew = async (): Promise<void> => {
    const renewed = await database
      .transact((scope) =>
        scope
          .handle(call.workspaceId)
          .run(renewReservation, { endpoint, key, token, expires_at: core.ports.now() + keyReservationMs }),
      )
      .catch(() => 1);
    if (renewed === 1) schedule();
  };
  const schedule = (): void => {
    if (ended) return;
    timer = setTimeout(() => void renew(), keyReservationMs / 3);
    timer.unref();
  };
  schedule();
  return {
    token,
    end() {
      ended = true;
      clearTimeout(timer);
    },
  };
}

/** Commits a reservation, or returns the stored answer. */
export async function reserveKey(
  core: Core,
  database: Database,
  call: IdempotentCall,
): Promise<StoredResponse | KeyReservation> {
  const now = core.ports.now();
  const token = core.ports.ids.create('lease');
  const stored = await database.transact(async (scope) => {
    const stored = await claimKey(core, scope, call, now);
    if (stored !== undefined) return stored;
    const reservedRecord = { ...recordWithoutAnswer(call), lease_token: token, expires_at: now + keyReservationMs };
    await scope.handle(call.workspaceId).run(insert, reservedRecord);
    return undefined;
  });
  return stored ?? startRenewal(core, database, call, token);
}

/**
 * Stores the answer in the final transaction. Refuses to commit if the reservation was lost: the process was paused for longer
 * than the reservation, and another call has taken the key.
 * @throws request_timeout
 */
export async function storeUnderReservation(
  core: Core,
  scope: TransactionScope,
  stored: ResponseToStore,
  reservation: KeyReservation,
): Promise<void> {
  const handle = scope.handle(stored.call.workspaceId);
  const row = await record(core, handle, stored);
  const changed = await handle.run(finishReservation, { ...row, token: reservation.token });
  if (changed !== 1) throw coreErrors.request_timeout({ seconds: stored.operation.timeoutSeconds });
}

/** Releases the key at once after a failure, instead of when the reservation expires. */
export async function releaseKey(database: Database, call: IdempotentCall, reservation: KeyReservation): Promise<void> {
  await database.transact(async (scope) => {
    await scope
      .handle(call.workspaceId)
      .run(releaseReservation, { endpoint: call.endpoint, key: call.key, token: reservation.token });
  });
}
