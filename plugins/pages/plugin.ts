// The plugin of pages.
import { type CallsOf, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { buildJob, endBuildJob } from './build/job.ts';
import { importPageCommand } from './commands/import-page.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { createConfirmations } from './forms/confirmed.ts';
import { formEvents } from './forms/events.ts';
import { askJob, giveJob } from './forms/jobs.ts';
import { formRetention, formSchedules } from './forms/keeping.ts';
import { formRoutes } from './forms/routes.ts';
import { type PagesPluginOptions, pageFormTexts } from './forms/texts.ts';
import { createListReferences } from './list-references.ts';
import { migration0001 } from './migrations/0001-pages.ts';
import { operations } from './operations/index.ts';
import { personalData } from './personal-data.ts';
import { pictureJob } from './publishing/picture.ts';
import { pageRoutes } from './routes/pages.ts';
import { missingPage, showPublished } from './routes/show.ts';
import { sitemapRoutes } from './routes/sitemap.ts';
import { schedules } from './schedules.ts';
import { scopes } from './scopes.ts';
import { createPagesService } from './service.ts';
import { createSitemapSource } from './sitemap-entries.ts';
import { pageSurface } from './surface.ts';
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
    requires: ['templates', 'brand', 'assets'],
    scopes,
    operations,
    toolOrders: [
      {
        job: 'A landing page',
        tools: ['create_page', 'read_page', 'update_page', 'publish_page'],
        note: 'Read it again until its composeStatus is ready.',
      },
      {
        job: 'The first page of a workspace without a brand',
        tools: ['list_brands', 'create_brand', 'create_page'],
      },
    ],
    publicRoutes: [
      ...pageRoutes(languages),
      ...formRoutes(languages, { showPage: showPublished(languages), missing: missingPage(languages) }),
      ...sitemapRoutes(languages),
    ],
    events: [...events, ...formEvents],
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    jobs: [buildJob, endBuildJob, pictureJob, askJob, giveJob],
    schedules: [...schedules, ...formSchedules],
    retention: formRetention,
    commands: [importPageCommand],
    surfaces: [pageSurface],
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
