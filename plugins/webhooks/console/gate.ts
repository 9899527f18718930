// Access to the console: the access check of a page, with the console's own refusals.
import type { Gate, PageOptions } from '../../../core/unstable.ts';
import { createPageGate, pageRefusals } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';

/** The gate of one console. */
export const createGate = (options: PageOptions): Gate =>
  createPageGate({
    options,
    refusals: pageRefusals(errors, 'webhooks_console'),
    owner: 'webhooksPlugin console',
  });
