// The entry of `core.hosts`: the hosts of short links. A host of short links cannot become a content host.
import type { Handle, HostUsers, ServiceContext } from '../../core/index.ts';
import { shortDomains } from './domains.ts';
import type { LinksOptions } from './options.ts';
import { ownerOfDomain } from './store.ts';

export const createHostnameClaims =
  (options: LinksOptions) =>
  ({ ports }: ServiceContext): HostUsers => ({
    async uses(handle: Handle, host: string): Promise<boolean> {
      if (host === shortDomains(options, ports.service).shortHost) return true;
      return (await handle.one(ownerOfDomain, { domain: host })) !== undefined;
    },
    async ownerOf(handle, host) {
      const row = await handle.one(ownerOfDomain, { domain: host });
      return row === undefined ? undefined : String(row.workspace_id);
    },
  });
