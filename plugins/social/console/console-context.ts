// The workspace and side that the page of social posts shows, and the links within the page.
import type { Workspace } from '../../../core/index.ts';
import { choiceLinks, type Html, html } from '../../../core/unstable.ts';

/** The shown workspace, side and view, and the workspaces to choose from. */
export interface SocialConsoleContext {
  readonly workspace: Workspace;
  readonly workspaces: readonly Workspace[];
  readonly side: 'live' | 'sandbox';
  /** month, week, cards or events. */
  readonly view: string;
}

/** A link within the page. All links are queries of one path, so the page works behind any base path. */
export const linkTo = (
  { workspace, side }: SocialConsoleContext,
  more: Readonly<Record<string, string>> = {},
): string => `?${new URLSearchParams({ workspace: workspace.id, side, ...more }).toString()}`;

const views = { month: 'Calendar', cards: 'Cards', events: 'Events' } as const;

/** Links to choose a workspace, a side and a view. */
export function choices(where: SocialConsoleContext, hasEvents: boolean): Html {
  const { workspaces, workspace, side, view } = where;
  const of = workspaces.map((each) => ({
    text: each.name,
    href: linkTo({ ...where, workspace: each }, { view }),
    isPresent: each.id === workspace.id,
  }));
  const sides = (['live', 'sandbox'] as const).map((each) => ({
    text: each,
    href: linkTo({ ...where, side: each }, { view }),
    isPresent: each === side,
  }));
  const shown = (['month', 'cards', 'events'] as const)
    .filter((each) => each !== 'events' || hasEvents)
    .map((each) => ({
      text: views[each],
      href: linkTo(where, { view: each }),
      isPresent: each === view || (each === 'month' && view === 'week'),
    }));
  return html`${choiceLinks('Workspaces', of)}${choiceLinks('Sides', sides)}${choiceLinks('Views', shown)}`;
}
