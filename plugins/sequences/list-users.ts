// `ctx.services.listUsersOfSequences`: which sequences name a list, before it is deleted.
import type { ServiceSurface } from '../../core/index.ts';
import type { ListUser, ListUsers } from '../lists/index.ts';
import { namedReferences } from './definition/references.ts';
import { maxSequences } from './schema.ts';
import { sequencesInForce } from './store.ts';

const shown = 20;

/** Makes the service. A paused sequence counts: it may be resumed. */
export const createListUsers = ({ services }: Pick<ServiceSurface, 'services'>): ListUsers => ({
  async usersOf(handle, listId) {
    const users: ListUser[] = [];
    for (const { key, version_id: versionId } of await sequencesInForce(handle, 2 * maxSequences)) {
      if (versionId === null || users.length === shown) continue;
      const { definition } = await services.sequenceVersions.load(handle, versionId);
      if (namedReferences(definition).lists.includes(listId)) users.push({ kind: 'sequence', name: key });
    }
    return users;
  },
});
