// The blog's entries in the sitemap of a content host: its list, its posts and the pages of their tags.
import type { SitemapEntry, SitemapSource } from '../pages/index.ts';
import { encodeSlug } from './slug.ts';
import { summaryRows } from './tables.ts';
import { tagSlugs } from './tags.ts';

export const createSitemapSource = (): SitemapSource => ({
  async entries(handle, limit) {
    const posts: SitemapEntry[] = [];
    const tags = new Map<string, number>();
    for await (const rows of summaryRows.each(handle.onSide(false), { status: 'published' }))
      for (const { published_slug: slug, published, revised_at: revised, published_at: at, updated_at } of rows) {
        if (slug === null || posts.length >= limit - 1) continue;
        const changedAt = revised ?? at ?? updated_at;
        posts.push({ path: `/blog/${encodeSlug(slug)}`, changedAt });
        for (const tag of tagSlugs(published?.tags ?? [])) tags.set(tag, Math.max(tags.get(tag) ?? 0, changedAt));
      }
    if (posts.length === 0) return [];
    const changedAt = posts.reduce((latest, post) => Math.max(latest, post.changedAt), 0);
    const tagPages = [...tags].map(([tag, at]) => ({ path: `/blog/tags/${encodeSlug(tag)}`, changedAt: at }));
    return [{ path: '/blog', changedAt }, ...posts, ...tagPages].slice(0, limit);
  },
});
