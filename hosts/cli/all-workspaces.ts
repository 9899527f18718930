// Reads the workspaces of a service, page after page. Called by commands with --all, and by lists.
import type { Service, Workspace } from '../../core/index.ts';

/** All workspaces, oldest first, or the first `max`. */
export async function workspacesOf(
  { workspaces }: Pick<Service<never>, 'workspaces'>,
  max = Infinity,
): Promise<Workspace[]> {
  const workspacesFound: Workspace[] = [];
  let page: readonly Workspace[];
  let limit: number;
  do {
    const after = workspacesFound.at(-1)?.id;
    limit = Math.min(500, max - workspacesFound.length);
    page = await workspaces.list({ limit, ...(after === undefined ? {} : { after }) });
    workspacesFound.push(...page);
  } while (page.length === limit && workspacesFound.length < max);
  return workspacesFound;
}
