// `ctx.services.leadMagnets`: finds and creates lead magnets for forms and other plugins.
import type { ServiceContext, TransactionContext, Workspace, WorkspaceHandle } from '../../core/index.ts';
import { contentUrl } from '../../core/unstable.ts';
import { createLeadMagnet, type NewLeadMagnet } from './create.ts';
import { errors } from './errors.ts';
import { giftPath, giftToken } from './gift/token.ts';
import type { LeadMagnetsOptions } from './options.ts';
import type { Painter } from './pdf/painter.ts';
import { type LeadMagnetHead, summaryRows } from './tables.ts';

/** `ctx.services.leadMagnets`. */
export interface LeadMagnetsService {
  /**
   * Finds a lead magnet without its text. `lock` prevents its deletion until the transaction ends. (Default: no lock)
   */
  find(handle: WorkspaceHandle, id: string, lock?: 'share'): Promise<LeadMagnetHead | undefined>;
  /** The error for an id that no lead magnet has. Other plugins throw it too. */
  notFound(id: string): Error;
  /**
   * Returns a link that downloads the latest export, valid for 7 days. Undefined if nothing was exported yet, or if the
   * service has no public address. The caller must check first that the lead magnet may be given away.
   */
  giftUrl(handle: WorkspaceHandle, workspace: Workspace, id: string): Promise<string | undefined>;
  /**
   * Makes a draft, as POST /v1/lead-magnets does.
   * @throws brand_not_found, limit_reached
   */
  createDraft(ctx: TransactionContext, input: NewLeadMagnet): Promise<LeadMagnetHead>;
  /** Writes the PDF. Its only state is the fonts that it has read. */
  readonly painter: Painter;
}

export const createLeadMagnetsService =
  (options: LeadMagnetsOptions) =>
  (context: ServiceContext): LeadMagnetsService => {
    let painter: Promise<Painter> | undefined;
    const loadPainter = async () => (await import('./pdf/painter.ts')).createPainter(options);
    return {
      async find(handle, id, lock) {
        return lock === undefined ? summaryRows.find(handle, id) : summaryRows.findBy(handle, { id }, lock);
      },
      notFound: (id) => errors.lead_magnet_not_found({ id }),
      async giftUrl(handle, workspace, id) {
        const { keyring, service, now } = context.ports;
        const row = await summaryRows.find(handle, id);
        if (row?.last_export == null) return undefined;
        return contentUrl(service, workspace, giftPath(giftToken(keyring, row, now())));
      },
      createDraft: (ctx, input) => createLeadMagnet(ctx, input),
      painter: {
        async paint(book, signal) {
          painter ??= loadPainter();
          return (await painter).paint(book, signal);
        },
      },
    };
  };

declare module '../../core/contract/open.ts' {
  interface Services {
    leadMagnets: LeadMagnetsService;
  }
}
