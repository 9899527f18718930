import { defineOperationWithPrepare } from '../../../core/index.ts';
import { checkEvents, checkUrl, namedEvents } from '../check-subscription.ts';
import { errors } from '../errors.ts';
import { presentWebhook } from '../present.ts';
import { webhookChanges, webhookParams, webhookResource } from '../schema.ts';
import { webhookRows } from '../store.ts';
import { keepInterests, notifySubscriptionChanged } from '../subscription.ts';
import { someWebhook } from './fixture-rows.ts';

/** The columns that enabling resets. */
const enabledColumns = { enabled: true, failing_since: null, disabled_at: null, disabled_reason: null };
const byRequest = { enabled: false, disabled_reason: 'Disabled by request.' };

export const updateWebhook = defineOperationWithPrepare({
  id: 'webhooks.update',
  summary: 'Change a webhook',
  description:
    'Fields that are left out stay unchanged. enabled: false stops deliveries; enabled: true resumes them and resets the count of failures.',
  http: 'PATCH /v1/webhooks/{id}',
  tool: { name: 'update_webhook', openWorld: true },
  scopes: ['webhooks:manage'],
  idempotency: 'replay',
  input: { params: webhookParams, body: webhookChanges },
  output: webhookResource,
  errors: ['webhook_not_found', 'webhook_url_refused', 'plan_required'],
  audit: { action: 'webhook.update', target: ({ id }) => ({ kind: 'webhook', id }) },
  fixture: async (kit) => ({
    params: { id: await someWebhook(kit, kit.workspaceId) },
    body: { events: ['send.*'], description: 'Everything about mail' },
    foreign: { id: await someWebhook(kit, kit.foreignWorkspaceId) },
    errors: {
      webhook_url_refused: async () => ({ body: { url: 'https://10.0.0.1/' } }),
      plan_required: 'unreachable here: shown in test/plugins/webhooks.test.ts',
    },
  }),

  async prepare(ctx, { params: { id }, body }) {
    // The webhook is looked up before the URL is checked, so that a caller without a webhook learns nothing about the URL.
    if ((await ctx.read(({ trx }) => webhookRows.find(trx, id))) === undefined) throw errors.webhook_not_found({ id });
    if (body.events !== undefined) checkEvents(ctx.ports.events, ctx.workspace, namedEvents(body.events));
    if (body.url !== undefined) await checkUrl(ctx, body.url);
  },

  async handler(ctx, { params: { id }, body: { enabled, ...changedFields } }) {
    const row = await webhookRows.lock(ctx.trx, id);
    if (row === undefined) throw errors.webhook_not_found({ id });
    const changed = await webhookRows.change(ctx.trx, row, {
      ...changedFields,
      ...(enabled === true ? enabledColumns : {}),
      ...(enabled === false && row.enabled ? { ...byRequest, disabled_at: ctx.now } : {}),
      updated_at: ctx.now,
    });
    await keepInterests(ctx.trx, changed);
    await notifySubscriptionChanged(ctx);
    if (enabled !== undefined) ctx.note({ enabled });
    return presentWebhook(changed);
  },
});
