// Ports that plugins declare: the interface of adapters, the declaration of a port, the program's choice of an adapter, and
// the access to it in handlers. The core's own ports (storage, limits, keyring, …) are in ports/.
import type { Ports } from '../open.ts';

/** The members of every adapter of every port. Constructing an adapter has no effect: no network, no timer. */
export interface PortAdapter {
  /** Names the vendor: `smtp`. Shown by `postrider doctor`. */
  readonly id: string;
  /** Waits for running work and closes connections. `service.stop()` calls it once. */
  close?(): Promise<void>;
}

/**
 * The program's adapter for a port: one adapter for all workspaces, or a function that chooses an adapter by workspace. The
 * function is called once for each workspace until the service stops. If it throws, it is called again at the next use.
 */
export type AdapterChoice<A extends PortAdapter = PortAdapter> = A | ((workspaceId: string) => A | Promise<A>);

/** How a plugin reaches the adapters of a port: `ctx.ports.fax`. */
export interface PortAccess<A extends PortAdapter = PortAdapter> {
  /** The adapter of a workspace. @throws the error of the program's function, or an Error if that does not return an adapter */
  of(workspaceId: string): Promise<A>;
  /** The adapter of a workspace; undefined if the program's function would have to be called for it. */
  known(workspaceId: string): A | undefined;
  /** The id of the workspace's adapter, or `pending` if the program's function was not called yet. */
  idOf(workspaceId: string): string;
}

/** A plugin's port. Its name is its key in `ports`: the option of createService and the member of `ctx.ports`. */
export interface PortDeclaration<A extends PortAdapter = PortAdapter> {
  /** A sentence about the task of the adapters. Composition errors show it. */
  readonly description: string;
  /** Methods that an adapter must have. createService refuses an adapter without them. */
  readonly methods: readonly string[];
  /** The shared tests of its adapters: `faxAdapterSuite of postrider/plugins/fax/testing`. (Default: none) */
  readonly suite: string | undefined;
  /** Makes the adapter if the program gives none. (Default: none; the option is then required) */
  readonly default: (() => A) | undefined;
}

/** The type of the adapters of the port with this name. */
export type AdapterOf<N extends keyof Ports> = Ports[N] extends { readonly adapter: infer A extends PortAdapter }
  ? A
  : never;

/** The plugins' part of `ctx.ports`. */
export type PluginPorts = { readonly [N in keyof Ports]: PortAccess<AdapterOf<N>> };

/** The options of createService for the ports of these plugins. */
export type PortOptions<Ids extends string> = {
  readonly [N in keyof Ports as Ports[N] extends { readonly plugin: Ids } ? N : never]?: AdapterChoice<AdapterOf<N>>;
};

/**
 * Declares a port. Add its types to Ports: `interface Ports { fax: { plugin: 'fax'; adapter: FaxAdapter } }`.
 * @example ports: { fax: definePort<FaxAdapter>({ description: 'Hands pages to a carrier.', methods: ['send'] }) }
 */
export function definePort<A extends PortAdapter>(declaration: {
  readonly description: string;
  readonly methods: readonly (keyof A & string)[];
  readonly suite?: string;
  readonly default?: () => A;
}): PortDeclaration<A> {
  return { suite: undefined, default: undefined, ...declaration };
}
