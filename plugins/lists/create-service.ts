// Makes `ctx.services.lists`, which has no state.
import type { ServiceSurface } from '../../core/index.ts';
import { errors } from './errors.ts';
import { addMembers, removeMembers } from './members.ts';
import type { ListsService } from './service.ts';
import { listRows, memberRows } from './tables.ts';

export const createListsService = (surface: ServiceSurface): ListsService => ({
  async find(handle, listId, lock) {
    const row = await listRows.findBy(handle, { id: listId }, lock);
    if (row === undefined) return undefined;
    const { id, name, optin, visibility } = row;
    return { id, name, optin, visibility };
  },
  notFound: (listId) => errors.list_not_found({ id: listId }),
  async isMember(handle, listId, contactId) {
    const row = await memberRows.findBy(handle, { list_id: listId, contact_id: contactId });
    return row?.status === 'confirmed';
  },
  addMembers: (effects, listId, contactIds, options) => addMembers(surface, effects, listId, contactIds, options),
  removeMembers: (effects, listId, contactIds) => removeMembers(surface, effects, listId, contactIds),
});
