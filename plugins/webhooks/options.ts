// The options of the webhooks plugin. Data only; read by plugin.ts.
import type { PageOptions } from '../../core/unstable.ts';

/** Options of `webhooksPlugin`. */
export interface WebhooksOptions {
  /**
   * Serves a page with webhooks and their deliveries at /webhooks-console, to the callers that `authorize` admits. With `{}`
   * only this machine may see it, and only in development. (Default: no page)
   */
  readonly console?: PageOptions;
}
