// A workspace and its plan as the pipeline and handlers see them. Read once for each call.
import type { PluginPlanLimits, WorkspaceSettings } from '../open.ts';

export type { WorkspaceSettings } from '../open.ts';

/** The plans that every service has. A workspace with the plan `sandbox` has no live side. */
export type StandardPlanName = 'sandbox' | 'hobby' | 'pro' | 'scale' | 'enterprise' | 'embedded';

/** A standard plan, or a plan that the option `plans` of createService adds. */
export type PlanName = StandardPlanName | (string & Record<never, never>);

/** The name, the tier and all limits of a plan. Infinity means unlimited. */
export interface Plan extends CorePlan, PluginPlanLimits {}

interface PlanLimitOf<V extends number | boolean> {
  /** A sentence about the effect of the limit. */
  readonly description: string;
  /** The value for plans for which neither the program nor `plans` sets another value. */
  readonly default: V;
  /** Default values of single standard plans. `enterprise` has the value of `scale`. */
  readonly plans?: Readonly<Partial<Record<Exclude<StandardPlanName, 'enterprise'>, V>>>;
}

/** A number that a plugin adds to every plan, under its own name. */
export interface NumberPlanLimit extends PlanLimitOf<number> {
  /** The smallest allowed value. */
  readonly min: number;
}

/** A boolean that a plugin adds to every plan, under its own name. */
export type FeatureSwitch = PlanLimitOf<boolean>;

/** A limit that a plugin adds to every plan. */
export type PlanLimitDeclaration = NumberPlanLimit | FeatureSwitch;

/** The limits of a plan that the core defines. */
export interface CorePlan {
  readonly name: PlanName;
  /** The level of included features: 0 sandbox, 1 hobby, 2 pro, 3 scale, 4 enterprise and embedded. */
  readonly tier: number;
  /** Requests per second for each key: the rate at which its token bucket fills. */
  readonly keyRate: number;
  /** The size of the token bucket: how many requests one key may send at once. */
  readonly keyBurst: number;
  /** Requests per minute over all keys of the workspace. */
  readonly workspacePerMinute: number;
  /** Credits that are granted in each calendar month (UTC). */
  readonly monthlyCredits: number;
  /** Whether the Idempotency-Key is optional, even for operations that require it from tier 2 on. */
  readonly keyOptional: boolean;
}

/** The limits of a plan that the embedding program may set, in the configuration or for one workspace. */
export type PlanLimits = Partial<Omit<Plan, 'name' | 'tier'>>;

/** The plans of one service, by name. */
export type Plans = Readonly<Record<StandardPlanName, Plan>> & Readonly<Record<string, Plan>>;

/** A workspace as handlers see it. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  /** The plan. Limits that are set for this workspace replace the plan's limits. */
  readonly plan: Plan;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly defaultFrom: { readonly email: string; readonly name: string };
  /** Lower-cased domains that are allowed in From. The domain of `defaultFrom` is always one of them. */
  readonly sendingDomains: readonly string[];
  /** Set by the embedding program. */
  readonly settings: WorkspaceSettings;
  /**
   * The host of its public pages and forms, such as news.example.com, or www.example.com/news if they are below a path
   * of a site. If undefined, they are below `/p/{id}/`.
   */
  readonly contentHost?: string;
  readonly suspended: boolean;
}

/** The actor of a call. `keyId` is set for api and mcp actors. */
export interface Actor {
  readonly kind: 'api' | 'mcp' | 'dashboard' | 'service' | 'system';
  readonly keyId?: string;
  /** The mode of the key. A key with the mode mcp belongs to an agent, however it calls. */
  readonly keyMode?: 'live' | 'test' | 'mcp';
  readonly ip?: string;
  /** The MCP client's name and version (mcp), or the name that an in-process caller gave. */
  readonly client?: string;
  /** The user who installed the key (mcp), or the member who used a page (dashboard). */
  readonly user?: string;
  /** Whether the caller can get more scopes by asking its user, as an OAuth client can. A key cannot. */
  readonly canStepUp?: boolean;
  /** The uids of the members for whom the key may act. */
  readonly members?: readonly string[];
  /** The member for whom an in-process caller or a page acts. */
  readonly member?: string;
}
