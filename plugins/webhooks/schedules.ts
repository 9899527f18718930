import type { ScheduleDeclaration } from '../../core/index.ts';

const day = 86_400_000;
const keptDays = 30;

/** Removes deliveries when their time is over. */
export const removeOldDeliveries: ScheduleDeclaration = {
  id: 'webhooks.remove_deliveries',
  description: `Removes webhook deliveries after ${keptDays} days.`,
  everyMs: 3_600_000,
  async run(context) {
    await context.purgeByWorkspace('webhook_deliveries', 'created_at', context.now - keptDays * day);
  },
};
