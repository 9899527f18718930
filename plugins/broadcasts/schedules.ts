import type { RetentionDeclaration, ScheduleDeclaration } from '../../core/index.ts';

export const retention = {
  broadcast_recipients: {
    rows: 'Recipients of broadcasts; their counts stay',
    since: 'the preparation of the broadcast',
    default: '400 days',
    min: '30 days',
  },
  broadcast_conversions: {
    rows: 'Conversions with their values; the counts of the broadcast stay',
    since: 'the event',
    default: '400 days',
    min: '30 days',
  },
} as const satisfies Readonly<Record<string, RetentionDeclaration>>;

export const schedules: readonly ScheduleDeclaration[] = [
  {
    id: 'broadcasts.expire_recipients',
    description: 'Removes old recipients of broadcasts.',
    everyMs: 86_400_000,
    run: async (context) =>
      void (await context.purgeByWorkspace(
        'broadcast_recipients',
        'created_at',
        context.keptSince('broadcast_recipients'),
      )),
  },
  {
    id: 'broadcasts.expire_conversions',
    description: 'Removes old conversions.',
    everyMs: 86_400_000,
    run: async (context) =>
      void (await context.purgeByWorkspace(
        'broadcast_conversions',
        'created_at',
        context.keptSince('broadcast_conversions'),
      )),
  },
];
