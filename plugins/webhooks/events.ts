import { defineEvent, type EventDeclaration, type z } from '../../core/index.ts';
import { webhookResource } from './schema.ts';

const disabled = defineEvent({
  type: 'webhook.disabled',
  description:
    'The service stopped posting to a webhook, because its receiver responded with 410 Gone or has failed for five days.',
  data: webhookResource,
  example: {
    id: 'whk_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
    sandbox: false,
    url: 'https://example.com/webhooks',
    events: ['send.delivered', 'send.bounced'],
    description: null,
    enabled: false,
    secret: 'whsec_…kY3d',
    created_at: '2026-11-01T09:00:00.000Z',
    updated_at: '2026-11-20T15:04:05.000Z',
    disabled_at: '2026-11-20T15:04:05.000Z',
    disabled_reason: 'Nothing could be delivered for five days.',
  },
});

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'webhook.disabled': z.output<typeof disabled.data>;
  }
}

export const events: readonly EventDeclaration[] = [disabled];
