// The workspace and side that the page of social posts shows, and links within it.
import type { Workspace } from '../../../core/index.ts';
import type { Html } from '../../../core/unstable.ts';
import { html } from '../../../core/unstable.ts';
import { choice } from './document.ts';

/** The workspace and side that are shown. */
export interface Where {
  readonly workspace: Workspace;
  readonly workspaces: readonly Workspace[];
  readonly side: 'live' | 'sandbox';
  /** month, week, cards or events. */
  readonly view: string;
}

/** All links are queries of one path, so that the page works behind any base path. */
export const linkTo = ({ workspace, side }: Where, more: Readonly<Record<string, string>> = {}): string =>
  `?${new URLSearchParams({ workspace: workspace.id, side, ...more }).toString()}`;

/** Workspaces, sides and views to choose from. */
export function choices(where: Where, hasEvents: boolean): Html {
  const { workspaces, workspace, side, view } = where;
  const of = workspaces.map((each) =>
    choice(each.name, linkTo({ ...where, workspace: each }, { view }), each.id === workspace.id),
  );
  const sides = (['live', 'sandbox'] as const).map((each) =>
    choice(each, linkTo({ ...where, side: each }, { view }), each === side),
  );
  return html`${workspaces.length < 2 ? null : html`<nav aria-label="Workspaces">${of}</nav>`}<nav aria-label="Sides">${sides}</nav><nav aria-label="Views">${choice('Calendar', linkTo(where, { view: 'month' }), view === 'month' || view === 'week')}${choice('Cards', linkTo(where, { view: 'cards' }), view === 'cards')}${hasEvents ? choice('Events', linkTo(where, { view: 'events' }), view === 'events') : null}</nav>`;
}
