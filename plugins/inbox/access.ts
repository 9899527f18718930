// Access to the inbox: the gate of its routes, and the scopes that they need.
import { createPageGate, pageRefusals } from '../../core/unstable.ts';
import { errors } from './errors.ts';

/** The scope to read mails, because mails are sends. */
export const readScope = 'sends:read';
/** The scope to delete messages and to report about sends: every caller who may send may do both. */
export const changeScope = 'templates:send';

export const refusals = pageRefusals(errors, 'inbox');

export const gate = createPageGate({ refusals, scope: readScope });
