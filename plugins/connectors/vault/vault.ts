// `ctx.services.vault`: credentials, sealed under the keyring and bound to their workspace and their row. For plugins that act
// with a workspace's own credentials. The result of `open` is for one call: it is never stored, logged or returned to callers.
import type { ServiceContext, WorkspaceHandle } from '../../../core/index.ts';
import { type CredentialsRow, credentialRows } from '../tables.ts';

/** A stored value, still sealed. */
export type SealedCredentials = CredentialsRow;

/** The parts of a transaction that the vault needs for writes. */
interface VaultWrite {
  readonly trx: WorkspaceHandle;
  readonly now: number;
}

/** The result of a request for a refresh lease. */
export type ReservationResult = 'taken' | 'held by another' | 'changed meanwhile';

/** The vault. Values are JSON; `ownerId` is the id of the row that they belong to. */
export interface Vault {
  /** Stores a value under a new version and replaces the previous value. `expiresAt` is in milliseconds; null for never. */
  put(write: VaultWrite, ownerId: string, value: unknown, expiresAt?: number | null): Promise<void>;
  find(handle: WorkspaceHandle, ownerId: string): Promise<SealedCredentials | undefined>;
  /** Decrypts a value. @throws if the value was altered or moved, or the keyring no longer has its key */
  open(workspaceId: string, sealed: SealedCredentials): unknown;
  /** Gives the current value a new version, so that adapters made from it are replaced. */
  renew(write: VaultWrite, ownerId: string): Promise<void>;
  remove(handle: WorkspaceHandle, ownerId: string): Promise<void>;
  /** Acquires the lease to refresh this version for `ms`. There is one lease holder at a time across all processes. */
  reserveRefresh(
    write: VaultWrite,
    sealed: SealedCredentials,
    lease: { id: string; ms: number },
  ): Promise<ReservationResult>;
  /**
   * Ends a lease and stores the refreshed value. Returns false if the lease now belongs to another holder or was ended; then new
   * credentials of the program, or a later refresh, take precedence. A new version for other reasons, such as `renew`, does not
   * matter.
   */
  replaceReserved(
    write: VaultWrite,
    ownerId: string,
    leaseId: string,
    refreshed: { readonly value: unknown; readonly expiresAt: number | null },
  ): Promise<boolean>;
  /** Ends a lease without a new value. Returns false if the caller no longer has the lease. */
  releaseRefresh(handle: WorkspaceHandle, ownerId: string, leaseId: string): Promise<boolean>;
  /** The value, locked until the transaction ends, so that its version cannot change meanwhile. */
  lock(handle: WorkspaceHandle, ownerId: string): Promise<SealedCredentials | undefined>;
  /** Reseals values of an older key under the current key. Returns the owners of values that cannot be opened. */
  reseal(write: VaultWrite): Promise<readonly string[]>;
}

const contextOf = (workspaceId: string, ownerId: string): string => `credentials:${workspaceId}:${ownerId}`;

/** A value that replaces the row `present`. */
interface NewValue {
  readonly ownerId: string;
  readonly present: CredentialsRow | undefined;
  readonly value: unknown;
  readonly expiresAt: number | null;
}

/** Makes the vault of a service. */
export function createVault({ ports }: ServiceContext): Vault {
  const seal = (workspaceId: string, ownerId: string, plain: Uint8Array) => ({
    sealed: ports.keyring.seal(plain, contextOf(workspaceId, ownerId)),
  });
  const unseal = (workspaceId: string, { owner_id: ownerId, sealed }: SealedCredentials): Uint8Array =>
    ports.keyring.open(sealed, contextOf(workspaceId, ownerId));

  const isCurrent = ({ workspaceId }: WorkspaceHandle, ownerId: string, sealed: Uint8Array): boolean =>
    ports.keyring.isCurrent(sealed, contextOf(workspaceId, ownerId));

  const changesOf = (
    { trx, now }: VaultWrite,
    { ownerId, present, value, expiresAt }: NewValue,
  ): Omit<CredentialsRow, 'owner_id' | 'created_at'> => ({
    ...seal(trx.workspaceId, ownerId, Buffer.from(JSON.stringify(value))),
    version: (present?.version ?? 0) + 1,
    expires_at: expiresAt,
    lease: null,
    lease_until: null,
    updated_at: now,
  });

  return {
    async put(write, ownerId, value, expiresAt = null) {
      const { trx, now } = write;
      const present = await credentialRows.lock(trx, ownerId);
      const changes = changesOf(write, { ownerId, present, value, expiresAt });
      if (present === undefined) await credentialRows.insert(trx, { owner_id: ownerId, ...changes, created_at: now });
      else await credentialRows.change(trx, present, changes);
    },
    find: (handle, ownerId) => credentialRows.find(handle, ownerId),
    open: (workspaceId, sealed) => JSON.parse(Buffer.from(unseal(workspaceId, sealed)).toString('utf8')) as unknown,
    async renew({ trx, now }, ownerId) {
      const present = await credentialRows.lock(trx, ownerId);
      if (present === undefined) return;
      await credentialRows.change(trx, present, { version: present.version + 1, updated_at: now });
    },
    remove: async (handle, ownerId) => void (await credentialRows.remove(handle, ownerId)),
    async reserveRefresh({ trx, now }, { owner_id: ownerId, version }, { id, ms }) {
      const present = await credentialRows.lock(trx, ownerId);
      if (present === undefined || present.version !== version) return 'changed meanwhile';
      if (present.lease_until !== null && present.lease_until > now) return 'held by another';
      await credentialRows.change(trx, present, { lease: id, lease_until: now + ms });
      return 'taken';
    },
    async replaceReserved(write, ownerId, leaseId, { value, expiresAt }) {
      const present = await credentialRows.lock(write.trx, ownerId);
      if (present === undefined || present.lease !== leaseId) return false;
      await credentialRows.change(write.trx, present, changesOf(write, { ownerId, present, value, expiresAt }));
      return true;
    },
    releaseRefresh: (handle, ownerId, leaseId) =>
      credentialRows.update(handle, ownerId, { lease: null, lease_until: null }, { lease: leaseId }),
    lock: (handle, ownerId) => credentialRows.lock(handle, ownerId),
    async reseal({ trx }) {
      const unreadable: string[] = [];
      for await (const rows of credentialRows.each(trx))
        for (const { owner_id: ownerId } of rows.filter(({ owner_id: id, sealed }) => !isCurrent(trx, id, sealed))) {
          const present = await credentialRows.lock(trx, ownerId);
          if (present === undefined) continue;
          let plain: Uint8Array;
          try {
            plain = unseal(trx.workspaceId, present);
          } catch {
            unreadable.push(ownerId);
            continue;
          }
          // The version does not change, because the value is the same.
          await credentialRows.change(trx, present, seal(trx.workspaceId, ownerId, plain));
        }
      return unreadable;
    },
  };
}
