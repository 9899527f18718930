import { coreErrors, defineOperationWithPrepare } from '../../../core/index.ts';
import { createWebhookSecret, lockWorkspace } from '../../../core/unstable.ts';
import { checkEvents, checkUrl, namedEvents } from '../check-subscription.ts';
import { presentWebhook } from '../present.ts';
import { newWebhook, webhookResource } from '../schema.ts';
import { sealSecrets } from '../secrets.ts';
import { webhookRows } from '../store.ts';
import { keepInterests, notifySubscriptionChanged } from '../subscription.ts';
import { fixtureUrl, makeRoom } from './fixture-rows.ts';

/** The maximum number of subscriptions on each side of a workspace. Sandbox and live subscriptions are counted separately. */
const maxWebhooks = 50;

export const createWebhook = defineOperationWithPrepare({
  id: 'webhooks.create',
  summary: 'Create a webhook',
  description: `Events of the named types are posted to the url from now on, signed. The response has the signing secret, only this once: store it. The webhook of a sandbox key gets sandbox events, any other live ones. A workspace has at most ${maxWebhooks} of each.`,
  http: 'POST /v1/webhooks',
  tool: { name: 'create_webhook', openWorld: true },
  searchWords: ['notify', 'inform', 'whenever', 'subscribe'],
  scopes: ['webhooks:manage'],
  idempotency: 'replay',
  secretOutput: true,
  input: { body: newWebhook },
  output: webhookResource,
  status: 201,
  errors: ['webhook_url_refused', 'limit_reached', 'plan_required'],
  audit: { action: 'webhook.create', target: ({ id }) => ({ kind: 'webhook', id }) },
  fixture: async (kit) => {
    await makeRoom(kit, kit.workspaceId);
    return {
      body: { url: fixtureUrl, events: ['send.delivered', 'send.bounced'] },
      errors: {
        webhook_url_refused: async () => ({ body: { url: 'https://10.0.0.1/', events: ['send.delivered'] } }),
        limit_reached: 'unreachable here: shown in test/plugins/webhooks.test.ts',
        plan_required: 'unreachable here: shown in test/plugins/webhooks.test.ts',
      },
    };
  },

  async prepare(ctx, { body }) {
    checkEvents(ctx.ports.events, ctx.workspace, namedEvents(body.events));
    await checkUrl(ctx, body.url);
  },

  async handler(ctx, { body }) {
    // The lock prevents two concurrent calls from both creating the last allowed subscription.
    await lockWorkspace(ctx.trx);
    if ((await webhookRows.count(ctx.trx, {}, maxWebhooks)) === maxWebhooks)
      throw coreErrors.limit_reached({ limit: maxWebhooks, resources: 'webhooks' });
    const id = ctx.newId('whk');
    const secret = createWebhookSecret(ctx.ports.randomness);
    const row = await webhookRows.insert(ctx.trx, {
      id,
      sandbox: ctx.sandbox,
      url: body.url,
      events: body.events,
      description: body.description,
      enabled: true,
      ...sealSecrets(ctx.ports.keyring, id, [{ secret, expires_at: null }]),
      failing_since: null,
      disabled_at: null,
      disabled_reason: null,
      created_at: ctx.now,
      updated_at: ctx.now,
    });
    await keepInterests(ctx.trx, row);
    await notifySubscriptionChanged(ctx);
    return { ...presentWebhook(row), secret };
  },
});
