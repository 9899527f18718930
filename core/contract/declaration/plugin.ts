// A plugin: one feature area as one value. `definePlugin` checks the manifest's types.

import type { ServiceContext, TransactionContext } from '../context/context.ts';
import type { FeatureSwitch, NumberPlanLimit, PlanLimitDeclaration } from '../context/workspace.ts';
import type { ErrorDefinition } from '../errors/errors.ts';
import type {
  Api,
  ExtensionPoints,
  PluginPlanLimits,
  Ports,
  Provisioning,
  Services,
  WorkspaceSettings,
} from '../open.ts';
import type * as z from '../schemas/zod.ts';
import type { BearerTokens } from './bearer-tokens.ts';
import type { CommandDeclaration } from './command.ts';
import type { ConsoleEntry } from './console.ts';
import type { CustomEventsDeclaration, EventConsumer, EventDeclaration, SubscriberDeclaration } from './events.ts';
import type { OperationExamples } from './example.ts';
import type { ExtensionPointName } from './extension.ts';
import type { CallHolder, ContentKind } from './held-calls.ts';
import type { JobDeclaration, ScheduleDeclaration } from './jobs.ts';
import type { ColumnType, Migration } from './migration.ts';
import type { Operation } from './operation.ts';
import type { PersonalData } from './personal-data.ts';
import type { PersonalTable } from './personal-fields.ts';
import type { AdapterOf, PortDeclaration } from './port.ts';
import type { ProvisionedCalls, ProvisioningFactory } from './provisioning.ts';
import type { PublicRoute } from './public-route.ts';
import type { PromptDeclaration, ResourceDeclaration, ToolWorkflow } from './resource.ts';
import type { RetentionDeclaration } from './retention.ts';
import type { ScopeDeclaration } from './scopes.ts';
import type { TimelineSource } from './timeline.ts';

/** How a table stores its rows. `defineTable` makes one. */
export interface TableDeclaration {
  /**
   * Whether its rows belong to workspaces. If true, `workspace_id` is a column, and the first column of every index that
   * serves one workspace.
   */
  readonly tenant: boolean;
  /**
   * Whether each row is on the live or the sandbox side. If true, `sandbox` is a column, and the second column of those
   * indexes. (Default: false)
   */
  readonly sides?: boolean;
  /** The column with the workspace's id. (Default: `workspace_id`) */
  readonly workspaceColumn?: string;
  /** The columns that the migrations must have created, with their kinds. (Default: not compared) */
  readonly columns?: Readonly<Record<string, ColumnType>>;
  /** The table's personal data, and what happens to it when a person is erased. (Default: none) */
  readonly personal?: PersonalTable;
}

/** Makes a plugin's service, or its entry for an extension point. It may keep a reference to the context, which never changes. */
export type ServiceFactory<S> = (ctx: ServiceContext) => S;

/** Runs in the transaction that creates a workspace. */
export type WorkspaceCreated = (ctx: TransactionContext) => Promise<void>;

/**
 * Runs in the transaction that revokes a key whose secret may have leaked: pauses the content that the key published and
 * withdraws its requests.
 */
export type KeyCompromised = (ctx: TransactionContext, keyId: string) => Promise<void>;

/**
 * Runs when a workspace is deleted, after its rows are gone. For data outside of the database. Runs outside a transaction. If it
 * throws, the workspace stays suspended; deleting the workspace again calls this again.
 */
export type WorkspaceRemoved = (ctx: ServiceContext, workspaceId: string) => Promise<void>;

/**
 * Starts, flushes or stops the buffers and resources that a plugin's services keep in memory. `signal` is aborted if the step
 * takes too long.
 */
export type PluginStep = (ctx: ServiceContext, signal: AbortSignal) => void | Promise<void>;

