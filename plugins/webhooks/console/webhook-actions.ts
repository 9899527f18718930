// The actions on a webhook in the console, each with a question that names its effects.
import type { ConsoleAction, ConsoleContext } from '../../../core/index.ts';
import { type ActionInput, actionForm, deleteAction, type Html, html } from '../../../core/unstable.ts';
import type { WebhookResource } from '../schema.ts';
import { secretView } from './create.ts';
import { nameOf } from './words.ts';

const webhookIdOf = ({ params }: ConsoleContext): string => params['webhookId'] ?? '';

/** A pattern such as `send.*` matches events of many names, so the person enters the name of the test event. */
function eventInput({ events }: WebhookResource): ActionInput {
  const field = { name: 'event', label: 'Event' };
  return events.some((name) => name.endsWith('*'))
    ? { ...field, label: 'Name of the event (the first that fits, if empty)' }
    : { ...field, options: events.map((name) => [name, name] as const) };
}

/** The forms of a webhook's page. */
export function webhookForms(ctx: ConsoleContext, webhook: WebhookResource): Html {
  const name = nameOf(webhook);
  const test = actionForm(ctx, 'test', {
    label: 'Send a test',
    question: html`An example of the event is posted to ${webhook.url} once, marked as synthetic. No other webhook gets it.`,
    verb: 'Send the test',
    inputs: [eventInput(webhook)],
  });
  const enabling = webhook.enabled
    ? actionForm(ctx, 'disable', {
        label: 'Disable',
        question: html`While ${name} is disabled, no event is posted to it. Events from this time are not posted later either.`,
        verb: 'Disable the webhook',
      })
    : actionForm(ctx, 'enable', {
        label: 'Enable',
        question: html`New events are posted to ${name} again, and its count of failures is reset.`,
        verb: 'Enable the webhook',
      });
  const rotate = actionForm(ctx, 'rotate', {
    label: 'Rotate the secret',
    question: html`${name} gets a new signing secret. For 24 hours, deliveries are signed with the old one, too.`,
    verb: 'Rotate the secret',
  });
  const remove = actionForm(ctx, 'delete', {
    label: 'Delete',
    question: html`Nothing more is posted to ${name}. Its waiting deliveries are canceled, and the list of its deliveries is deleted.`,
    verb: 'Delete the webhook',
    isDestructive: true,
  });
  return html`${test}${enabling}${rotate}${remove}`;
}

/** The actions of a webhook's page. */
export const webhookActions: Readonly<Record<string, ConsoleAction>> = {
  test: {
    done: 'The test was queued. Its delivery is listed below.',
    async run(ctx, { idempotencyKey, fields: { event = '' } }) {
      const eventName = event.trim();
      await ctx.calls.webhooks.test(
        { webhook_id: webhookIdOf(ctx), ...(eventName === '' ? {} : { event: eventName }) },
        { idempotencyKey },
      );
    },
  },
  enable: {
    done: 'The webhook is enabled. New events are posted.',
    async run(ctx, { idempotencyKey }) {
      await ctx.calls.webhooks.update({ id: webhookIdOf(ctx), enabled: true }, { idempotencyKey });
    },
  },
  disable: {
    done: 'The webhook is disabled. Nothing more is posted.',
    async run(ctx, { idempotencyKey }) {
      await ctx.calls.webhooks.update({ id: webhookIdOf(ctx), enabled: false }, { idempotencyKey });
    },
  },
  rotate: {
    async reveal(ctx, { idempotencyKey }) {
      const webhook = await ctx.calls.webhooks.rotate({ id: webhookIdOf(ctx) }, { idempotencyKey });
      return secretView(ctx, webhook, 'For 24 hours, deliveries are signed with the old secret, too.');
    },
  },
  delete: deleteAction({
    remove: (ctx, idempotencyKey) => ctx.calls.webhooks.delete({ id: webhookIdOf(ctx) }, { idempotencyKey }),
    sentence: 'The webhook was deleted. Nothing more is posted to it.',
    link: { text: 'All webhooks', path: 'webhooks' },
  }),
};
