// A starter: a template as its author would pass it to templates.create, with its contract.
import type { Contract, ContractNode } from '../contract/node.ts';

export interface Starter {
  readonly key: string;
  readonly name: string;
  readonly category: 'transactional' | 'system';
  readonly delivery: 'at-least-once' | 'at-most-once';
  /** How long a send is of use, as an ISO 8601 duration. (Default: always) */
  readonly expiresIn?: string;
  readonly subject: string;
  readonly previewText: string;
  /** MJML with Liquid. */
  readonly body: string;
  readonly text: string;
  /** The contract as JSON Schema; its examples are the shortest valid variables and full ones. */
  readonly variables: StarterContract;
}

/** Objects get their `additionalProperties` when the contract is checked. */
export interface StarterContract {
  readonly type: 'object';
  readonly description: string;
  readonly properties: Readonly<Record<string, ContractNode>>;
  readonly required: readonly string[];
  readonly examples: readonly [short: Readonly<Record<string, unknown>>, full: Readonly<Record<string, unknown>>];
}

/** The parts of a starter that publishing freezes: Liquid sources and the contract in its checked form. */
export interface CompiledStarter {
  readonly subject: string;
  readonly previewText: string;
  readonly html: string;
  readonly text: string;
  readonly contract: Contract;
}

/** The language of all starters. */
export const starterLocale = 'en';
