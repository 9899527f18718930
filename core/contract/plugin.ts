// A plugin: one feature area as one value. `definePlugin` checks the manifest's types.
import type { CommandDeclaration } from './command.ts';
import type { ServiceContext, TransactionContext } from './context.ts';
import type { ErrorDefinition } from './errors.ts';
import type { CustomEventsDeclaration, EventConsumer, EventDeclaration, SubscriberDeclaration } from './events.ts';
import type { OperationExamples } from './example.ts';
import type { ExtensionPointName } from './extension.ts';
import type { CallHolder, Surface } from './held-calls.ts';
import type { JobDeclaration, ScheduleDeclaration } from './jobs.ts';
import type { ColumnType, Migration } from './migration.ts';
import type { Api, ExtensionPoints, PluginFigures, Ports, Provisioning, Services, WorkspaceSettings } from './open.ts';
import type { Operation } from './operation.ts';
import type { PersonalData } from './personal-data.ts';
import type { PersonalTable } from './personal-fields.ts';
import type { AdapterOf, PortDeclaration } from './port.ts';
import type { ProvisionedCalls, ProvisioningFactory } from './provisioning.ts';
import type { PublicRoute } from './public-route.ts';
import type { PromptDeclaration, ResourceDeclaration, ToolOrder } from './resource.ts';
import type { RetentionDeclaration } from './retention.ts';
import type { ScopeDeclaration } from './scopes.ts';
import type { TimelineSource } from './timeline.ts';
import type { FigureDeclaration, NumberFigure, SwitchFigure } from './workspace.ts';
import type * as z from './zod.ts';

/** How a table stores its rows. `defineTable` makes one. */
export interface TableDeclaration {
  /**
   * Whether its rows belong to workspaces: `workspace_id` is a column, and the first one of every index that serves one
   * workspace.
   */
  readonly tenant: boolean;
  /**
   * Whether each row is on the live or the sandbox side: `sandbox` is a column, and the second in those indexes.
   * (Default: false)
   */
  readonly sides?: boolean;
  /** The column that names the workspace, where it is not `workspace_id`. */
  readonly workspaceColumn?: string;
  /** The columns that the migrations must have made, with their kinds. (Default: not compared) */
  readonly columns?: Readonly<Record<string, ColumnType>>;
  /** Its personal data, and what erasing a person does to it. (Default: none) */
  readonly personal?: PersonalTable;
}

/** Makes a plugin's service, or its entry for an extension point. It may keep the context, which stays the same. */
export type ServiceFactory<S> = (ctx: ServiceContext) => S;

/** Runs in the transaction that creates a workspace. */
export type WorkspaceCreated = (ctx: TransactionContext) => Promise<void>;

/**
 * Runs in the transaction that revokes a key whose secret a stranger may hold: pauses what the key published, withdraws what it asked
 * for.
 */
export type KeyCompromised = (ctx: TransactionContext, keyId: string) => Promise<void>;

/**
 * Runs when a workspace is deleted, after its rows: for what lies outside of the database. Outside a transaction; where it throws,
 * the workspace stays suspended, and deleting it again calls this again.
 */
export type WorkspaceRemoved = (ctx: ServiceContext, workspaceId: string) => Promise<void>;

/**
 * Starts, flushes or stops what a plugin's services hold in memory. `signal` is aborted when the step takes too long.
 */
export type PluginStep = (ctx: ServiceContext, signal: AbortSignal) => void | Promise<void>;

/** The steps of a plugin that holds something in memory, such as a buffer. */
interface PluginSteps {
  /**
   * Called by service.start(), after the required plugins: opens what only a long-lived process has, such as a timer. A
   * process that is never started serves requests too, so no service may depend on it.
   */
  readonly start?: PluginStep | undefined;
  /**
   * Writes buffered data. Called by service.drain(), from time to time after requests, and by service.stop(), even
   * without a start.
   */
  readonly flush?: PluginStep | undefined;
  /**
   * Called by service.stop() if `start` was called, before the required plugins' stop and after this plugin's `flush`. A
   * plugin without `start`, which opens what it needs at the first use, is always stopped.
   */
  readonly stop?: PluginStep | undefined;
}

