// webhooks listen: the events of a workspace at a URL of this machine, for as long as the command runs.
import { CommandError, defineCommand } from '../../../core/index.ts';
import type { Tried } from './follow.ts';
import { followDeliveries } from './follow.ts';
import { ownDescription, removeLeftBehind, removeWebhook } from './temporary.ts';

/** `localhost:4000/hooks` is written quickly, and means http. */
const urlOf = (given: string): string => (given.includes('://') ? given : `http://${given}`);

function lineOf({ delivery, attempt }: Tried): string {
  const status = attempt.status_code ?? 'no answer';
  const line = `${attempt.at.slice(11, 19)}  ${status}  ${attempt.duration_ms} ms  ${delivery.event_type}  ${delivery.id}`;
  return attempt.error === null ? line : `${line}  ${attempt.error}`;
}

export const listen = defineCommand({
  name: 'webhooks listen',
  summary: "Post the workspace's events to a URL of this machine while it runs",
  description:
    'Makes a webhook for as long as it runs, prints its signing secret, and a line for each try. A running process delivers: ' +
    'your program, or postrider dev. Production takes public https URLs only, so this is for development.',
  examples: [
    ['postrider webhooks listen --forward-to localhost:4000/webhooks', 'every event'],
    [
      "postrider webhooks listen --forward-to localhost:4000 --events 'send.*,order_paid'",
      'those of mail, and one of yours',
    ],
    [
      'postrider webhooks listen --forward-to localhost:4000 --sandbox',
      'what a sandbox key or `postrider send` causes',
    ],
  ],
  arguments: {
    'forward-to': {
      type: 'string',
      required: true,
      hint: 'URL',
      description: 'Where events are posted to; without a scheme it is http',
    },
    sandbox: { type: 'boolean', description: 'What the sandbox causes, instead of live events' },
    events: {
      type: 'string',
      default: '*',
      hint: 'NAMES',
      description: 'Names of events, families such as send.*, or *, separated by commas',
    },
  },

  async run(context, { 'forward-to': target, events: named, sandbox }) {
    const events = named
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (events.length === 0) throw new CommandError('--events names no event.', { exitCode: 2 });
    const calls = await context.calls({ sandbox });
    const { ports } = await context.surface();
    const left = await removeLeftBehind(calls, ports.now());
    if (left > 0) context.print(`Removed ${left} that an earlier call could not.`);
    const webhook = await calls.webhooks.create({ url: urlOf(target), events, description: ownDescription() });
    let tries = 0;
    try {
      context.print(`${webhook.events.join(', ')} of ${sandbox ? 'the sandbox' : 'live traffic'} to ${webhook.url}`);
      context.print(`Signed with ${webhook.secret}`);
      context.print('Ctrl-C ends it and removes the webhook.');
      await followDeliveries(calls, webhook.id, context.signal, (tried) => {
        tries += 1;
        context.print(lineOf(tried));
      });
    } finally {
      await removeWebhook(calls, webhook.id);
    }
    return { webhook: webhook.id, url: webhook.url, events: webhook.events, tries };
  },
});
