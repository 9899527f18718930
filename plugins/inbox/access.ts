// Access to the inbox: the gate of its routes, and the scopes that they need.
import { createPageGate, pageRefusals } from '../../core/unstable.ts';
import { errors } from './errors.ts';

/** Reading mails is reading sends. */
export const readScope = 'sends:read';
/** Deleting messages, and reports about a send: whoever may send may do both. */
export const changeScope = 'templates:send';

export const refusals = pageRefusals(errors, 'inbox');

export const gate = createPageGate({ refusals, scope: readScope });
