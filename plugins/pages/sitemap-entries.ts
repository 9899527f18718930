// The published pages, for the sitemap.
import type { SitemapEntry, SitemapSource } from './sitemap.ts';
import { encodeSlug } from './slug.ts';
import { summaryRows } from './tables.ts';

/** Leaves out pages with `noindex`. */
export const createSitemapSource = (): SitemapSource => ({
  async entries(handle, limit) {
    const entries: SitemapEntry[] = [];
    for await (const rows of summaryRows.each(handle.onSide(false), { status: 'published' }))
      for (const { published_slug: slug, published_at: at, updated_at: changed, metadata } of rows)
        if (slug !== null && !metadata.noindex && entries.length < limit)
          entries.push({ path: `/p/${encodeSlug(slug)}`, changedAt: at ?? changed });
    return entries;
  },
});
