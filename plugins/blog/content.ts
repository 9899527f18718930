// The content of a post's working copy as one value, and its hash. Pure.
import { contentHash } from '../../core/unstable.ts';
import type { BlogPostRow } from './tables.ts';

/** The content that a publish makes public. */
export type BlogPostContent = {
  readonly title: string;
  readonly slug: string;
  readonly body: string;
  readonly excerpt: string | null;
  readonly seo: { readonly title: string | null; readonly description: string | null };
  readonly coverAssetId: string | null;
  readonly tags: readonly string[];
  readonly authorUid: string | null;
  readonly language: string | null;
};

type Working = Pick<
  BlogPostRow,
  'title' | 'slug' | 'body' | 'excerpt' | 'seo' | 'cover_asset_id' | 'tags' | 'author_uid' | 'language'
>;

/** The content of the working copy. */
export const workingCopy = (row: Working): BlogPostContent => {
  const { title, slug, body, excerpt, seo, cover_asset_id: coverAssetId, tags, author_uid: authorUid, language } = row;
  return { title, slug, body, excerpt, seo, coverAssetId, tags, authorUid, language };
};

/** The hash of the working copy. */
export const workingHash = (row: Working): string => contentHash({ ...workingCopy(row) });

/** The public content; undefined if visitors do not see the post. */
export function publicCopy({ status, published, published_body: body, published_slug: slug }: BlogPostRow) {
  if (status !== 'published' || published === null || body === null || slug === null) return undefined;
  const { title, excerpt, seo, coverAssetId, tags, author, language } = published;
  return { title, slug, body, excerpt, seo, coverAssetId, tags, authorUid: author?.uid ?? null, language };
}
