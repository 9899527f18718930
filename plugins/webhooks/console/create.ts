// Creates a webhook in the console, and shows its secret: only this view can show it.
import type { ConsoleAction, ConsoleContext, ConsoleView } from '../../../core/index.ts';
import { actionForm, conclusion, facts, type Html, html, idOfRow, panel } from '../../../core/unstable.ts';
import type { WebhookResource } from '../schema.ts';
import { nameOf } from './words.ts';

/** The view with the whole secret. */
export function secretView(ctx: ConsoleContext, webhook: WebhookResource, about: string): ConsoleView {
  const href = ctx.link(`webhooks/${webhook.id}`);
  const secretFacts = facts([
    ['Signing secret', idOfRow(webhook.secret)],
    ['Webhook', html`<a href="${href}">${nameOf(webhook)}</a>`],
    ['Address', webhook.url],
  ]);
  return {
    heading: 'The signing secret',
    body: html`${conclusion('wait', 'Store the secret in the receiver now. It is not shown again.', about)}${panel('Secret', secretFacts)}<p><a class="button" href="${href}">To the webhook</a></p>`,
  };
}

/** The form on the list. */
export const createForm = (ctx: ConsoleContext): Html =>
  actionForm(ctx, 'create', {
    label: 'Create a webhook',
    question: `Events of these names are posted to the address from now on, signed. send.* stands for all names that begin with send., and * for all events.`,
    verb: 'Create the webhook',
    inputs: [
      { name: 'url', label: 'Address (https)', isRequired: true, maxLength: 2_000 },
      { name: 'events', label: 'Events, separated by commas', isRequired: true, isLong: true, maxLength: 5_000 },
      { name: 'description', label: 'Name for people' },
    ],
  });

/** Creates a webhook on the side of the page. */
export const createAction: ConsoleAction = {
  async reveal(ctx, { idempotencyKey, fields: { url = '', events = '', description = '' } }) {
    const names = events.split(/[\s,]+/).filter((name) => name !== '');
    const webhookName = description.trim();
    const webhook = await ctx.calls.webhooks.create(
      { url: url.trim(), events: names, description: webhookName === '' ? null : webhookName },
      { idempotencyKey },
    );
    return secretView(ctx, webhook, 'Every delivery is signed with it.');
  },
};
