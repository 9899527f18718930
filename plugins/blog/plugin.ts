// The plugin of blog.
import type { CallsOf } from '../../core/index.ts';
import { definePlugin } from '../../core/index.ts';
import { operations } from './operations/index.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    blog: CallsOf<typeof operations>;
  }
}

/** Blog posts in Markdown, published on the content host of a workspace. */
export const blogPlugin = () =>
  definePlugin({
    id: 'blog',
    requires: ['pages', 'templates', 'assets'],

    operations,
  });
