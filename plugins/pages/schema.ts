// Pages, as callers send and receive them.
import { isoTime, localeTag, z } from '../../core/index.ts';
import { sectionKinds } from './sections/schema.ts';

/** The maximum number of pages on one side of a workspace. */
export const maxPages = 1_000;
/** The number of versions of a page that are kept. */
export const keptVersions = 50;
/**
 * The maximum size of its sections, or of its HTML, in bytes. Including its markup, the page then stays below 100 kB.
 */
export const maxContentBytes = 80_000;
/** The price of a build, in credits. */
export const buildPrice = 20;

export const pageStatus = z.enum(['draft', 'published', 'unpublished']);
export const composeStatus = z.enum(['queued', 'building', 'ready', 'failed']);

/** The path of operations on one page. */
export const pageParams = z.object({
  idOrSlug: z.string().min(1).max(200).describe('The id (pg_…) or slug of the page.'),
});

export const pageTitle = z.string().trim().min(1).max(200);
export const ctaLabel = z.string().trim().min(1).max(80).describe('The words on its buttons.');

const text = (max: number, says: string) => z.string().max(max).nullable().describe(says);
export const metadataFields = {
  title: text(200, 'For search engines and browsers. Without one, the title of the page.'),
  description: text(500, 'For search engines and previews of links.'),
  ogImageUrl: z
    .url({ protocol: /^https$/, error: 'Give an https address.' })
    .max(2_048)
    .nullable()
    .describe('The picture in previews of links. Without one, publishing makes one.'),
  noindex: z.boolean().describe('Asks search engines to leave the page out.'),
  language: z
    .string()
    .nullable()
    .describe(
      'The language of its texts, a BCP 47 tag: the document and its fixed words follow it. Without one, that of the creation defaults, else that of each visitor.',
    ),
};

/** The language in the input. */
export const languageInput = localeTag.nullable().describe('A BCP 47 tag such as de or pt-BR.');

export const sectionSummary = z.object({
  id: z.string().describe('Prefix sec_. Links inside the page lead to #id.'),
  kind: z.enum(sectionKinds),
  heading: z.string().nullable(),
});

/** The pending approval request of a page. */
const approval = z
  .object({
    requestId: z.string().describe('Prefix apr_. GET /v1/approvals/requests/{requestId} shows it.'),
    status: z.literal('pending'),
  })
  .nullable()
  .describe('The request that a publish waits for.');

export const pageResourceObject = z
  .object({
    id: z.string().describe('Prefix pg_.'),
    slug: z.string(),
    status: pageStatus,
    draft: z.boolean().describe('Whether the working copy differs from the published content.'),
    version: z.int().describe('The published version; 0 before the first.'),
    title: z.string(),
    composeStatus: composeStatus.describe('queued during the whole first build, building during a later one.'),
    editor: z.enum(['current', 'retired']).describe('retired: imported HTML without sections.'),
    objective: z.string().nullable(),
    ctaLabel: z.string().nullable(),
    vibe: z.string().nullable(),
    length: z.string().nullable(),
    brandId: z.string(),
    url: z.string().nullable().describe('The public URL; null if the page is not public.'),
    previewUrl: z.string().nullable().describe('Shows the working copy to everyone who has this URL, for 24 hours.'),
    metadata: z.object(metadataFields),
    ogAssetId: z.string().nullable().describe('The picture for link previews, if publishing made one.'),
    sections: z.array(sectionSummary),
    progress: z.object({
      phase: z.enum(['waiting', 'outline', 'sections', 'images', 'done']),
      done: z.int(),
      total: z.int(),
    }),
    error: z.string().nullable().describe('Why the last build failed.'),
    approval,
    creationId: z.string().nullable(),
    sandbox: z.boolean(),
    createdAt: isoTime,
    updatedAt: isoTime,
    publishedAt: isoTime.nullable(),
  })
  .meta({ id: 'Page' });

export type PageResource = z.output<typeof pageResourceObject>;
export const pageResource: z.ZodType<PageResource> = pageResourceObject;
