import type { RetentionDeclaration, ScheduleDeclaration } from '../../core/index.ts';

const day = 86_400_000;

export const retention = {
  sends: {
    rows: 'Sends with their timelines and the targets of their links',
    since: 'the request',
    default: '400 days',
    min: '7 days',
  },
  send_contents: {
    rows: 'Variables, headers and attachments of sends',
    since: 'the final state of the send',
    default: '7 days',
  },
} as const satisfies Readonly<Record<string, RetentionDeclaration>>;

/** Erases the rendering input after its retention, and later the sends themselves. */
export const schedules: readonly ScheduleDeclaration[] = [
  {
    id: 'email.erase_contents',
    description: 'Erases variables and attachments of sends that have long reached their final state.',
    everyMs: 3_600_000,
    async run(context) {
      const before = context.keptSince('send_contents');
      await context.purge('send_contents', 'finished_at', before);
      await context.purge('send_attachments', 'finished_at', before);
    },
  },
  {
    id: 'email.forget_capped_addresses',
    description: 'Removes the rows by which transactions wait for each other when they count mail against a cap.',
    everyMs: day,
    async run(context) {
      await context.purge('capped_addresses', 'asked_at', context.now - day);
    },
  },
  {
    id: 'email.erase_sends',
    description: 'Removes old sends and their timelines.',
    everyMs: day,
    async run(context) {
      await context.purgeByWorkspace('sends', 'created_at', context.keptSince('sends'), {
        send_events: 'send_id',
        send_tags: 'send_id',
        send_contents: 'send_id',
        send_attachments: 'send_id',
        send_links: 'send_id',
      });
    },
  },
];
