// Access to the inbox: the access check of a page, with the inbox's own refusals.
import type { Gate } from '../../core/unstable.ts';
import { createPageGate } from '../../core/unstable.ts';
import { errors } from './errors.ts';
import type { InboxOptions } from './options.ts';

/** Makes the access check of an inbox. */
export const createGate = (options: InboxOptions): Gate =>
  createPageGate({
    options,
    refusals: {
      accessDenied: () => errors.inbox_access_denied(),
      notLocal: (details) => errors.inbox_not_local(details),
      crossSite: () => errors.inbox_cross_site(),
    },
    owner: 'inboxPlugin',
  });
