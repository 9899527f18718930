// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { createAction } from './create.ts';
import { deliveryPage, replayAction } from './delivery.ts';
import { findWebhooks, webhookList } from './list.ts';
import { webhookPage } from './webhook.ts';
import { webhookActions } from './webhook-actions.ts';

export const webhooks: ConsolePageContent = {
  render: webhookList,
  find: findWebhooks,
  actions: { create: createAction },
};

export const webhook: ConsolePageContent = { render: webhookPage, actions: webhookActions };

export const delivery: ConsolePageContent = { render: deliveryPage, actions: { replay: replayAction } };
