// A workspace and its plan as the pipeline and handlers see them. Read once for each call.

/** The names of the table in 00-conventions.md; `sandbox` is a plan too. */
export type PlanName = 'sandbox' | 'hobby' | 'pro' | 'scale' | 'enterprise';

/** What a plan grants. Infinity means unlimited. */
export interface Plan {
  readonly name: PlanName;
  /** 0 sandbox, 1 hobby, 2 pro, 3 scale, 4 enterprise. */
  readonly tier: number;
  /** Requests a second for each key, and the size of the token bucket. */
  readonly keyRate: number;
  readonly keyBurst: number;
  /** Requests a minute over all keys. */
  readonly workspacePerMinute: number;
  readonly monthlySendBudget: number;
  readonly monthlyCredits: number;
  readonly customDomains: boolean;
}

/** The plan table as configuration: `enterprise` defaults to the figures of scale. */
export type Plans = Readonly<Record<PlanName, Plan>>;

/** Settings of a workspace, made by the embedding program. */
export interface WorkspaceSettings {
  /** Whether an unsubscribe stops everything (default) or marketing only. */
  readonly unsubscribeScope?: 'all' | 'marketing';
}

/** A workspace as handlers see it. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly defaultFrom: { readonly email: string; readonly name: string };
  /** Lower-cased domains that may stand in From; the domain of `defaultFrom` is always among them. */
  readonly sendingDomains: readonly string[];
  readonly settings: WorkspaceSettings;
  readonly suspended: boolean;
}

/** The actor of a call. `key_id` is set for api and mcp actors. */
export interface Actor {
  readonly kind: 'api' | 'mcp' | 'dashboard' | 'service' | 'system';
  readonly keyId?: string;
  readonly ip?: string;
  /** The MCP client's name and version (mcp), or the name that an in-process caller gave. */
  readonly client?: string;
  /** The user who installed the key (mcp). */
  readonly user?: string;
}
