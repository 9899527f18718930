// The options of the inbox plugin. Data only; read by plugin.ts and access.ts.
import type { PageRequest } from '../../core/index.ts';
import type { PageAccess, PageOptions } from '../../core/unstable.ts';

/** A request as `authorize` sees it. */
export type InboxRequest = PageRequest;

/** The workspaces that a caller may see. */
export type InboxAccess = PageAccess;

/** Options of `inboxPlugin`. */
export type InboxOptions = PageOptions;
