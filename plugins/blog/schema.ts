// Blog posts, as callers send and receive them.
import { idParameter, isoTime, localeTag, z } from '../../core/index.ts';

/** The maximum number of posts on one side of a workspace. */
export const maxPosts = 5_000;
/** The price of a composed post, in credits. */
export const composePrice = 10;
export const maxBody = 100_000;

export const postStatus = z.enum(['draft', 'published', 'unpublished']);

/** The path of operations on one post. */
export const postParams = z.object({
  idOrSlug: z.string().min(1).max(200).describe('The id (blog_…) or slug of the post.'),
});

const text = (max: number) => z.string().trim().max(max);
export const tag = z.string().trim().min(1).max(50);

export const postFields = {
  title: text(200).min(1),
  body: z
    .string()
    .max(maxBody)
    .describe(
      'Markdown with tables, task lists and footnotes. HTML is shown as text. A picture of the workspace is ![its description](asset:asset_…).',
    ),
  excerpt: text(500).describe(
    'One or two sentences for lists and previews of links. Without it, the text begins there.',
  ),
  tags: z.array(tag).max(20),
  coverAssetId: idParameter('asset').describe('Prefix asset_. A picture of the workspace, public while the post is.'),
  authorUid: z.string().min(1).max(200).describe('The uid of a member of the workspace.'),
  language: localeTag.describe('BCP 47, such as de or pt-BR. Without one, the language of the blog.'),
  seo: {
    title: text(200).nullable().describe('For search engines and browsers. Without one, the title of the post.'),
    description: text(500).nullable().describe('For search engines. Without one, the excerpt.'),
  },
};

/** The pending approval request of a post. */
const approval = z
  .object({
    requestId: z.string().describe('Prefix apr_. GET /v1/approvals/requests/{requestId} shows it.'),
    status: z.literal('pending'),
  })
  .nullable()
  .describe('The request that a publish waits for.');

/** A post without its text, for lists and events. */
export const postSummaryObject = z
  .object({
    id: z.string().describe('Prefix blog_.'),
    slug: z.string(),
    title: z.string(),
    excerpt: z.string().nullable(),
    status: postStatus,
    draft: z.boolean().describe('Whether the working copy differs from the published content.'),
    version: z.int().describe('The number of times that new content was published; 0 before the first publish.'),
    seo: z.object({ title: z.string().nullable(), description: z.string().nullable() }),
    coverAssetId: z.string().nullable(),
    ogAssetId: z.string().nullable().describe('The picture for link previews, if publishing made one.'),
    tags: z.array(z.string()),
    authorUid: z.string().nullable(),
    language: z.string().nullable().describe('BCP 47; null: the language of the blog.'),
    approval,
    creationId: z.string().nullable(),
    sandbox: z.boolean(),
    url: z.string().nullable().describe('The public URL; null if the post is not public.'),
    previewUrl: z.string().nullable().describe('Shows the working copy to everyone who has this URL, for 24 hours.'),
    createdAt: isoTime,
    updatedAt: isoTime,
    publishedAt: isoTime.nullable().describe('The time of the first publish. Later publishes do not change it.'),
  })
  .meta({ id: 'BlogPostSummary' });

export const postObject = postSummaryObject
  .extend({ body: z.string().describe('Markdown: the working copy.') })
  .meta({ id: 'BlogPost' });

export type PostSummary = z.output<typeof postSummaryObject>;
export type PostResource = z.output<typeof postObject>;
export const postSummary: z.ZodType<PostSummary> = postSummaryObject;
export const postResource: z.ZodType<PostResource> = postObject;
