// Ports that plugins declare: what an adapter is, how a plugin declares a port, how the program chooses its adapter and
// how handlers reach it. The core's own ports (storage, limits, keyring, …) are in ports/.
import type { Ports } from './open.ts';

/** What every adapter has, whatever its port. Constructing one has no effect: no network, no timer. */
export interface PortAdapter {
  /** Names the vendor: `smtp`. Shown by `postrider doctor`. */
  readonly id: string;
  /** Waits for running work and closes connections; called once, by `service.stop()`. */
  close?(): Promise<void>;
}

/**
 * The program's adapter for a port: one for every workspace, or a function that chooses one by workspace. The function
 * is called once for each workspace until the service stops; after it throws, it is called again at the next use.
 */
export type AdapterChoice<A extends PortAdapter = PortAdapter> = A | ((workspaceId: string) => A | Promise<A>);

/** How a plugin reaches the adapters of a port: `ctx.ports.fax`. */
export interface PortAccess<A extends PortAdapter = PortAdapter> {
  /** The adapter of a workspace. @throws what the program's function throws, and Error where it returns no adapter */
  of(workspaceId: string): Promise<A>;
  /** That adapter, where it is known without a call of the program's function. */
  known(workspaceId: string): A | undefined;
  /** The id of that adapter, or `pending` while the program's function was not called yet. */
  idOf(workspaceId: string): string;
}

/** A plugin's port. Its name is its key in `ports`: the option of createService and the member of `ctx.ports`. */
export interface PortDeclaration<A extends PortAdapter = PortAdapter> {
  /** What the adapters do, as a sentence: shown by composition errors. */
  readonly description: string;
  /** Methods that an adapter must have. createService refuses a value without them. */
  readonly methods: readonly string[];
  /** The shared tests of its adapters: `faxAdapterSuite of postrider/plugins/fax/testing`. (Default: none) */
  readonly suite: string | undefined;
  /** The adapter where the program gives none. (Default: none; the option is required) */
  readonly default: (() => A) | undefined;
}

/** The adapter that the port of this name takes. */
export type AdapterOf<N extends keyof Ports> = Ports[N] extends { readonly adapter: infer A extends PortAdapter }
  ? A
  : never;

/** `ctx.ports` of the composed plugins' ports. */
export type PluginPorts = { readonly [N in keyof Ports]: PortAccess<AdapterOf<N>> };

/** The options of createService for the ports of these plugins. */
export type PortOptions<Ids extends string> = {
  readonly [N in keyof Ports as Ports[N] extends { readonly plugin: Ids } ? N : never]?: AdapterChoice<AdapterOf<N>>;
};

/**
 * Declares a port. Its types are added to Ports: `interface Ports { fax: { plugin: 'fax'; adapter: FaxAdapter } }`.
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
