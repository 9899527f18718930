import { definePreparedOperation } from '../../../core/index.ts';
import { createWebhookSecret, lockWorkspace } from '../../../core/unstable.ts';
import { checkEvents, checkUrl, namedEvents } from '../check.ts';
import { errors } from '../errors.ts';
import { presentWebhook } from '../present.ts';
import { newWebhook, webhookResource } from '../schema.ts';
import { sealSecrets } from '../secrets.ts';
import { hasSoManyWebhooks, insertWebhook } from '../store.ts';
import { keepInterests } from '../subscription.ts';
import type { WebhookRow } from '../tables.ts';
import { fixtureUrl, makeRoom } from './fixture-rows.ts';

/** So many subscriptions a workspace. */
const maxWebhooks = 50;

export const createWebhook = definePreparedOperation({
  id: 'webhooks.create',
  summary: 'Create a webhook',
  description:
    'The events that it names are posted to its url from now on, signed. The answer holds the signing secret whole, this once: keep it.',
  http: 'POST /v1/webhooks',
  tool: { name: 'create_webhook', openWorld: true },
  scopes: ['webhooks:manage'],
  idempotency: 'replay',
  secretOutput: true,
  input: { body: newWebhook },
  output: webhookResource,
  status: 201,
  errors: ['webhook_url_refused', 'webhook_limit_reached', 'plan_required'],
  audit: { action: 'webhook.create', target: ({ id }) => ({ kind: 'webhook', id }) },
  fixture: async (kit) => {
    await makeRoom(kit, kit.workspaceId);
    return {
      body: { url: fixtureUrl, events: ['send.delivered', 'send.bounced'] },
      errors: {
        webhook_url_refused: async () => ({ body: { url: 'https://10.0.0.1/', events: ['send.delivered'] } }),
        webhook_limit_reached: 'unreachable here: shown in test/plugins/webhooks.test.ts',
        plan_required: 'unreachable here: shown in test/plugins/webhooks.test.ts',
      },
    };
  },

  async prepare(ctx, { body }) {
    checkEvents(ctx.ports.events, ctx.workspace, namedEvents(body.events));
    await checkUrl(ctx, body.url);
  },

  async handler(ctx, { body }) {
    // Two at the same moment must not both take the last place.
    await lockWorkspace(ctx.trx);
    if (await hasSoManyWebhooks(ctx.trx, maxWebhooks)) throw errors.webhook_limit_reached({ limit: maxWebhooks });
    const id = ctx.newId('whk');
    const secret = createWebhookSecret(ctx.ports.randomness);
    const row: WebhookRow = {
      id,
      workspace_id: ctx.workspace.id,
      url: body.url,
      events: JSON.stringify(body.events),
      description: body.description,
      enabled: 1,
      ...sealSecrets(ctx.ports.keyring, id, [{ secret, expires_at: null }]),
      failing_since: null,
      disabled_at: null,
      disabled_reason: null,
      created_at: ctx.now,
      updated_at: ctx.now,
    };
    await insertWebhook(ctx.trx, row);
    await keepInterests(ctx.trx, row);
    return presentWebhook(row, secret);
  },
});
