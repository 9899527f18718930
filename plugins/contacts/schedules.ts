import type { RetentionDeclaration, ScheduleDeclaration } from '../../core/index.ts';

const day = 86_400_000;

/** The same retention as for sends and their timelines. */
export const retention = {
  contact_events: { rows: 'Custom events on the timelines of contacts', since: 'the event', default: '400 days' },
  contact_imports: {
    rows: 'Imports of contacts with their counts and faults',
    since: 'the import',
    default: '90 days',
  },
} as const satisfies Readonly<Record<string, RetentionDeclaration>>;

export const expireEvents: ScheduleDeclaration = {
  id: 'contacts.expire_events',
  description: 'Removes old custom events from timelines.',
  everyMs: day,
  async run(context) {
    await context.purgeByWorkspace('contact_events', 'ts', context.keptSince('contact_events'));
  },
};

export const expireImports: ScheduleDeclaration = {
  id: 'contacts.expire_imports',
  description: 'Removes old imports of contacts.',
  everyMs: day,
  async run(context) {
    await context.purgeByWorkspace('contact_imports', 'created_at', context.keptSince('contact_imports'), {
      contact_import_parts: 'import_id',
    });
  },
};
