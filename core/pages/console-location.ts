// The location that a page for the program's own people shows (a workspace and a side), and the links from there. All links are query
// strings of one path, so that the page works behind any base path.

import type { Workspace } from '../contract/context/workspace.ts';
import type { PublicRouteContext } from '../contract/declaration/public-route.ts';
import * as z from '../contract/schemas/zod.ts';
import type { PageAccess } from './access.ts';
import { choiceLinks } from './console-page.ts';
import { type Html, html } from './html.ts';
import { pageSide, reachWorkspace, visibleWorkspaces } from './workspaces.ts';

/** How many workspaces a visitor may choose from. */
const maxWorkspaces = 100;

/** The part of a page's query that names its location. */
export const locationQuery = {
  workspace: z.string().min(1).max(100).optional(),
  side: z.enum(['live', 'sandbox']).optional(),
};

/** The workspace and side that are shown. */
export interface ConsoleLocation {
  readonly workspace: Workspace;
  /** The workspaces that the visitor may choose. */
  readonly workspaces: readonly Workspace[];
  readonly side: 'live' | 'sandbox';
}

/**
 * The location that the query names. (Default: the first workspace that the visitor may choose) Undefined if there is no workspace.
 * @throws workspace_not_found
 */
export async function findLocation(
  context: PublicRouteContext,
  access: PageAccess,
  {
    workspace: named,
    side,
  }: { readonly workspace?: string | undefined; readonly side?: ConsoleLocation['side'] | undefined },
): Promise<ConsoleLocation | undefined> {
  const workspaces = await visibleWorkspaces(context, access, maxWorkspaces);
  const id = named ?? workspaces[0]?.id;
  if (id === undefined) return undefined;
  const workspace = await reachWorkspace(context, access, id);
  return { workspace, workspaces, side: pageSide(side, workspace) };
}

const pageAddress = (query: Readonly<Record<string, string>>): string => `?${new URLSearchParams(query).toString()}`;

/** A link of the page that keeps the workspace and the side. */
export const linkWithin = ({ workspace, side }: ConsoleLocation, more: Readonly<Record<string, string>> = {}): string =>
  pageAddress({ workspace: workspace.id, side, ...more });

/** Links to choose a workspace and a side. */
export function locationChoices(place: ConsoleLocation): Html {
  const { workspaces, workspace, side } = place;
  const workspaceChoices = workspaces.map(({ id, name }) => ({
    text: name,
    href: pageAddress({ workspace: id, side }),
    isPresent: id === workspace.id,
  }));
  const sideChoices = (['live', 'sandbox'] as const).map((one) => ({
    text: one,
    href: linkWithin({ ...place, side: one }),
    isPresent: one === side,
  }));
  return html`${choiceLinks('Workspaces', workspaceChoices)}${choiceLinks('Sides', sideChoices)}`;
}
