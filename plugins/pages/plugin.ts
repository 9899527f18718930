// The plugin of pages.
import { type CallsOf, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { buildJob, endBuildJob } from './build/job.ts';
import { importPageCommand } from './commands/import-page.ts';
import { consolePages } from './console/index.ts';
import { pageContentKind } from './content-kind.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { formEvents } from './forms/events.ts';
import { askToConfirmJob, mailGiftJob } from './forms/jobs.ts';
import { createConfirmations } from './forms/on-confirmed.ts';
import { formRetention, formSchedules } from './forms/retention.ts';
import { formRoutes } from './forms/routes.ts';
import { type PagesPluginOptions, pageFormTexts } from './forms/texts.ts';
import { createListReferences } from './list-references.ts';
import { migration0001 } from './migrations/0001-pages.ts';
import { operations } from './operations/index.ts';
import { personalData } from './personal-data.ts';
import { pictureJob } from './publishing/link-picture-job.ts';
import { notFoundPage, showPublished } from './routes/page-response.ts';
import { pageRoutes } from './routes/pages.ts';
import { sitemapRoutes } from './routes/sitemap.ts';
import { schedules } from './schedules.ts';
import { scopes } from './scopes.ts';
import { createPagesService } from './service.ts';
import { createSitemapSource } from './sitemap-entries.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    pages: CallsOf<typeof operations>;
  }
}

/** Landing pages: built in the background from a brief, edited, published as versions, shown to visitors. */
export const pagesPlugin = (options: PagesPluginOptions = {}) => {
  checkOptions<PagesPluginOptions>('pagesPlugin', options, { texts: 'optional' });
  const languages = pageFormTexts(options.texts);
  return definePlugin({
    id: 'pages',
    searchWords: {
      page: ['landing', 'site', 'website', 'homepage', 'form', 'signup'],
      forms: ['answers', 'leads', 'entries', 'filled', 'responses', 'submitted'],
    },
    requires: ['templates', 'brand', 'assets'],
    scopes,
    operations,
    toolWorkflows: [
      {
        task: 'A landing page',
        tools: ['create_page', 'read_page', 'update_page', 'publish_page'],
        note: 'Read it again until its composeStatus is ready.',
      },
      {
        task: 'The first page of a workspace without a brand',
        tools: ['list_brands', 'create_brand', 'create_page'],
      },
    ],
    publicRoutes: [
      ...pageRoutes(languages),
      ...formRoutes(languages, { showPage: showPublished(languages), missing: notFoundPage(languages) }),
      ...sitemapRoutes(languages),
    ],
    events: [...events, ...formEvents],
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    jobs: [buildJob, endBuildJob, pictureJob, askToConfirmJob, mailGiftJob],
    schedules: [...schedules, ...formSchedules],
    retention: formRetention,
    commands: [importPageCommand],
    console: consolePages,
    contentKinds: [pageContentKind],
    personalData,
    services: { pages: createPagesService },
    extensionPoints: ['pages.sitemap'],
    contributes: {
      'pages.sitemap': createSitemapSource,
      'lists.references': createListReferences,
      'lists.confirmations': createConfirmations,
    },
  });
};
