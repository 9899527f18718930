// The pages of social posts in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { calendarPage } from './calendar.ts';
import { postPage } from './post.ts';
import { postList } from './posts.ts';
import { pageStyle } from './style.ts';

const ofSocial = { area: 'Content', scopes: ['social:posts:read'], style: pageStyle } as const;

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofSocial, path: 'social', title: 'Social', render: calendarPage },
  { ...ofSocial, path: 'social/posts', title: 'Posts', render: postList },
  { ...ofSocial, path: 'social/posts/{postId}', title: 'Post', render: postPage },
];

/** The page to which a query of the earlier page leads. */
export function pageOfQuery({ view, post }: Readonly<Record<string, string>>): string {
  if (view === 'events') return 'social-events';
  if (view !== 'cards') return 'social';
  return post === undefined ? 'social/posts' : `social/posts/${post}`;
}
