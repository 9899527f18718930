// `ctx.services.marketing`: what campaigns start from. And what keeps a list from being deleted.
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
  /** An ideal customer profile; without an id the primary one. */
  icp(handle: WorkspaceHandle, id?: string): Promise<IcpRow | undefined>;
  /** The error for an id that no profile has, so that other plugins raise the same one. */
  icpNotFound(id: string): Error;
}

/** Makes the service, which has no state. */
export const createMarketingService = (): MarketingService => ({
  defaults: async (handle) => (await readDocument(handle, defaults)).content,
  strategy: async (handle) => (await readDocument(handle, strategy)).content,
  icp: (handle, id) => (id === undefined ? icps.rows.findBy(handle, { is_primary: true }) : icps.rows.find(handle, id)),
  icpNotFound: (id) => errors.icp_not_found({ id }),
});

/** Keeps the list that the creation defaults name from being deleted. */
export const createListReferences = (): ReferenceSource => ({
  async referencesTo({ trx }, listId) {
    const { content } = await readDocument(trx, defaults);
    return content.listId === listId ? [{ kind: 'field listId', name: 'of the creation defaults' }] : [];
  },
});
