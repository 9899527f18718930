import type { RetentionDeclaration, ScheduleDeclaration } from '../../core/index.ts';
import { resealSecrets } from './secrets.ts';

export const retention = {
  // Tries continue for 31 hours and 35 minutes, and replays need the stored bytes.
  webhook_deliveries: {
    rows: 'Deliveries of webhooks with their attempts',
    since: 'the event',
    default: '30 days',
    min: '2 days',
  },
} as const satisfies Readonly<Record<string, RetentionDeclaration>>;

/** Removes deliveries after their retention. */
export const removeOldDeliveries: ScheduleDeclaration = {
  id: 'webhooks.remove_deliveries',
  description: 'Removes old webhook deliveries.',
  everyMs: 3_600_000,
  async run(context) {
    await context.purgeByWorkspace('webhook_deliveries', 'created_at', context.keptSince('webhook_deliveries'));
  },
};

/** Reseals signing secrets after the keyring got a new first key, so that the old key can be removed. */
export const resealSigningSecrets: ScheduleDeclaration = {
  id: 'webhooks.reseal',
  description: "Seals signing secrets again under the keyring's first key, if they are sealed with another key.",
  everyMs: 86_400_000,
  async run({ eachWorkspace, ports, log }) {
    await eachWorkspace(async ({ trx, workspace }) => {
      const unreadable = await resealSecrets(ports.keyring, trx);
      if (unreadable.length > 0)
        log.error(
          { workspace: workspace.id, webhooks: unreadable },
          'signing secrets of webhooks cannot be opened: was a key taken out of the keyring?',
        );
    });
  },
};
