import type { ScheduleDeclaration } from '../../core/index.ts';

export const schedules: readonly ScheduleDeclaration[] = [
  {
    id: 'blog.old_slugs',
    description: 'Ends the redirects of slugs that blog posts had until 400 days ago.',
    everyMs: 86_400_000,
    async run({ now, purge }) {
      await purge('blog_slugs', 'until', now);
    },
  },
];
