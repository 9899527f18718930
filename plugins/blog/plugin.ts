// The plugin of the blog.
import { type CallsOf, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { consolePages } from './console/index.ts';
import { blogPostContentKind } from './content-kind.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { pictureJob } from './link-picture-job.ts';
import { migration0001 } from './migrations/0001-blog.ts';
import { operations } from './operations/index.ts';
import { personalData } from './personal-data.ts';
import { schedules } from './schedules.ts';
import { createBlogService } from './service.ts';
import { blogRoutes } from './site/routes.ts';
import { type BlogPluginOptions, blogLanguages } from './site/texts.ts';
import { createSitemapSource } from './sitemap-entries.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    blog: CallsOf<typeof operations>;
  }
}

/** Blog posts in Markdown, published on the content host of a workspace. */
export const blogPlugin = (options: BlogPluginOptions = {}) => {
  checkOptions<BlogPluginOptions>('blogPlugin', options, {
    language: 'optional',
    texts: 'optional',
    subscribeList: 'optional',
  });
  return definePlugin({
    id: 'blog',
    searchWords: {
      blog: ['article', 'story'],
    },
    requires: ['pages', 'templates', 'assets'],
    operations,
    console: consolePages,
    publicRoutes: blogRoutes({ choose: blogLanguages(options), subscribeList: options.subscribeList }),
    events,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    jobs: [pictureJob],
    schedules,
    contentKinds: [blogPostContentKind],
    personalData,
    services: { blog: createBlogService },
    contributes: { 'pages.sitemap': createSitemapSource },
  });
};
