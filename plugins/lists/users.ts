// Asks every composed plugin whether it uses a list. Called before a list is deleted.
import type { ReadContext } from '../../core/index.ts';
import type { ListUser, ListUsers } from './service.ts';

const max = 20;

/** What is published and names the list, at most 20. */
export async function usersOfList(ctx: ReadContext, listId: string): Promise<readonly ListUser[]> {
  const users: ListUser[] = [];
  for (const name of Object.keys(ctx.services))
    if (name.startsWith('listUsersOf')) {
      const asked: ListUsers | undefined = ctx.services[name as `listUsersOf${string}`];
      if (asked !== undefined) users.push(...(await asked.usersOf(ctx, listId)));
    }
  return users.slice(0, max);
}
