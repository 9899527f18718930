// Calls that a plugin offers to the embedding program in addition to operations: typed members of the service. No API key can
// make them.
import type { ReadContext, ServiceContext, TransactionContext } from '../context/context.ts';
import type { Handle } from '../context/handle.ts';
import type { Provisioning } from '../open.ts';

/** The context of these calls. No transaction is open between two of its functions: make calls to outside systems there. */
export interface ProvisioningContext extends ServiceContext {
  /** Reads committed rows of a workspace, on its live side. @throws workspace_not_found */
  read<T>(workspaceId: string, work: (ctx: ReadContext) => Promise<T>): Promise<T>;
  /**
   * Reads committed rows of every workspace. Use it to find the workspace of an id that the program got from outside. `reason`
   * documents why.
   */
  readUnscoped<T>(reason: string, work: (handle: Handle) => Promise<T>): Promise<T>;
  /** Runs a transaction in a workspace, as the service itself, on its live side. @throws workspace_not_found */
  write<T>(workspaceId: string, work: (ctx: TransactionContext) => Promise<T>): Promise<T>;
}

/** Makes the calls at their first use. Must have no other effect. */
export type ProvisioningFactory<C> = (ctx: ProvisioningContext) => C;

/** The type of the calls under one name. */
export type ProvisionedCalls<N extends keyof Provisioning> = Provisioning[N] extends { readonly calls: infer C }
  ? C
  : never;

/** The names under which these plugins add calls. */
type ProvisionedBy<Ids extends string> = {
  readonly [N in keyof Provisioning]: Provisioning[N] extends { readonly plugin: Ids } ? N : never;
}[keyof Provisioning];

/** The member of the service to which a name with a dot adds a call: `workspaces` of `workspaces.archive`. */
type ExtendedMember<N> = N extends `${infer Member}.${string}` ? Member : never;

/** The members that these plugins add to the service, and the calls that they add to its other members. */
export type ProvisioningOf<Ids extends string> = {
  readonly [N in ProvisionedBy<Ids> as N extends `${string}.${string}` ? never : N]: ProvisionedCalls<N>;
} & {
  readonly [Member in ExtendedMember<ProvisionedBy<Ids>>]: {
    readonly [N in ProvisionedBy<Ids> as N extends `${Member}.${infer Call}` ? Call : never]: ProvisionedCalls<N>;
  };
};
