// Access to the console: the access check of a page, with the console's own refusals.
import { createPageGate, type Gate, type PageOptions, pageRefusals } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';

/** The gate of one console. */
export const createGate = (options: PageOptions): Gate =>
  createPageGate({
    options,
    refusals: pageRefusals(errors, 'webhooks_console'),
    owner: 'webhooksPlugin console',
  });
