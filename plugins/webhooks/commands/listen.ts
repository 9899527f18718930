// webhooks listen: posts the events of a workspace to a URL of this machine while the command runs.
import { CommandError, defineCommand } from '../../../core/index.ts';
import { type DeliveryTry, followDeliveries } from './follow.ts';
import { ownDescription, removeAbandoned, removeWebhook } from './temporary-subscriptions.ts';

/** Adds http:// if the URL has no scheme, as in `localhost:4000/hooks`. */
const urlOf = (input: string): string => (input.includes('://') ? input : `http://${input}`);

function lineOf({ delivery, attempt }: DeliveryTry): string {
  const status = attempt.status_code ?? 'no answer';
  const line = `${attempt.at.slice(11, 19)}  ${status}  ${attempt.duration_ms} ms  ${delivery.event_type}  ${delivery.id}`;
  return attempt.error === null ? line : `${line}  ${attempt.error}`;
}

export const listen = defineCommand({
  name: 'webhooks listen',
  summary: 'Forward the events of the workspace to a URL on this machine',
  description:
    'Creates a webhook for as long as the command runs and prints its signing secret, then a line for each attempt. A running process delivers: ' +
    'your program or postrider dev. For development: production accepts public https URLs only.',
  examples: [
    ['postrider webhooks listen --forward-to localhost:4000/webhooks', 'forwards all events'],
    [
      "postrider webhooks listen --forward-to localhost:4000 --events 'send.*,order_paid'",
      'forwards events of mail and one of your own',
    ],
    ['postrider webhooks listen --forward-to localhost:4000 --sandbox', 'forwards events of the sandbox'],
  ],
  arguments: {
    'forward-to': {
      type: 'string',
      required: true,
      hint: 'URL',
      description: 'Where to post events; without a scheme it is http',
    },
    sandbox: { type: 'boolean', description: 'Forward events of the sandbox, not live ones' },
    events: {
      type: 'string',
      default: '*',
      hint: 'NAMES',
      description: 'Names of events, families such as send.*, or *, separated by commas',
    },
  },

  async run(context, { 'forward-to': target, events: eventNames, sandbox }) {
    const events = eventNames
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (events.length === 0) throw new CommandError('--events is empty: give at least one event.', { exitCode: 2 });
    const calls = await context.calls({ sandbox });
    const { ports } = await context.context();
    const removedCount = await removeAbandoned(calls, ports.now());
    if (removedCount > 0)
      context.print(
        `Removed ${removedCount === 1 ? '1 webhook' : `${removedCount} webhooks`} that an earlier call left behind.`,
      );
    const webhook = await calls.webhooks.create({ url: urlOf(target), events, description: ownDescription() });
    let tries = 0;
    try {
      context.print(
        `Forwarding ${sandbox ? 'sandbox' : 'live'} events (${webhook.events.join(', ')}) to ${webhook.url}`,
      );
      context.print(`Signing secret: ${webhook.secret}`);
      context.print('Press Ctrl-C to stop and remove the webhook.');
      await followDeliveries(calls, webhook.id, context.signal, (deliveryTry) => {
        tries += 1;
        context.print(lineOf(deliveryTry));
      });
    } finally {
      await removeWebhook(calls, webhook.id);
    }
    return { webhook: webhook.id, url: webhook.url, events: webhook.events, tries };
  },
});
