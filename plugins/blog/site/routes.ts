// The public routes of the blog on content hosts.
import type { PublicRoute } from '../../../core/index.ts';
import type { BlogSite } from './blog-site.ts';
import { feedRoutes } from './feed-routes.ts';
import { listRoutes, tagRoutes } from './list-routes.ts';
import { postRoutes, previewRoutes } from './post-routes.ts';

const limit = { perMinute: 600, burst: 200 };

/** All public routes of the blog. */
export function blogRoutes(settings: Omit<BlogSite, 'limit'>): readonly PublicRoute[] {
  const site: BlogSite = { ...settings, limit };
  return [...listRoutes(site), ...tagRoutes(site), ...feedRoutes(site), ...postRoutes(site), ...previewRoutes(site)];
}
