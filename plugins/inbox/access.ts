// Access to the inbox: the access check of a page, with the inbox's own refusals.
import { createPageGate, type Gate, pageRefusals } from '../../core/unstable.ts';
import { errors } from './errors.ts';
import type { InboxOptions } from './options.ts';

/** Makes the access check of an inbox. */
export const createGate = (options: InboxOptions): Gate =>
  createPageGate({
    options,
    refusals: pageRefusals(errors, 'inbox'),
    owner: 'inboxPlugin',
  });
