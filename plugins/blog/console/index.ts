// The pages of blog posts in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { findPosts, postList } from './list.ts';
import { postActions, postPage } from './post.ts';

const ofPosts = { area: 'Content', scopes: ['pages:read'] } as const;

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofPosts, path: 'blog', title: 'Blog', render: postList, find: findPosts },
  { ...ofPosts, path: 'blog/{postId}', title: 'Post', render: postPage, actions: postActions },
];
