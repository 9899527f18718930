// Asks every composed plugin whether it uses a list. Called before a list is deleted.
import type { ServiceSurface, WorkspaceHandle } from '../../core/index.ts';
import type { ListUser, ListUsers } from './service.ts';

const max = 20;

/** What is published and names the list, at most 20. */
export async function usersOfList(
  { services }: ServiceSurface,
  handle: WorkspaceHandle,
  listId: string,
): Promise<readonly ListUser[]> {
  const users: ListUser[] = [];
  for (const name of Object.keys(services))
    if (name.startsWith('listUsersOf')) {
      const asked: ListUsers | undefined = services[name as `listUsersOf${string}`];
      if (asked !== undefined) users.push(...(await asked.usersOf(handle, listId)));
    }
  return users.slice(0, max);
}
