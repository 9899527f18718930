// Signing secrets: generated here, stored sealed in the subscription's row, and shown in full once. Deliveries are signed with
// every secret that `livingSecrets` returns.
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

/** The secrets that sign at this time, newest first. @throws if the keyring no longer has their key */
export function livingSecrets(
  keyring: Keyring,
  { id, secrets }: Pick<WebhookRow, 'id' | 'secrets'>,
  now: number,
): SigningSecret[] {
  const all = JSON.parse(Buffer.from(keyring.open(secrets, contextOf(id))).toString('utf8')) as SigningSecret[];
  return all.filter(({ expires_at: end }) => end === null || end > now);
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
