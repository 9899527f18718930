// A starter: its layout, which all languages share, and the template that it becomes in one language.
import type { Contract, ContractNode } from '../contract/node.ts';
import { type AuthoredMail, fillParts, type LanguageTexts } from './marks.ts';

interface StarterFacts {
  readonly key: string;
  readonly name: string;
  readonly category: 'transactional' | 'system';
  readonly delivery: 'at-least-once' | 'at-most-once';
  /** How long a send stays useful, as an ISO 8601 duration. (Default: no limit) */
  readonly expiresIn?: string;
  /** The contract as JSON Schema; its examples are the shortest valid variables and full ones. */
  readonly variables: StarterContract;
}

/** The layout of a starter. */
export interface StarterLayout extends StarterFacts {
  /** The mail, with marks in place of texts and directions. A function, so that it costs nothing until it is called. */
  marked(): AuthoredMail;
}

/** A starter as its author would pass it to templates.create. */
export interface Starter extends StarterFacts, AuthoredMail {}

/** A layout in one language. */
export const starterIn = ({ marked, ...facts }: StarterLayout, language: LanguageTexts): Starter => ({
  ...facts,
  ...fillParts(marked(), language),
});

/** Objects get their `additionalProperties` when the contract is checked. */
export interface StarterContract {
  readonly type: 'object';
  readonly description: string;
  readonly properties: Readonly<Record<string, ContractNode>>;
  readonly required: readonly string[];
  readonly examples: readonly [short: Readonly<Record<string, unknown>>, full: Readonly<Record<string, unknown>>];
}

/** What publishing a layout freezes: HTML with marks, and the contract in its normal form. */
export interface CompiledStarter {
  readonly html: string;
  readonly contract: Contract;
}
