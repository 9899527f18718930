// The location of the page (a workspace and a side), and the links from there.
import type { Workspace } from '../../../core/index.ts';
import { choiceLinks, type Html, html } from '../../../core/unstable.ts';

/** The workspace and side that are shown. */
export interface Where {
  readonly workspace: Workspace;
  readonly workspaces: readonly Workspace[];
  readonly side: 'live' | 'sandbox';
}

export const address = (query: Readonly<Record<string, string>>, path = ''): string =>
  `${path}?${new URLSearchParams(query).toString()}`;

export const linkTo = ({ workspace, side }: Where, more: Readonly<Record<string, string>> = {}): string =>
  address({ workspace: workspace.id, side, ...more });

/** Links to choose a workspace and a side. */
export function choices(where: Where): Html {
  const { workspaces, workspace, side } = where;
  const workspaceLinks = workspaces.map(({ id, name }) => ({
    text: name,
    href: address({ workspace: id, side }),
    isPresent: id === workspace.id,
  }));
  const sideLinks = (['live', 'sandbox'] as const).map((one) => ({
    text: one,
    href: linkTo({ ...where, side: one }),
    isPresent: one === side,
  }));
  return html`${choiceLinks('Workspaces', workspaceLinks)}${choiceLinks('Sides', sideLinks)}`;
}
