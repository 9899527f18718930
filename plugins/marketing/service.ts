import type { ListUsers } from '../lists/index.ts';
import { defaults } from './documents.ts';
import { readDocument } from './store.ts';

/** Keeps the list that the creation defaults name from being deleted. */
export const createListUsers = (): ListUsers => ({
  async usersOf(handle, listId) {
    const { content } = await readDocument(handle, defaults);
    return content.listId === listId ? [{ kind: 'the field listId', name: 'of the creation defaults' }] : [];
  },
});
