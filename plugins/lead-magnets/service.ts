// `ctx.services.leadMagnets`: what forms and other plugins ask about lead magnets and make of them.
import type { ServiceContext, TransactionContext, Workspace, WorkspaceHandle } from '../../core/index.ts';
import { contentUrl } from '../../core/unstable.ts';
import { createLeadMagnet, type NewLeadMagnet } from './create.ts';
import { errors } from './errors.ts';
import { giftPath, giftToken } from './gift/token.ts';
import type { LeadMagnetsOptions } from './options.ts';
import { createPainter, type Painter } from './pdf/painter.ts';
import { headRows, type LeadMagnetHead } from './tables.ts';

/** `ctx.services.leadMagnets`. */
export interface LeadMagnetsService {
  /** A lead magnet without its text. `lock` keeps it from being deleted until the transaction ends. (Default: no lock) */
  find(handle: WorkspaceHandle, id: string, lock?: 'share'): Promise<LeadMagnetHead | undefined>;
  /** The error for an id that no lead magnet has, so that other plugins raise the same one. */
  notFound(id: string): Error;
  /**
   * A link that saves the latest export, for 7 days. Undefined where nothing was exported yet, and where the service has no public
   * address. Whoever gives it away checks before that it may.
   */
  giftUrl(handle: WorkspaceHandle, workspace: Workspace, id: string): Promise<string | undefined>;
  /**
   * Makes a draft, as POST /v1/lead-magnets does.
   * @throws brand_not_found, limit_reached
   */
  createDraft(effects: TransactionContext, given: NewLeadMagnet): Promise<LeadMagnetHead>;
  /** Writes the PDF. It holds no state but the fonts that it has read. */
  readonly painter: Painter;
}

/** Makes the service. */
export const createLeadMagnetsService =
  (options: LeadMagnetsOptions) =>
  (context: ServiceContext): LeadMagnetsService => ({
    async find(handle, id, lock) {
      return lock === undefined ? headRows.find(handle, id) : headRows.findBy(handle, { id }, lock);
    },
    notFound: (id) => errors.lead_magnet_not_found({ id }),
    async giftUrl(handle, workspace, id) {
      const { keyring, service, now } = context.ports;
      const row = await headRows.find(handle, id);
      if (row?.last_export == null) return undefined;
      return contentUrl(service, workspace, giftPath(giftToken(keyring, row, now())));
    },
    createDraft: (effects, given) => createLeadMagnet(effects, given),
    painter: createPainter(options),
  });

declare module '../../core/contract/open.ts' {
  interface Services {
    leadMagnets: LeadMagnetsService;
  }
}
