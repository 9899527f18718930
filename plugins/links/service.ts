// `ctx.services.links`: short links for other plugins. Works inside a transaction and makes no outside calls.
import type { ServiceContext, TransactionContext, WorkspaceHandle } from '../../core/index.ts';
import { checkShortHost } from './checks.ts';
import { createLink, defaultPrice } from './create-link.ts';
import { shortDomains } from './domains.ts';
import type { LinksOptions } from './options.ts';
import { presentLink, totalsOf } from './present.ts';
import type { LinkResource, NewLink } from './schema.ts';
import { domainRows, type LinkRow, linkRows, type TotalsRow } from './tables.ts';

export type { LinkRow } from './tables.ts';

/** `ctx.services.links`. */
export interface LinksService {
  /** The price of a link, in credits. */
  readonly price: number;
  /** A link on the caller's side, including archived links; undefined if there is none. */
  find(handle: WorkspaceHandle, linkId: string): Promise<LinkRow | undefined>;
  /**
   * The short URL that visitors open. A QR code adds `?s=qr` to it; the parameter is counted and not passed on. @throws
   * state_conflict
   */
  urlOf(row: Pick<LinkRow, 'domain' | 'slug'>): string;
  /** The short domains that links of the workspace may have, the default one first. */
  domainsOf(handle: WorkspaceHandle): Promise<readonly string[]>;
  /** A link as the API shows it at this time. */
  present(handle: WorkspaceHandle, row: LinkRow, now: number): Promise<LinkResource>;
  /** Like `present`, if the caller has already read the counts. */
  presentOne(row: LinkRow, totals: TotalsRow | undefined, now: number): LinkResource;
  /**
   * Creates a link in the caller's transaction, at the price of links.create, and emits link.created.
   * @throws validation_failed, credits_exhausted, slug_taken, domain_not_allowed, plan_required, state_conflict
   */
  create(ctx: TransactionContext, link: NewLink): Promise<LinkRow>;
}

export const createLinksService =
  (options: LinksOptions) =>
  (context: ServiceContext): LinksService => {
    const domains = shortDomains(options, context.ports.service);
    return {
      price: options.price ?? defaultPrice,
      find: (handle, linkId) => linkRows.find(handle, linkId),
      urlOf(row) {
        if (row.domain === '') checkShortHost(options, context.ports.service);
        return domains.urlOf(row);
      },
      async domainsOf(handle) {
        const rows = await domainRows.page(handle, { limit: 100 });
        return [domains.standard, ...rows.map(({ domain }) => domain).reverse()];
      },
      async present(handle, row, now) {
        return presentLink(row, (await totalsOf(handle, [row.id])).get(row.id), domains, now);
      },
      presentOne: (row, totals, now) => presentLink(row, totals, domains, now),
      create: (ctx, link) => createLink(ctx, options, link),
    };
  };
