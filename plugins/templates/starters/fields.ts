// The shapes of the starters' variables: a required text, an optional text, a link.
import type { ContractNode } from '../contract/node.ts';

/** A line that the mail needs. */
export const line = (description: string, maxLength = 200) =>
  ({ type: 'string', minLength: 1, maxLength, description }) as const satisfies ContractNode;

/** A line that the mail can leave out; its surroundings disappear with it. */
export const optionalLine = (description: string, maxLength = 200) =>
  ({ type: 'string', maxLength, default: '', description }) as const satisfies ContractNode;

/** An address that lets its reader in: only the mail shows it. */
export const secretLink = (description: string) =>
  ({ type: 'string', format: 'uri', writeOnly: true, description }) as const satisfies ContractNode;

/** An address; optional unless the contract requires it. */
export const link = (description: string) =>
  ({ type: 'string', format: 'uri', description }) as const satisfies ContractNode;
