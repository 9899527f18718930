import { coreErrors, defineOperation, type OperationContext } from '../../../core/index.ts';
import { createWebhookSecret } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { presentWebhook } from '../present.ts';
import { webhookParams, webhookResource } from '../schema.ts';
import { activeSecrets, oldSecretMs, type SigningSecret, sealSecrets } from '../secrets.ts';
import { webhookRows } from '../store.ts';
import type { WebhookRow } from '../tables.ts';
import { someWebhook } from './fixture-rows.ts';

/** The maximum number of valid secrets. Each delivery is signed with every valid secret. */
const maxValidSecrets = 6;

/** The valid secrets. Empty if the keyring no longer has their key: they cannot sign any more, and the new secret replaces them. */
function readableSecrets({ ports, now, log }: OperationContext, row: WebhookRow): SigningSecret[] {
  try {
    return activeSecrets(ports.keyring, row, now);
  } catch (cause) {
    log.error(
      { webhook_id: row.id, cause: String(cause) },
      'the signing secret of a webhook could not be opened; it is replaced',
    );
    return [];
  }
}

export const rotateSecret = defineOperation({
  id: 'webhooks.rotate',
  summary: 'Give a webhook a new signing secret',
  description:
    'Only this answer contains the whole new secret. For 24 hours deliveries are signed with the old one, too, so that receivers can be changed meanwhile.',
  http: 'POST /v1/webhooks/{id}/rotate-secret',
  tool: { name: 'rotate_webhook_secret', destructive: true },
  scopes: ['webhooks:manage'],
  idempotency: 'replay',
  secretOutput: true,
  input: { params: webhookParams },
  output: webhookResource,
  errors: ['webhook_not_found', 'state_conflict'],
  audit: { action: 'webhook.rotate', target: ({ id }) => ({ kind: 'webhook', id }) },
  fixture: async (kit) => ({
    params: { id: await someWebhook(kit, kit.workspaceId) },
    foreign: { id: await someWebhook(kit, kit.foreignWorkspaceId) },
    errors: { state_conflict: 'unreachable here: shown in test/plugins/webhooks.test.ts' },
  }),

  async handler(ctx, { params: { id } }) {
    const { keyring, randomness } = ctx.ports;
    // The lock prevents two concurrent rotations from overwriting each other's new secret.
    const row = await webhookRows.lock(ctx.trx, id);
    if (row === undefined) throw errors.webhook_not_found({ id });
    const validSecrets = readableSecrets(ctx, row);
    if (validSecrets.length >= maxValidSecrets)
      throw coreErrors.state_conflict({
        reason: `The secret was replaced ${validSecrets.length - 1} times within 24 hours, and all replaced secrets still sign. Wait until the oldest one expires, 24 hours after its replacement.`,
      });
    const secret = createWebhookSecret(randomness);
    const replacedSecrets = validSecrets.map((one) => ({
      ...one,
      expires_at: one.expires_at ?? ctx.now + oldSecretMs,
    }));
    const sealed = sealSecrets(keyring, id, [{ secret, expires_at: null }, ...replacedSecrets]);
    const changed = await webhookRows.change(ctx.trx, row, { ...sealed, updated_at: ctx.now });
    return { ...presentWebhook(changed), secret };
  },
});
