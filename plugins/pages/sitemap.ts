// What the sitemap of a content host is made of. Each plugin with public pages contributes a source to `pages.sitemap`; the
// route of the sitemap asks all of them.
import type { WorkspaceHandle } from '../../core/index.ts';

/** An address that search engines may show. */
export interface SitemapEntry {
  /** On the content host: `/p/spring`. */
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

/** An entry of `pages.sitemap`, of a plugin with public pages. */
export interface SitemapSource {
  /** What visitors see and search engines may show, at most `limit`. */
  entries(handle: WorkspaceHandle, limit: number): Promise<readonly SitemapEntry[]>;
}

declare module '../../core/contract/open.ts' {
  interface ExtensionPoints {
    'pages.sitemap': SitemapSource;
  }
}
