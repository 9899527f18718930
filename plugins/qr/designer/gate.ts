// Access to the designer: the access check of a page, with the designer's own refusals.
import type { Gate, PageOptions } from '../../../core/unstable.ts';
import { createPageGate } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';

/** The gate of one designer. */
export const createGate = (options: PageOptions): Gate =>
  createPageGate({
    options,
    refusals: {
      accessDenied: () => errors.qr_designer_access_denied(),
      notLocal: (details) => errors.qr_designer_not_local(details),
      crossSite: () => errors.qr_designer_cross_site(),
    },
    owner: 'qrPlugin designer',
  });
