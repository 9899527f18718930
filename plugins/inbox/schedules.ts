import type { RetentionDeclaration, ScheduleDeclaration } from '../../core/index.ts';

/** As long as the stored contents of sends. */
export const retention = {
  inbox_messages: { rows: 'Messages of the development inbox', since: 'their arrival', default: '7 days' },
} as const satisfies Readonly<Record<string, RetentionDeclaration>>;

/** Removes old messages. If the inbox exceeds its limits, a new message removes the oldest ones. */
export const schedules: readonly ScheduleDeclaration[] = [
  {
    id: 'inbox.expire',
    description: 'Removes old messages of the inbox.',
    everyMs: 3_600_000,
    async run(context) {
      const before = context.keptSince('inbox_messages');
      await context.purge('inbox_parts', 'created_at', before);
      await context.purge('inbox_messages', 'created_at', before);
      await context.purge('inbox_texts', 'created_at', before);
    },
  },
];
