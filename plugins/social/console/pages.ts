// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { calendarPage } from './calendar.ts';
import { postPage } from './post.ts';
import { findPosts, postList } from './posts.ts';
import { pageStyle as style } from './style.ts';

export const social: ConsolePageContent = { render: calendarPage, find: findPosts, style };

export const posts: ConsolePageContent = { render: postList, style };

export const post: ConsolePageContent = { render: postPage, style };
