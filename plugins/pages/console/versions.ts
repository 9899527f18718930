// The page of a landing page's versions in the console: their publishers and times, the differences between two versions, and the form
// that rolls back to a version.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  type ComparedText,
  chosenVersions,
  comparedText,
  dataTable,
  emptyNotice,
  type Html,
  html,
  moment,
  pager,
  type VersionName,
  versionComparison,
  versionLink,
} from '../../../core/unstable.ts';
import { publishersOf } from '../../kit/publishers.ts';
import { keptVersions, type PageResource } from '../schema.ts';
import type { Section } from '../sections/schema.ts';
import { rollBackForm } from './actions.ts';
import { statusPill } from './words.ts';

const pageSize = 10;

/** A page with the whole content of a version. */
type PageContent = Pick<PageResource, 'title' | 'slug' | 'ctaLabel' | 'metadata'> & {
  readonly sections: readonly Section[];
};

const pathOf = ({ id }: Pick<PageResource, 'id'>): string => `pages/${id}/versions`;

/** The content of a section as text. The id is left out, because sections are compared by their id. */
const sectionText = (section: Section | undefined): string => {
  if (section === undefined) return '';
  const { id: _, ...content } = section;
  return comparedText(content);
};

const sectionName = ({ heading, kind }: Section): string => `Section: ${heading || kind.replaceAll('_', ' ')}`;

/** The parts of two versions that can differ, side by side. Sections with the same id are compared with each other. */
function textsOf(before: PageContent, after: PageContent): ComparedText[] {
  const part = (name: string, contentOf: (page: PageContent) => unknown): ComparedText => ({
    name,
    before: comparedText(contentOf(before)),
    after: comparedText(contentOf(after)),
  });
  const orderOf = ({ sections }: PageContent): string => sections.map(sectionName).join('\n');
  const sections = new Map([...before.sections, ...after.sections].map((section) => [section.id, section]));
  const sectionIn = ({ sections: all }: PageContent, id: string): string =>
    sectionText(all.find((one) => one.id === id));
  return [
    part('Title', ({ title }) => title),
    part('Address', ({ slug }) => slug),
    part('Words on the buttons', ({ ctaLabel }) => ctaLabel),
    part('Title for search engines', ({ metadata }) => metadata.title),
    part('Description', ({ metadata }) => metadata.description),
    part('Picture in previews of links', ({ metadata }) => metadata.ogImageUrl),
    part('Search engines', ({ metadata }) => (metadata.noindex ? 'Asked to leave it out' : 'May list it')),
    part('Language', ({ metadata }) => metadata.language),
    { name: 'Order of the sections', before: orderOf(before), after: orderOf(after), isLong: true },
    ...[...sections].map(([id, section]) => ({
      name: sectionName(section),
      before: sectionIn(before, id),
      after: sectionIn(after, id),
      isLong: true,
    })),
  ];
}

/** The versions after `cursor`, newest first, each with its publisher and the form that rolls back to it. */
export async function versionsTable(ctx: ConsoleContext, page: PageResource, cursor?: string): Promise<Html> {
  const { id, composeStatus, approval } = page;
  const { data, next_cursor: next } = await ctx.calls.pages.versions({
    idOrSlug: id,
    limit: pageSize,
    ...(cursor === undefined ? {} : { cursor }),
  });
  if (data.length === 0) return emptyNotice('No version was published yet.');
  const publishers = await publishersOf(ctx, id, ['page.publish'], data.at(-1)?.publishedAt);
  const mayRollBack = ctx.mayCall('pages.publish') && approval === null && composeStatus !== 'queued';
  const rows = data.map(({ version, title, publishedAt, current }) => [
    versionLink(ctx, pathOf(page), version, page.version),
    html`<span dir="auto">${title}</span>`,
    html`${moment(publishedAt, ctx)}${publishers.get(version)}`,
    current || !mayRollBack ? null : rollBackForm(ctx, version),
  ]);
  const columns = ['Version', 'Title', 'Published', 'Roll back'];
  return html`${dataTable('Versions', columns, rows)}${pager(ctx, pathOf(page), next)}`;
}

/** The page of the versions. */
export async function versionsPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const idOrSlug = ctx.params['pageId'] ?? '';
  const page = (await ctx.calls.pages.read({ idOrSlug })) as PageResource;
  const { id, title, version: current, draft } = page;
  const head = { heading: `Versions of ${title}`, status: statusPill(page) };
  if (current === 0) {
    const link = { text: 'To the page', href: ctx.link(`pages/${id}`) };
    return { ...head, body: emptyNotice('No version was published yet.', link) };
  }
  const pair = chosenVersions(ctx, { current, hasChanges: draft });
  const read = async (version: VersionName): Promise<PageContent> => {
    const chosen = version === 'working' ? {} : { version };
    return (await ctx.calls.pages.read({ idOrSlug: id, sections: 'full', ...chosen })) as PageContent;
  };
  const { data } = await ctx.calls.pages.versions({ idOrSlug: id, limit: keptVersions });
  const numbers = data.map(({ version }) => version);
  const texts = textsOf(await read(pair.before), await read(pair.after));
  const imported =
    page.editor === 'retired'
      ? html`<p class="quiet">The page is imported HTML, which is not compared here.</p>`
      : null;
  const list = await versionsTable(ctx, page, ctx.query['cursor']);
  return {
    ...head,
    body: html`<div class="stack">${imported}${versionComparison(ctx, pathOf(page), pair, numbers, texts)}${list}</div>`,
  };
}
