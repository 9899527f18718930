// The whole state of the page, and its address, so that each link can be linked to.
import { pageBase, urlOf } from '../../../core/pages/browser/api.ts';
import type { LinkDetails, LinkList, LinksWorkspaceList } from '../console/wire.ts';

/** How many days can be shown. */
export const spans = ['7', '30', '90', '365'] as const;

export type DaySpan = (typeof spans)[number];

/** The parts of an address. */
export interface LinkSelection {
  readonly workspace: string;
  readonly link: string;
  readonly search: string;
  readonly days: DaySpan;
}

export interface LinksState extends LinkSelection {
  readonly workspaces: LinksWorkspaceList | undefined;
  readonly links: LinkList['data'] | undefined;
  readonly cursor: string | null;
  /** Whether the shown links are the results of the previous search. */
  readonly isOutdated: boolean;
  readonly details: LinkDetails | undefined;
  /** Whether no link has the id in the address. */
  readonly isGone: boolean;
  readonly online: boolean;
  /** The reason why nothing can be shown. */
  readonly refusal: string | undefined;
}

export function readAddress(href: string): LinkSelection {
  const { searchParams } = new URL(href);
  const value = (name: string): string => searchParams.get(name) ?? '';
  const days = spans.find((span) => span === value('days')) ?? '30';
  return { workspace: value('workspace'), link: value('link'), search: value('search'), days };
}

/** The address of a selection. */
export const addressOf = ({ workspace, link, search, days }: LinkSelection): string =>
  urlOf(pageBase.href, { workspace, link, search, days: days === '30' ? '' : days });

export const emptyState: LinksState = {
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
