// What the embedding program may say of webhooks. Data only; read by plugin.ts.
import type { PageOptions } from '../../core/unstable.ts';

/** Options of `webhooksPlugin`. */
export interface WebhooksOptions {
  /**
   * Shows webhooks and their deliveries as a page at /webhooks-console, to whom `authorize` lets in; `{}` is this
   * machine, in development only. (Default: there is no such page)
   */
  readonly console?: PageOptions;
}