/** The manifest without its types. `Id` stays, so that `as(workspace)` offers composed plugins only. */
export interface Plugin<Id extends string = string> extends PluginSteps {
  readonly id: Id;
  /** Ids of plugins that must be composed too. */
  readonly requires: readonly string[];
  readonly scopes: readonly ScopeDeclaration[];
  readonly operations: readonly Operation[];
  readonly publicRoutes: readonly PublicRoute[];
  readonly resources: readonly ResourceDeclaration[];
  readonly prompts: readonly PromptDeclaration[];
  /** Lines of the instructions for agents. */
  readonly toolOrders: readonly ToolOrder[];
  readonly events: readonly EventDeclaration[];
  readonly subscribers: readonly SubscriberDeclaration[];
  /** The schema of custom events, for the one plugin that accepts them. */
  readonly customEvents: CustomEventsDeclaration | undefined;
  readonly eventConsumers: readonly EventConsumer[];
  readonly errors: readonly ErrorDefinition[];
  readonly tables: Readonly<Record<string, TableDeclaration>>;
  readonly migrations: readonly Migration[];
  readonly jobs: readonly JobDeclaration[];
  readonly schedules: readonly ScheduleDeclaration[];
  /** How long rows are kept, by the name of the program's setting: usually that of their table. */
  readonly retention: Readonly<Record<string, RetentionDeclaration>>;
  readonly services: Readonly<Record<string, ServiceFactory<unknown>>>;
  /** The names of the extension points that it declares. */
  readonly extensionPoints: readonly string[];
  /** Its entries for extension points, of other plugins or of its own, by the name of the point. */
  readonly contributes: Readonly<Record<string, ServiceFactory<unknown>>>;
  /** Calls of the embedding program that no key reaches, by the member of the service that has them. */
  readonly provisioning: Readonly<Record<string, ProvisioningFactory<unknown>>>;
  /** Its ports by name: options of createService, members of `ctx.ports`. */
  readonly ports: Readonly<Record<string, PortDeclaration>>;
  /** Its sources for the timelines of people. */
  readonly timeline: readonly TimelineSource[];
  readonly commands: readonly CommandDeclaration[];
  /** What its operations make public. */
  readonly surfaces: readonly Surface[];
  /** What decides which calls wait for a decision of people: of one plugin at most. */
  readonly callHolder: CallHolder | undefined;
  /** Figures that it adds to every plan, by name. */
  readonly figures: Readonly<Record<string, FigureDeclaration>>;
  /** The schemas of settings that it adds to every workspace, by name. */
  readonly workspaceSettings: Readonly<Record<string, z.ZodType>>;
  readonly workspaceCreated: WorkspaceCreated | undefined;
  readonly keyCompromised: KeyCompromised | undefined;
  readonly workspaceRemoved: WorkspaceRemoved | undefined;
  readonly personalData: PersonalData | undefined;
  /** Recorded examples of operations, of this plugin or of others. Loaded when the OpenAPI document is made. */
  readonly examples: (() => OperationExamples) | undefined;
}

interface PluginManifest<Id extends string> extends PluginSteps {
  readonly id: Id;
  readonly requires?: readonly (keyof Api | (string & {}))[];
  readonly scopes?: readonly ScopeDeclaration[];
  readonly operations?: readonly Operation[];
  readonly publicRoutes?: readonly PublicRoute[];
  readonly resources?: readonly ResourceDeclaration[];
  readonly prompts?: readonly PromptDeclaration[];
  readonly toolOrders?: readonly ToolOrder[];
  readonly events?: readonly EventDeclaration[];
  readonly subscribers?: readonly SubscriberDeclaration[];
  readonly customEvents?: CustomEventsDeclaration;
  readonly eventConsumers?: readonly EventConsumer[];
  readonly errors?: readonly ErrorDefinition[];
  readonly tables?: Readonly<Record<string, TableDeclaration>>;
  readonly migrations?: readonly Migration[];
  readonly jobs?: readonly JobDeclaration[];
  readonly schedules?: readonly ScheduleDeclaration[];
  readonly retention?: Readonly<Record<string, RetentionDeclaration>>;
  readonly services?: { readonly [K in keyof Services]?: ServiceFactory<Services[K]> };
  readonly extensionPoints?: readonly (ExtensionPointName & `${NoInfer<Id>}.${string}`)[];
  readonly contributes?: { readonly [P in keyof ExtensionPoints]?: ServiceFactory<ExtensionPoints[P]> };
  readonly provisioning?: { readonly [N in keyof Provisioning]?: ProvisioningFactory<ProvisionedCalls<N>> };
  readonly ports?: { readonly [N in keyof Ports]?: PortDeclaration<AdapterOf<N>> };
  readonly timeline?: readonly TimelineSource[];
  readonly commands?: readonly CommandDeclaration[];
  readonly surfaces?: readonly Surface[];
  readonly callHolder?: CallHolder;
  readonly figures?: {
    readonly [N in keyof PluginFigures]?: PluginFigures[N] extends boolean ? SwitchFigure : NumberFigure;
  };
  readonly workspaceSettings?: { readonly [N in keyof WorkspaceSettings]: z.ZodType<WorkspaceSettings[N]> };
  readonly workspaceCreated?: WorkspaceCreated;
  readonly keyCompromised?: KeyCompromised;
  readonly workspaceRemoved?: WorkspaceRemoved;
  readonly personalData?: PersonalData;
  readonly examples?: () => OperationExamples;
}

/** Declares a plugin. Has no effect until the plugin is composed. */
export function definePlugin<const Id extends string>(manifest: PluginManifest<Id>): Plugin<Id> {
  return {
    requires: [],
    scopes: [],
    operations: [],
    publicRoutes: [],
    resources: [],
    prompts: [],
    toolOrders: [],
    events: [],
    subscribers: [],
    customEvents: undefined,
    eventConsumers: [],
    errors: [],
    tables: {},
    migrations: [],
    jobs: [],
    schedules: [],
    retention: {},
    commands: [],
    surfaces: [],
    callHolder: undefined,
    figures: {},
    workspaceSettings: {},
    timeline: [],
    extensionPoints: [],
    workspaceCreated: undefined,
    keyCompromised: undefined,
    workspaceRemoved: undefined,
    personalData: undefined,
    examples: undefined,
    ...manifest,
    services: (manifest.services ?? {}) as Record<string, ServiceFactory<unknown>>,
    contributes: (manifest.contributes ?? {}) as Record<string, ServiceFactory<unknown>>,
    provisioning: (manifest.provisioning ?? {}) as Record<string, ProvisioningFactory<unknown>>,
    ports: (manifest.ports ?? {}) as Record<string, PortDeclaration>,
  };
}
