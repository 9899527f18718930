// The responses of the page's routes. Types only, because the page's script imports them.
import type { AnalyticsCardRow, CardKey } from '../rollups/card.ts';
import type { LinkResource } from '../schema.ts';

/** The workspaces that the caller may see, and the name of the service. */
export interface LinksWorkspaceList {
  readonly service: { readonly name: string };
  readonly data: readonly { readonly id: string; readonly name: string }[];
}

export interface LinkList {
  readonly data: readonly LinkResource[];
  readonly next_cursor: string | null;
}

/** A link with its cards. */
export interface LinkDetails {
  readonly link: LinkResource;
  /** Why checks or the program hold the link back; null if they do not. */
  readonly abuseReason: string | null;
  readonly days: number;
  readonly cards: readonly { readonly key: CardKey; readonly rows: readonly AnalyticsCardRow[] }[];
}
