import type { contentKindIds } from './content-kinds.ts';
import type { PolicyValues } from './schema.ts';

/**
 * A policy that the program fixes for every workspace. `required` is true by default. The other fields have the defaults of
 * policies.
 */
export type FixedPolicy = Partial<PolicyValues>;

/** Policies by content kind. */
export type FixedPolicies = Readonly<Partial<Record<(typeof contentKindIds)[number], FixedPolicy>>>;

/** Options of `approvalsPlugin`. */
export interface ApprovalsPluginOptions {
  /** A lower bound for the policies of every workspace: the policies of a workspace can only be stricter. (Default: none) */
  readonly policies?: FixedPolicies;
}
