// Builds the schemas of the starters' variables: a required text, an optional text, a link.
import type { ContractNode } from '../contract/node.ts';

/** A required text of one line. */
export const line = (description: string, maxLength = 200) =>
  ({ type: 'string', minLength: 1, maxLength, description }) as const satisfies ContractNode;

/** An optional text of one line; without it, the mail also omits the words around it. */
export const optionalLine = (description: string, maxLength = 200) =>
  ({ type: 'string', maxLength, default: '', description }) as const satisfies ContractNode;

/** A URL that grants access, so it is shown only in the mail. */
export const secretLink = (description: string) =>
  ({ type: 'string', format: 'uri', writeOnly: true, description }) as const satisfies ContractNode;

/** A URL; optional unless the contract requires it. */
export const link = (description: string) =>
  ({ type: 'string', format: 'uri', description }) as const satisfies ContractNode;
