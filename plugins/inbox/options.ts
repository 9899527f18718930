// What the embedding program may say of the inbox. Data only; read by plugin.ts and access.ts.
import type { PageAccess, PageOptions, PageRequest } from '../../core/unstable.ts';

/** A request as `authorize` sees it. */
export type InboxRequest = PageRequest;

/** What somebody may see. */
export type InboxAccess = PageAccess;

/** Options of `inboxPlugin`. */
export type InboxOptions = PageOptions;
