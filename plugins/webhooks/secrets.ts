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

/** How long a replaced secret keeps signing, in milliseconds. */
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

/** The number of subscriptions whose opened secrets a process keeps. */
const maxOpened = 1_000;

interface Opened {
  /** The column from which they were opened: a rotated secret has another. */
  readonly sealed: Uint8Array;
  readonly secrets: readonly SigningSecret[];
}

/** The opened secrets by subscription. Opening them costs more than signing an event. */
const openedBy = new WeakMap<Keyring, Map<string, Opened>>();

/** @throws if the keyring no longer has their key */
function openSecrets(keyring: Keyring, { id, secrets: sealed }: Pick<WebhookRow, 'id' | 'secrets'>): Opened['secrets'] {
  const opened = openedBy.get(keyring) ?? new Map<string, Opened>();
  openedBy.set(keyring, opened);
  const cached = opened.get(id);
  if (cached !== undefined && Buffer.compare(cached.sealed, sealed) === 0) return cached.secrets;
  const secrets = JSON.parse(Buffer.from(keyring.open(sealed, contextOf(id))).toString('utf8')) as SigningSecret[];
  opened.delete(id);
  const [oldest] = opened.size >= maxOpened ? opened.keys() : [];
  if (oldest !== undefined) opened.delete(oldest);
  opened.set(id, { sealed, secrets });
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
      // The lock keeps the new secret of a concurrent rotation.
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
