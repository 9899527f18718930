import type { PublicRequest } from '../../core/index.ts';

/** Options of the reference page. */
export interface ReferenceOptions {
  /** The page's path, below the mount point. (Default: /docs) */
  readonly path?: string;
  /** Whether the page is open to everyone. It shows the whole API. (Default: outside production only) */
  readonly public?: boolean;
  /**
   * Decides for each request in place of `public`. A refused request gets the same response as a missing page. (Default: none)
   */
  readonly authorize?: (request: PublicRequest) => boolean | Promise<boolean>;
}

const pathPattern = /^(\/[A-Za-z0-9._~-]+)+$/;

/** The page's path. @throws TypeError for an invalid path */
export function pathOf({ path = '/docs' }: ReferenceOptions): `/${string}` {
  if (pathPattern.test(path) && path !== '/v1' && !path.startsWith('/v1/')) return `/${path.slice(1)}`;
  throw new TypeError(
    `referencePlugin: path is ${JSON.stringify(path)}. Write it like /docs: with a slash in front, none behind, outside /v1.`,
  );
}
