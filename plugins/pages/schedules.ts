import type { ScheduleDeclaration } from '../../core/index.ts';

export const schedules: readonly ScheduleDeclaration[] = [
  {
    id: 'pages.old_slugs',
    description: 'Ends the redirects of slugs that pages had until 400 days ago.',
    everyMs: 86_400_000,
    async run({ now, purge }) {
      await purge('page_slugs', 'until', now);
    },
  },
];
