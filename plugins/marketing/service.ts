// `ctx.services.marketing`: the data that campaigns start from. Also protects a list that is in use from deletion.
import type { ReferenceSource, WorkspaceHandle, z } from '../../core/index.ts';
import { defaults, strategy } from './documents.ts';
import { errors } from './errors.ts';
import { type IcpRow, icps } from './icps.ts';
import type { Defaults, strategyContent } from './schema.ts';
import { readDocument } from './store.ts';

/** `ctx.services.marketing`. */
export interface MarketingService {
  /** The creation defaults of the workspace. */
  defaults(handle: WorkspaceHandle): Promise<Defaults>;
  /** The marketing strategy of the workspace. */
  strategy(handle: WorkspaceHandle): Promise<z.output<typeof strategyContent>>;
  /** An ideal customer profile. Without an id, the primary profile. */
  icp(handle: WorkspaceHandle, id?: string): Promise<IcpRow | undefined>;
  /** The error for an unknown profile id, so that other plugins throw the same error. */
  icpNotFound(id: string): Error;
}

/** Creates the service. It has no state. */
export const createMarketingService = (): MarketingService => ({
  defaults: async (handle) => (await readDocument(handle, defaults)).content,
  strategy: async (handle) => (await readDocument(handle, strategy)).content,
  icp: (handle, id) => (id === undefined ? icps.rows.findBy(handle, { is_primary: true }) : icps.rows.find(handle, id)),
  icpNotFound: (id) => errors.icp_not_found({ id }),
});

/** Prevents the deletion of the list that the creation defaults name. */
export const createListReferences = (): ReferenceSource => ({
  async referencesTo({ trx }, listId) {
    const { content } = await readDocument(trx, defaults);
    return content.listId === listId ? [{ kind: 'field listId', name: 'of the creation defaults' }] : [];
  },
});
