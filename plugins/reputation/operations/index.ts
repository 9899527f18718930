import type { ReputationRule } from '../options.ts';
import { readReputation } from './read-reputation.ts';
import { releaseReputation } from './release-reputation.ts';

/** The operations, with the limits that they show. */
export const createOperations = (rules: readonly ReputationRule[]) =>
  [readReputation(rules), releaseReputation(rules)] as const;
