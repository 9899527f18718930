// Access to the inbox: the access check of a page, with the inbox's own refusals.
import { createPageGate, type PageGate, pageRefusals } from '../../core/unstable.ts';
import { errors } from './errors.ts';
import type { InboxOptions } from './options.ts';

/** Makes the access check of an inbox. */
export const createGate = (options: InboxOptions): PageGate =>
  createPageGate({
    options,
    refusals: pageRefusals(errors, 'inbox'),
    owner: 'inboxPlugin',
  });
