// `service.links`: calls that only the embedding program may make. They are audited.
import {
  coreErrors,
  hostName,
  type ProvisioningContext,
  type TransactionContext,
  toIsoTime,
} from '../../core/index.ts';
import { beginning, ownerOfHost } from '../../core/unstable.ts';
import { type AbuseColumns, clean } from './abuse/first-state.ts';
import { setAbuse } from './abuse/set-abuse.ts';
import { errors } from './errors.ts';
import type { LinksOptions } from './options.ts';
import type { LinkResource } from './schema.ts';
import { domainRows, linkRows } from './tables.ts';

/** A short domain of a workspace. */
export interface ShortDomain {
  /** Lower-case ASCII. */
  readonly domain: string;
  readonly createdAt: string;
}

/** `service.links`. */
export interface LinkProvisioning {
  /**
   * Adds a short domain. The program has verified that its DNS points to this service and that the workspace owns it.
   * @throws validation_failed, limit_reached (20 for each workspace), state_conflict if a workspace has the domain, or without
   * `customDomains`
   */
  addDomain(workspaceId: string, domain: string): Promise<ShortDomain>;
  /** Oldest first. */
  listDomains(workspaceId: string): Promise<readonly ShortDomain[]>;
  /**
   * Removes a domain. Its links stay, and return 404 until this workspace adds the domain again. @throws validation_failed if the
   * workspace has no such domain
   */
  removeDomain(workspaceId: string, domain: string): Promise<void>;
  /** Disables a link, whatever checks report. `reason` is for the program's own staff. @throws link_not_found */
  disable(workspaceId: string, linkId: string, reason: string): Promise<LinkResource>;
  /** Enables a link that a check or the program held back. A later check may disable it again. @throws link_not_found */
  reinstate(workspaceId: string, linkId: string): Promise<LinkResource>;
}

const maxDomains = 20;

const refuse = (summary: string): never => {
  throw coreErrors.validation_failed({ summary });
};

/** Accepts any value, because callers in plain JavaScript may pass anything. */
function canonical(domain: unknown): string {
  const name = typeof domain === 'string' ? hostName(domain.trim()) : undefined;
  const isName = name !== undefined && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name) && !/^[\d.]+$/.test(name);
  return isName ? name : refuse('domain: give a host name such as go.example.com.');
}

/** Makes the calls of the program. */
export const createLinkProvisioning =
  (options: LinksOptions) =>
  (context: ProvisioningContext): LinkProvisioning => {
    const { services, ports, read, write } = context;
    const change = (workspaceId: string, linkId: string, state: AbuseColumns): Promise<LinkResource> =>
      write(workspaceId, async (ctx: TransactionContext) => {
        const { trx, now } = ctx;
        const row = await linkRows.lock(trx.bothSides('the program names a link on either side'), linkId);
        if (row === undefined) throw errors.link_not_found({ id: linkId });
        const changed = await setAbuse(ctx, row, state);
        return services.links.present(trx.onSide(row.sandbox), changed, now);
      });
    return {
      async addDomain(workspaceId, input) {
        const domain = canonical(input);
        if (options.customDomains !== true)
          throw coreErrors.state_conflict({ reason: 'Compose linksPlugin({ customDomains: true }) first.' });
        const { publicUrl } = ports.service;
        const serviceHost = publicUrl === undefined ? undefined : hostName(new URL(publicUrl).host);
        return write(workspaceId, async ({ trx, now, newId, audit, afterCommit }) => {
          const pagesOwner = await ownerOfHost(trx.unscoped('a host must be unique over all workspaces'), domain);
          if (pagesOwner !== undefined)
            throw coreErrors.state_conflict({ reason: `The public pages of a workspace are at ${domain}.` });
          const ownDomains = await services.links.domainsOf(trx);
          if (ownDomains[0] === domain || serviceHost === domain)
            refuse('domain: this is the domain of the service itself.');
          if (ownDomains.length > maxDomains)
            throw coreErrors.limit_reached({ limit: maxDomains, resources: 'short domains' });
          const row = { id: newId('ldm'), domain, created_at: now };
          if (!(await domainRows.insertUnlessTaken(trx, row)))
            throw coreErrors.state_conflict({ reason: `A workspace has the short domain ${domain} already.` });
          audit('link_domain.add', { kind: 'link_domain', id: row.id }, { domain });
          afterCommit(() => services.linkTargets.forgetDomain(domain));
          return { domain, createdAt: toIsoTime(now) };
        });
      },
      async listDomains(workspaceId) {
        const rows = await read(workspaceId, ({ trx }) => domainRows.page(trx, { limit: maxDomains }));
        return rows.reverse().map(({ domain, created_at }) => ({ domain, createdAt: toIsoTime(created_at) }));
      },
      async removeDomain(workspaceId, input) {
        const domain = canonical(input);
        await write(workspaceId, async ({ trx, audit, afterCommit }) => {
          const row = await domainRows.findBy(trx, { domain });
          if (row === undefined) return refuse(`domain: the workspace has no short domain ${domain}.`);
          await domainRows.remove(trx, row.id);
          audit('link_domain.remove', { kind: 'link_domain', id: row.id }, { domain });
          afterCommit(() => services.linkTargets.forgetDomain(domain));
        });
      },
      disable: (workspaceId, linkId, reason) =>
        change(workspaceId, linkId, {
          abuse: 'disabled',
          abuse_by: 'program',
          abuse_reason: beginning(String(reason), 500),
        }),
      reinstate: (workspaceId, linkId) => change(workspaceId, linkId, clean),
    };
  };
