// The shapes that the variables of the starters have: a text that must be there, one that may, a link.
import type { ContractNode } from '../contract/node.ts';

/** A line that the mail cannot do without. */
export const line = (description: string, maxLength = 200) =>
  ({ type: 'string', minLength: 1, maxLength, description }) as const satisfies ContractNode;

/** A line that the mail is complete without; what it stands in disappears with it. */
export const optionalLine = (description: string, maxLength = 200) =>
  ({ type: 'string', maxLength, default: '', description }) as const satisfies ContractNode;

/** An address; optional unless the contract requires it. */
export const link = (description: string) =>
  ({ type: 'string', format: 'uri', description }) as const satisfies ContractNode;
