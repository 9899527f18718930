// A workspace and its plan as the pipeline and handlers see them. Read once for each call.
import type { PluginFigures, WorkspaceSettings } from './open.ts';

export type { WorkspaceSettings } from './open.ts';

/** The plans that every service has. `sandbox` is a plan, too: a workspace without a live side. */
export type StandardPlanName = 'sandbox' | 'hobby' | 'pro' | 'scale' | 'enterprise' | 'embedded';

/** A standard plan, or one that the option `plans` of createService adds. */
export type PlanName = StandardPlanName | (string & Record<never, never>);

/** What a plan grants. Infinity means unlimited. */
export interface Plan extends CorePlan, PluginFigures {}

interface FigureOf<V extends number | boolean> {
  /** What it limits or allows, as a sentence. */
  readonly description: string;
  /** That of plans for which neither the program nor `plans` names another. */
  readonly default: V;
  /** Standard plans that have another by default. `enterprise` has that of `scale`. */
  readonly plans?: Readonly<Partial<Record<Exclude<StandardPlanName, 'enterprise'>, V>>>;
}

/** A number that a plugin adds to every plan, under a name of its own. */
export interface NumberFigure extends FigureOf<number> {
  /** The least value. */
  readonly min: number;
}

/** A yes or no that a plugin adds to every plan, under a name of its own. */
export type SwitchFigure = FigureOf<boolean>;

/** A figure that a plugin adds to every plan. */
export type FigureDeclaration = NumberFigure | SwitchFigure;

/** The figures of a plan that the core knows. */
export interface CorePlan {
  readonly name: PlanName;
  /** The features it includes: 0 sandbox, 1 hobby, 2 pro, 3 scale, 4 enterprise and embedded. */
  readonly tier: number;
  /** Requests a second for each key: the rate at which its token bucket fills. */
  readonly keyRate: number;
  /** The size of the token bucket: how many requests one key may send at once. */
  readonly keyBurst: number;
  /** Requests a minute over all keys of the workspace. */
  readonly workspacePerMinute: number;
  /** Credits that each calendar month (UTC) grants. */
  readonly monthlyCredits: number;
  /** Whether operations that otherwise require an Idempotency-Key from tier 2 on run without one. */
  readonly keyOptional: boolean;
}

/** The figures of a plan that the embedding program may set, in the configuration or for one workspace. */
export type PlanFigures = Partial<Omit<Plan, 'name' | 'tier'>>;

/** The plans of one service, by name. */
export type Plans = Readonly<Record<StandardPlanName, Plan>> & Readonly<Record<string, Plan>>;

/** A workspace as handlers see it. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  /** The plan, with the figures of this workspace in place of the plan's. */
  readonly plan: Plan;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly defaultFrom: { readonly email: string; readonly name: string };
  /** Lower-cased domains that may stand in From; the domain of `defaultFrom` is always among them. */
  readonly sendingDomains: readonly string[];
  /** Made by the embedding program. */
  readonly settings: WorkspaceSettings;
  /** The host of its public pages and forms, such as news.example.com. Without one they are below `/p/{id}/`. */
  readonly contentHost?: string;
  readonly suspended: boolean;
}

/** The actor of a call. `key_id` is set for api and mcp actors. */
export interface Actor {
  readonly kind: 'api' | 'mcp' | 'dashboard' | 'service' | 'system';
  readonly keyId?: string;
  /** A key of the mode mcp is an agent's, on whichever way it calls. */
  readonly keyMode?: 'live' | 'test' | 'mcp';
  readonly ip?: string;
  /** The MCP client's name and version (mcp), or the name that an in-process caller gave. */
  readonly client?: string;
  /** The user who installed the key (mcp). */
  readonly user?: string;
  /** The uids of members in whose names the key may act. */
  readonly members?: readonly string[];
  /** The member for whom an in-process caller or a page acts. */
  readonly member?: string;
}
