// Signing secrets: made here, kept sealed in the subscription's row, shown whole when they are made and never again.
// Deliveries sign with every one that `livingSecrets` answers.
import type { Keyring } from '../../core/index.ts';
import type { WebhookRow } from './tables.ts';

/** A secret and when it stops signing. */
export interface SigningSecret {
  readonly secret: string;
  /** Milliseconds; null for the present one. */
  readonly expires_at: number | null;
}

/** What a replaced secret goes on signing for. */
export const oldSecretMs = 86_400_000;

/** What may be shown of a secret afterwards. */
export const maskedSecret = (hint: string): string => `whsec_…${hint}`;

const contextOf = (webhookId: string): string => `webhook:${webhookId}`;

/** The columns that keep secrets, newest first. */
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

/** The secrets that sign at this time, newest first. @throws when the keyring has not got their key any more */
export function livingSecrets(
  keyring: Keyring,
  { id, secrets }: Pick<WebhookRow, 'id' | 'secrets'>,
  now: number,
): SigningSecret[] {
  const all = JSON.parse(Buffer.from(keyring.open(secrets, contextOf(id))).toString('utf8')) as SigningSecret[];
  return all.filter(({ expires_at: end }) => end === null || end > now);
}
