// webhooks trigger: sends an example of an event to the webhooks that subscribe to it.
import { CommandError, defineCommand, patternFault } from '../../../core/index.ts';
import { patternsOf } from '../../../core/unstable.ts';
import { listAll } from './webhook-calls.ts';

export const trigger = defineCommand({
  name: 'webhooks trigger',
  summary: 'Post an example event to the webhooks that subscribe to it',
  description:
    'The event is marked as synthetic and tried once. A running process delivers it: your program or postrider dev.',
  examples: [
    ['postrider webhooks trigger send.bounced', 'posts to every enabled webhook that subscribes to it'],
    [
      'postrider webhooks trigger order_paid --webhook whk_01M7…',
      'posts to one webhook, regardless of its subscriptions',
    ],
  ],
  arguments: {
    event: { type: 'positional', required: true, description: 'The name of the event' },
    webhook: { type: 'string', hint: 'ID', description: 'Post to this webhook only, even if it is disabled' },
    sandbox: { type: 'boolean', description: 'Use the webhooks of the sandbox, not the live ones' },
  },

  async run(context, { event, webhook, sandbox }) {
    const calls = await context.calls({ sandbox });
    const { ports } = await context.context();
    const fault = patternFault(ports.events, event);
    if (fault !== undefined) throw new CommandError(fault, { exitCode: 2 });
    const patterns = patternsOf(ports.events, event, ports.events.has(event) ? 'service' : 'custom');
    const all = webhook === undefined ? await listAll(calls) : [await calls.webhooks.read({ id: webhook })];
    const subscribers = all.filter(
      ({ enabled, events }) => webhook !== undefined || (enabled && events.some((name) => patterns.includes(name))),
    );
    if (subscribers.length === 0)
      throw new CommandError(
        `No enabled ${sandbox ? 'sandbox' : 'live'} webhook of this workspace subscribes to ${event}. Name one with --webhook, or create one: postrider webhooks listen --forward-to URL${sandbox ? ' --sandbox' : ''}`,
      );
    const deliveries: { id: string; webhook_id: string; event_type: string }[] = [];
    for (const { id } of subscribers) {
      const delivery = await calls.webhooks.test({ webhook_id: id, event });
      deliveries.push({ id: delivery.id, webhook_id: id, event_type: delivery.event_type });
    }
    context.table(
      ['webhook', 'url', 'delivery'],
      deliveries.map(({ id, webhook_id }) => [
        webhook_id,
        subscribers.find((one) => one.id === webhook_id)?.url ?? '',
        id,
      ]),
    );
    return { deliveries };
  },
});
