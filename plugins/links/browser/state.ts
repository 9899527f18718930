// The whole state of the page, and its address, so that each link can be linked to.
import { pageBase, urlOf } from '../../../core/pages/browser/api.ts';
import type { LinkDetails, LinkList, WorkspaceList } from '../console/wire.ts';

/** How many days can be shown. */
export const spans = ['7', '30', '90', '365'] as const;

export type Span = (typeof spans)[number];

/** The parts of an address. */
export interface Place {
  readonly workspace: string;
  readonly link: string;
  readonly search: string;
  readonly days: Span;
}

export interface State extends Place {
  readonly workspaces: WorkspaceList | undefined;
  readonly links: LinkList['data'] | undefined;
  readonly cursor: string | null;
  /** Whether the links shown are those of the search before. */
  readonly isOutdated: boolean;
  readonly details: LinkDetails | undefined;
  /** There is no link with the id of the address. */
  readonly isGone: boolean;
  readonly online: boolean;
  /** Why nothing can be shown. */
  readonly refusal: string | undefined;
}

export function readAddress(href: string): Place {
  const { searchParams } = new URL(href);
  const value = (name: string): string => searchParams.get(name) ?? '';
  const days = spans.find((span) => span === value('days')) ?? '30';
  return { workspace: value('workspace'), link: value('link'), search: value('search'), days };
}

/** The address of a place. */
export const addressOf = ({ workspace, link, search, days }: Place): string =>
  urlOf(pageBase.href, { workspace, link, search, days: days === '30' ? '' : days });

export const emptyState: State = {
  ...readAddress(pageBase.href),
  workspaces: undefined,
  links: undefined,
  cursor: null,
  isOutdated: false,
  details: undefined,
  isGone: false,
  online: true,
  refusal: undefined,
};
