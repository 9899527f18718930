// `ctx.services.domains`: the keys that sign mail from verified domains. The private key is opened for one message at a time.
import type { ServiceContext, WorkspaceHandle } from '../../core/index.ts';
import type { DkimKey } from '../email/port/index.ts';
import { domainRows } from './tables.ts';

export interface DomainsService {
  /** The key that signs mail from this domain; undefined if the domain is not verified in this workspace. */
  signingKey(handle: WorkspaceHandle, domain: string): Promise<DkimKey | undefined>;
}

export const createDomainsService = ({ services }: ServiceContext): DomainsService => ({
  async signingKey(handle, domain) {
    const row = await domainRows.findBy(handle, { domain });
    if (row === undefined || row.verified_at === null) return undefined;
    const sealed = await services.vault.find(handle, row.id);
    if (sealed === undefined) return undefined;
    const privateKey = String(services.vault.open(handle.workspaceId, sealed));
    return { domain, selector: row.selector, privateKey };
  },
});
