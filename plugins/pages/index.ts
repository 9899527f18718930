// Landing pages: built in the background from a brief, edited, published as versions, shown to visitors.
import './events.ts';
import './forms/events.ts';

export type { NewPage } from './create-page.ts';
export type { PageFormTexts, PagesPluginOptions } from './forms/texts.ts';
export { pagesPlugin } from './plugin.ts';
export type { PageResource } from './schema.ts';
export type { PageForm } from './sections/form.ts';
export type { Section } from './sections/schema.ts';
export type { PageAtSlug, PagesService, PageView } from './service.ts';
export type { SitemapEntry, SitemapSource } from './sitemap.ts';
export type { PageContent, PageHead } from './tables.ts';
