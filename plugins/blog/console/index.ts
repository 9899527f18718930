// The pages of blog posts in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const ofPosts = { area: 'Content', scopes: ['pages:read'] } as const;

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofPosts, path: 'blog', title: 'Blog', load: async () => (await pages()).blog },
  { ...ofPosts, path: 'blog/{postId}', title: 'Post', load: async () => (await pages()).post },
];
