// The blog's entries in the sitemap of a content host: its list and its posts.
import type { SitemapEntry, SitemapSource } from '../pages/index.ts';
import { encodeSlug } from './slug.ts';
import { summaryRows } from './tables.ts';

export const createSitemapSource = (): SitemapSource => ({
  async entries(handle, limit) {
    const posts: SitemapEntry[] = [];
    for await (const rows of summaryRows.each(handle.onSide(false), { status: 'published' }))
      for (const { published_slug: slug, revised_at: revised, published_at: at, updated_at: changed } of rows)
        if (slug !== null && posts.length < limit - 1)
          posts.push({ path: `/blog/${encodeSlug(slug)}`, changedAt: revised ?? at ?? changed });
    if (posts.length === 0) return [];
    const changedAt = posts.reduce((latest, post) => Math.max(latest, post.changedAt), 0);
    return [{ path: '/blog', changedAt }, ...posts];
  },
});
