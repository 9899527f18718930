// Access to the console: the access check of a page, with the console's own refusals.
import type { Gate, PageOptions } from '../../../core/unstable.ts';
import { createPageGate } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';

/** The gate of one console. */
export const createGate = (options: PageOptions): Gate =>
  createPageGate({
    options,
    refusals: {
      accessDenied: () => errors.webhooks_console_access_denied(),
      notLocal: (details) => errors.webhooks_console_not_local(details),
      crossSite: () => errors.webhooks_console_cross_site(),
    },
    owner: 'webhooksPlugin console',
  });
