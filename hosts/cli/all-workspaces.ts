// Reads the workspaces of a service, page after page. Called by commands with --all, and by lists.
import type { Service, Workspace } from '../../core/index.ts';

/** All workspaces, oldest first, or the first `max`. */
export async function workspacesOf(
  { workspaces }: Pick<Service<never>, 'workspaces'>,
  max = Infinity,
): Promise<Workspace[]> {
  const found: Workspace[] = [];
  let page: readonly Workspace[];
  let limit: number;
  do {
    const after = found.at(-1)?.id;
    limit = Math.min(500, max - found.length);
    page = await workspaces.list({ limit, ...(after === undefined ? {} : { after }) });
    found.push(...page);
  } while (page.length === limit && found.length < max);
  return found;
}
