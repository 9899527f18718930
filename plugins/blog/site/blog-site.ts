// The settings that all public routes of a blog share, and the subscribe form on its pages.
import type { PublicRouteContext, Workspace } from '../../../core/index.ts';
import type { ListsService } from '../../lists/index.ts';
import type { BlogLanguage, BlogPluginOptions, ChooseBlogLanguage } from './texts.ts';

/** The settings of a blog. */
export interface BlogSite {
  readonly choose: ChooseBlogLanguage;
  readonly subscribeList: BlogPluginOptions['subscribeList'];
  /** The limit of requests from one client address. */
  readonly limit: { readonly perMinute: number; readonly burst: number };
}

/**
 * The signed time of the form is rounded down to a multiple of this time in milliseconds, so that a page has the same
 * bytes for that long.
 */
const roundingMs = 600_000;

/**
 * The subscribe form as HTML; undefined if the program names no list, or if the list is not public in this workspace.
 * `base`: the path from the address of the page to the root of the content host, `../`.
 */
export async function subscribeForm(
  ctx: PublicRouteContext,
  { subscribeList }: BlogSite,
  workspace: Workspace,
  { base, language }: Pick<BlogLanguage, 'language'> & { readonly base: string },
): Promise<string | undefined> {
  const lists: ListsService | undefined = ctx.services.lists;
  if (lists === undefined || subscribeList === undefined || workspace.suspended) return undefined;
  const listId = await subscribeList(workspace.id);
  if (listId === undefined) return undefined;
  const now = ctx.now - (ctx.now % roundingMs);
  return ctx.read(workspace.id, ({ trx }) => lists.subscribeForm(trx, listId, { base, language, now }));
}
