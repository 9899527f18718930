// Signing secrets: generated here, stored sealed in the subscription's row, and shown in full once. Deliveries are signed with
// every secret that `activeSecrets` returns.
import type { Keyring, WorkspaceHandle } from '../../core/index.ts';
import { webhookRows } from './store.ts';
import type { WebhookRow } from './tables.ts';

/** A secret and the time at which it stops signing. */
export interface SigningSecret {
  readonly secret: string;
  /** Milliseconds since the epoch; null for the current secret. */
  readonly expires_at: number | null;
}

/** The time for which a replaced secret keeps signing, in milliseconds. */
export const oldSecretMs = 86_400_000;

/** The part of a secret that may be shown later. */
export const maskedSecret = (hint: string): string => `whsec_…${hint}`;

const contextOf = (webhookId: string): string => `webhook:${webhookId}`;

/** The columns that store secrets, newest first. */
export function sealSecrets(
  keyring: Keyring,
  webhookId: string,
  secrets: readonly [SigningSecret, ...SigningSecret[]],
): Pick<WebhookRow, 'secrets' | 'secret_hint'> {
  return {
    secrets: keyring.seal(Buffer.from(JSON.stringify(secrets)), contextOf(webhookId)),
    secret_hint: secrets[0].secret.slice(-4),
  };
}

/** The maximum number of subscriptions whose opened secrets a process caches. */
const maxCachedWebhooks = 1_000;

interface OpenedSecrets {
  /** The value of the column that was opened. A rotation changes the column, so a different value makes the entry stale. */
  readonly sealed: Uint8Array;
  readonly secrets: readonly SigningSecret[];
}

/** The opened secrets by subscription. Opening them costs more than signing an event. */
const openedByKeyring = new WeakMap<Keyring, Map<string, OpenedSecrets>>();

/** @throws if the keyring no longer has their key */
function openSecrets(
  keyring: Keyring,
  { id, secrets: sealed }: Pick<WebhookRow, 'id' | 'secrets'>,
): OpenedSecrets['secrets'] {
  const ofKeyring = openedByKeyring.get(keyring) ?? new Map<string, OpenedSecrets>();
  openedByKeyring.set(keyring, ofKeyring);
  const cached = ofKeyring.get(id);
  if (cached !== undefined && Buffer.compare(cached.sealed, sealed) === 0) return cached.secrets;
  const secrets = JSON.parse(Buffer.from(keyring.open(sealed, contextOf(id))).toString('utf8')) as SigningSecret[];
  ofKeyring.delete(id);
  const [oldest] = ofKeyring.size >= maxCachedWebhooks ? ofKeyring.keys() : [];
  if (oldest !== undefined) ofKeyring.delete(oldest);
  ofKeyring.set(id, { sealed, secrets });
  return secrets;
}

/** The secrets that sign at this time, newest first. @throws if the keyring no longer has their key */
export function activeSecrets(
  keyring: Keyring,
  webhook: Pick<WebhookRow, 'id' | 'secrets'>,
  now: number,
): SigningSecret[] {
  return openSecrets(keyring, webhook).filter(({ expires_at: end }) => end === null || end > now);
}

/** Reseals values of an older key under the current key. Returns the webhooks whose secrets cannot be opened. */
export async function resealSecrets(keyring: Keyring, trx: WorkspaceHandle): Promise<readonly string[]> {
  const unreadable: string[] = [];
  for await (const rows of webhookRows.each(trx))
    for (const { id } of rows.filter((row) => !keyring.isCurrent(row.secrets, contextOf(row.id)))) {
      // Read again under a lock, so that the new secret of a concurrent rotation is not overwritten.
      const present = await webhookRows.lock(trx, id);
      if (present === undefined) continue;
      let plain: Uint8Array;
      try {
        plain = keyring.open(present.secrets, contextOf(id));
      } catch {
        unreadable.push(id);
        continue;
      }
      await webhookRows.change(trx, present, { secrets: keyring.seal(plain, contextOf(id)) });
    }
  return unreadable;
}
