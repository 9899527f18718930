// The workspaces of a service, page after page. Called by commands with --all, and by lists.
import type { Service, Workspace } from '../../core/index.ts';

/** All of them, oldest first, or the first `max`. */
export async function workspacesOf(
  { workspaces }: Pick<Service<never>, 'workspaces'>,
  max = Infinity,
): Promise<Workspace[]> {
  const found: Workspace[] = [];
  let page: readonly Workspace[];
  do {
    const after = found.at(-1)?.id;
    page = await workspaces.list({ limit: 500, ...(after === undefined ? {} : { after }) });
    found.push(...page);
  } while (page.length === 500 && found.length < max);
  return found;
}
