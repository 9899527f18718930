// The entries of a content host's sitemap. Each plugin with public pages contributes a source to `pages.sitemap`; the
// sitemap's route reads all sources.
import type { WorkspaceHandle } from '../../core/index.ts';

/** An address that search engines may list. */
export interface SitemapEntry {
  /** On the content host: `/p/spring`. */
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

/** An entry of `pages.sitemap`, from a plugin with public pages. */
export interface SitemapSource {
  /** Returns the public addresses that search engines may list, at most `limit`. */
  entries(handle: WorkspaceHandle, limit: number): Promise<readonly SitemapEntry[]>;
}

declare module '../../core/contract/open.ts' {
  interface ExtensionPoints {
    'pages.sitemap': SitemapSource;
  }
}
