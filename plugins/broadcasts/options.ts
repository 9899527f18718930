import type { PageOptions } from '../../core/unstable.ts';

/** Options of the broadcasts plugin. */
export interface BroadcastsOptions {
  /**
   * Serves a page with broadcasts, their reports and recipients, and the reputation, at /broadcasts-console, to the callers that
   * `authorize` admits. With `{}`, the page is only available on this machine, and only in development. (Default: no page)
   */
  readonly console?: PageOptions;
}
