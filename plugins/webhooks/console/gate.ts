// Access to the console: the access check of a page, with the console's own refusals.
import { createPageGate, type PageGate, type PageOptions, pageRefusals } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';

/** The gate of one console. */
export const createGate = (options: PageOptions): PageGate =>
  createPageGate({
    options,
    refusals: pageRefusals(errors, 'webhooks_console'),
    owner: 'webhooksPlugin console',
  });
