// `ctx.services.hostUsersOfLinks`: the hosts of short links, none of which becomes a content host.
import type { Handle, ServiceContext } from '../../core/index.ts';
import { shortDomains } from './domains.ts';
import type { LinksOptions } from './options.ts';
import { ownerOfDomain } from './store.ts';

/** Makes the service. */
export const createHostUsers =
  (options: LinksOptions) =>
  ({ ports }: ServiceContext) => ({
    async uses(handle: Handle, host: string): Promise<boolean> {
      if (host === shortDomains(options, ports.service).shortHost) return true;
      return (await handle.one(ownerOfDomain, { domain: host })) !== undefined;
    },
  });
