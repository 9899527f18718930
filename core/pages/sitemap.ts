// What the sitemap of a content host is made of. Each plugin with public pages contributes a service named `sitemapOf…`; the plugin
// that serves the sitemap asks all of them.
import type { WorkspaceHandle } from '../contract/handle.ts';

/** An address that search engines may show. */
export interface SitemapEntry {
  /** On the content host: `/p/spring`. */
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

/** A service of a plugin with public pages. */
export interface SitemapSource {
  /** What visitors see and search engines may show, at most `limit`. */
  entries(handle: WorkspaceHandle, limit: number): Promise<readonly SitemapEntry[]>;
}

declare module '../contract/open.ts' {
  interface Services {
    [source: `sitemapOf${string}`]: SitemapSource;
  }
}
