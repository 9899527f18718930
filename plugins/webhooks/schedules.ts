import type { RetentionDeclaration, ScheduleDeclaration } from '../../core/index.ts';

export const retention = {
  // Tries go on for 31 hours and 35 minutes, and replays need the bytes.
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
