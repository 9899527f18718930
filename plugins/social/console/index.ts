// The pages of social posts in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const socialArea = { area: 'Content', scopes: ['social:posts:read'] } as const;

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...socialArea, path: 'social', title: 'Social', load: async () => (await pages()).social },
  { ...socialArea, path: 'social/posts', title: 'Posts', load: async () => (await pages()).posts },
  { ...socialArea, path: 'social/posts/{postId}', title: 'Post', load: async () => (await pages()).post },
];

/** The path of the page that replaces an old URL. Earlier, social posts had a single page, whose query selected the view. */
export function pageOfQuery({ view, post }: Readonly<Record<string, string>>): string {
  if (view === 'events') return 'social-events';
  if (view !== 'cards') return 'social';
  return post === undefined ? 'social/posts' : `social/posts/${post}`;
}