/** The steps of a plugin that keeps something in memory, such as a buffer. */
interface PluginSteps {
  /**
   * Called by service.start(), after the `start` of the required plugins. Opens resources that only a long-lived process
   * has, such as a timer. No service may depend on it: a process that is never started serves requests too.
   */
  readonly start?: PluginStep | undefined;
  /**
   * Writes buffered data. Called by service.drain(), from time to time after requests, and by service.stop() even if the
   * service was never started.
   */
  readonly flush?: PluginStep | undefined;
  /**
   * Called by service.stop() if `start` was called: after this plugin's `flush`, and before the `stop` of the required
   * plugins. A plugin without `start`, which opens resources at the first use, is always stopped.
   */
  readonly stop?: PluginStep | undefined;
}

/** The manifest without its types. `Id` is kept, so that `as(workspace)` offers only composed plugins. */
export interface Plugin<Id extends string = string> extends PluginSteps {
  readonly id: Id;
  /** Ids of the plugins that must also be composed. */
  readonly requires: readonly string[];
  readonly scopes: readonly ScopeDeclaration[];
  readonly operations: readonly Operation[];
  readonly publicRoutes: readonly PublicRoute[];
  readonly resources: readonly ResourceDeclaration[];
  readonly prompts: readonly PromptDeclaration[];
  /** The tools for common tasks, in order, shown in the instructions for agents. */
  readonly toolWorkflows: readonly ToolWorkflow[];
  /** Users' words for the terms of the plugin, by term. */
  readonly searchWords: Readonly<Record<string, readonly string[]>>;
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
  /** How long rows are kept, by the name of the program's setting, which is usually the name of their table. */
  readonly retention: Readonly<Record<string, RetentionDeclaration>>;
  readonly services: Readonly<Record<string, ServiceFactory<unknown>>>;
  /** The names of the extension points that the plugin declares. */
  readonly extensionPoints: readonly string[];
  /** The plugin's entries for extension points, its own or those of other plugins, by the name of the point. */
  readonly contributes: Readonly<Record<string, ServiceFactory<unknown>>>;
  /** Calls for the embedding program that no API key can make, by the member of the service that offers them. */
  readonly provisioning: Readonly<Record<string, ProvisioningFactory<unknown>>>;
  /** The plugin's ports by name. Each name is an option of createService and a member of `ctx.ports`. */
  readonly ports: Readonly<Record<string, PortDeclaration>>;
  /** The plugin's sources for the timelines of people. */
  readonly timeline: readonly TimelineSource[];
  readonly commands: readonly CommandDeclaration[];
  /** The plugin's pages of the console, and its entries in the console's navigation. */
  readonly console: readonly ConsoleEntry[];
  /** The kinds of things that its operations make public. */
  readonly contentKinds: readonly ContentKind[];
  /** Decides which calls wait for a decision of people. At most one composed plugin has it. */
  readonly callHolder: CallHolder | undefined;
  /** Accepts tokens that are not API keys. At most one composed plugin has it. */
  readonly bearerTokens: BearerTokens | undefined;
  /** Limits that the plugin adds to every plan, by name. */
  readonly planLimits: Readonly<Record<string, PlanLimitDeclaration>>;
  /** Schemas of the settings that the plugin adds to every workspace, by name. */
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
  readonly toolWorkflows?: readonly ToolWorkflow[];
  /**
   * Users' words for a term of the plugin: `{ order: ['purchase', 'basket'] }`. By these words, search_tools finds the plugin's
   * operations whose name or summary contains the term. (Default: none)
   */
  readonly searchWords?: Readonly<Record<string, readonly string[]>>;
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
  readonly console?: readonly ConsoleEntry[];
  readonly contentKinds?: readonly ContentKind[];
  readonly callHolder?: CallHolder;
  readonly bearerTokens?: BearerTokens;
  readonly planLimits?: {
    readonly [N in keyof PluginPlanLimits]?: PluginPlanLimits[N] extends boolean ? FeatureSwitch : NumberPlanLimit;
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
    toolWorkflows: [],
    searchWords: {},
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
    console: [],
    contentKinds: [],
    callHolder: undefined,
    bearerTokens: undefined,
    planLimits: {},
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
