// What a plugin lets the embedding program do beside operations: typed calls that no key reaches, as members of the service.
import type { ReadContext, ServiceContext, TransactionContext } from './context.ts';
import type { Provisioning } from './open.ts';

/** What the calls of the program work with. Nothing is open between two of its functions: outside calls go there. */
export interface ProvisioningContext extends ServiceContext {
  /** Reads committed rows of a workspace, on its live side. @throws workspace_not_found */
  read<T>(workspaceId: string, work: (ctx: ReadContext) => Promise<T>): Promise<T>;
  /** A transaction in a workspace, as the service itself, on its live side. @throws workspace_not_found */
  write<T>(workspaceId: string, work: (ctx: TransactionContext) => Promise<T>): Promise<T>;
}

/** Makes the calls, at the first use. Has no effect by itself. */
export type ProvisioningFactory<C> = (ctx: ProvisioningContext) => C;

/** The calls of one name. */
export type ProvisionedCalls<N extends keyof Provisioning> = Provisioning[N] extends { readonly calls: infer C }
  ? C
  : never;

/** The members that these plugins add to the service. */
export type ProvisioningOf<Ids extends string> = {
  readonly [N in keyof Provisioning as Provisioning[N] extends { readonly plugin: Ids }
    ? N
    : never]: ProvisionedCalls<N>;
};
