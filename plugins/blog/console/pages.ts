// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { composeAction, findPosts, postList } from './list.ts';
import { postActions, postPage } from './post.ts';

export const blog: ConsolePageContent = { render: postList, find: findPosts, actions: { compose: composeAction } };

export const post: ConsolePageContent = { render: postPage, actions: postActions };
