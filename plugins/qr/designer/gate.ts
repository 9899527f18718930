// Access to the designer: the access check of a page, with the designer's own refusals.
import { createPageGate, type PageGate, type PageOptions, pageRefusals } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';

/** The gate of the designer's routes. */
export const createGate = (options: PageOptions): PageGate =>
  createPageGate({
    options,
    refusals: pageRefusals(errors, 'qr_designer'),
    owner: 'qrPlugin designer',
  });
