// The plan table: its defaults, the embedding program's changes to them, and the program's own plans. Read once, when a service
// is composed; workspaces.ts applies the limits of one workspace on top.

import type {
  CorePlan,
  PlanLimitDeclaration,
  PlanLimits,
  PlanName,
  Plans,
  StandardPlanName,
} from '../contract/context/workspace.ts';
import { didYouMean } from '../contract/errors/suggestion.ts';

/** Limits that differ from the defaults. Infinity means unlimited. */
export interface PlanSettings extends PlanLimits {
  /**
   * Which features a plan of your own includes: 0 sandbox, 1 hobby, 2 pro, 3 scale, 4 everything. Required for a plan of your
   * own; the standard plans keep their tiers.
   */
  readonly tier?: number;
}

/** Settings by plan. A missing limit keeps its default. In a plan of your own, the default is the limit of `embedded`. */
export type PlanOverrides = Readonly<Partial<Record<StandardPlanName, PlanLimits>>> &
  Readonly<Record<string, PlanSettings>>;

const unlimited = Number.POSITIVE_INFINITY;

const sandbox: CorePlan = {
  name: 'sandbox',
  tier: 0,
  keyRate: unlimited,
  keyBurst: unlimited,
  workspacePerMinute: unlimited,
  monthlyCredits: unlimited,
  keyOptional: false,
};

const hobby: CorePlan = {
  name: 'hobby',
  tier: 1,
  keyRate: 30,
  keyBurst: 60,
  workspacePerMinute: 600,
  monthlyCredits: 100,
  keyOptional: false,
};

const pro: CorePlan = {
  name: 'pro',
  tier: 2,
  keyRate: 60,
  keyBurst: 120,
  workspacePerMinute: 1_800,
  monthlyCredits: 2_000,
  keyOptional: false,
};

const scale: CorePlan = {
  name: 'scale',
  tier: 3,
  keyRate: 120,
  keyBurst: 240,
  workspacePerMinute: 6_000,
  monthlyCredits: 20_000,
  keyOptional: false,
};

const embedded: CorePlan = {
  ...hobby,
  name: 'embedded',
  tier: 4,
  monthlyCredits: unlimited,
  keyOptional: true,
};

/**
 * The default plans, from the smallest to the largest. Enterprise limits are agreed with each customer; their defaults are the
 * limits of scale. `embedded` is for programs that do not resell: nothing is metered, every feature is included.
 */
export const defaultPlans: Readonly<Record<StandardPlanName, CorePlan>> = {
  sandbox,
  hobby,
  pro,
  scale,
  enterprise: { ...scale, name: 'enterprise', tier: 4 },
  embedded,
};

/** The plan of a workspace if the program names none. */
export const defaultPlan: StandardPlanName = 'embedded';

/** The name of the lowest plan with at least this tier, for messages that name the required plan. */
export const planOfTier = (tier: number): PlanName =>
  Object.values(defaultPlans).find((plan) => plan.tier >= tier)?.name ?? 'enterprise';

/** The minimum of each limit: a rate of 0 would refuse every request for ever. */
const min = {
  keyRate: Number.MIN_VALUE,
  keyBurst: 1,
  workspacePerMinute: 1,
  monthlyCredits: 0,
} satisfies Partial<Record<keyof CorePlan, number>>;

const coreSwitches: readonly string[] = ['keyOptional'];

/** The limits that plugins declare, by name. */
export type DeclaredPlanLimits = ReadonlyMap<string, PlanLimitDeclaration>;

const noPlanLimits: DeclaredPlanLimits = new Map();

/**
 * @param declared the limits that the composed plugins declare
 * @param where the name of the checked value in the program's call, such as `plans.pro`
 * @throws TypeError for an unknown limit or a wrong value
 */
export function checkPlanLimits(
  where: string,
  limits: unknown,
  declared: DeclaredPlanLimits = noPlanLimits,
): asserts limits is PlanLimits {
  const bounds = new Map<string, number>(Object.entries(min));
  const switches = [...coreSwitches];
  for (const [name, declaration] of declared)
    if ('min' in declaration) bounds.set(name, declaration.min);
    else switches.push(name);
  const limitNames = [...bounds.keys(), ...switches];
  if (typeof limits !== 'object' || limits === null || Array.isArray(limits)) {
    throw new TypeError(`${where} is an object of limits, such as { monthlyCredits: 10_000 }.`);
  }
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined) continue;
    if (switches.includes(name)) {
      if (typeof value !== 'boolean') throw new TypeError(`${where}.${name} is true or false.`);
      continue;
    }
    const minimum = bounds.get(name);
    if (minimum === undefined) {
      const suggestion = didYouMean(name, limitNames);
      throw new TypeError(`${where} has no limit ${name}.${suggestion} Available: ${limitNames.join(', ')}.`);
    }
    if (typeof value !== 'number' || !(value >= minimum)) {
      const bound = name === 'keyRate' ? 'more than 0' : `at least ${minimum}`;
      throw new TypeError(`${where}.${name} is a number of ${bound}, or Infinity for no limit.`);
    }
  }
}

/** Drops undefined members, which would override a default. */
const definedOnly = (limits: PlanLimits): PlanLimits =>
  Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));

/** Checks a plan that the program adds and fills in its limits. */
function createOwnPlan(name: string, settings: PlanSettings, declared: DeclaredPlanLimits): CorePlan {
  if (!/^[a-z][a-z0-9_-]{0,39}$/.test(name)) {
    throw new TypeError(
      `${JSON.stringify(name)} cannot be the name of a plan: use a letter, then letters, digits, _ and -, in lower case, 40 at most.`,
    );
  }
  const where = `plans.${name}`;
  const { tier, ...limits }: PlanSettings = typeof settings === 'object' && settings !== null ? settings : {};
  if (tier === undefined) {
    throw new TypeError(
      `There is no plan ${name}.${didYouMean(name, Object.keys(defaultPlans))} Available: ${Object.keys(defaultPlans).join(', ')}. A plan of your own says its tier, 0 to 4: plans: { ${name}: { tier: 2, … } }.`,
    );
  }
  if (!Number.isInteger(tier) || tier < 0 || tier > 4)
    throw new TypeError(`${where}.tier is a whole number from 0 to 4.`);
  checkPlanLimits(where, limits, declared);
  return { ...embedded, ...definedOnly(limits), name, tier };
}

/**
 * The plans of one service, with the limits that its plugins declare.
 * @throws TypeError for an unknown plan or an invalid limit
 */
export function resolvePlans(overrides: PlanOverrides = {}, declared: DeclaredPlanLimits = noPlanLimits): Plans {
  if (typeof overrides !== 'object' || overrides === null || Array.isArray(overrides)) {
    throw new TypeError('plans is an object of plans by name, such as { hobby: { monthlyCredits: 500 } }.');
  }
  const pluginLimitsOf = (plan: Exclude<StandardPlanName, 'enterprise'>): PlanLimits =>
    Object.fromEntries(
      [...declared].map(([name, declaration]) => [name, declaration.plans?.[plan] ?? declaration.default]),
    );
  const limitsOf = (plan: StandardPlanName): PlanLimits => {
    const limits = overrides[plan] ?? {};
    checkPlanLimits(`plans.${plan}`, limits, declared);
    return definedOnly(limits);
  };
  const ownPlans = Object.entries(overrides).flatMap(([name, settings]) =>
    Object.hasOwn(defaultPlans, name) || settings === undefined
      ? []
      : [[name, { ...pluginLimitsOf('embedded'), ...createOwnPlan(name, settings, declared) }] as const],
  );
  const scalePlan = { ...pluginLimitsOf('scale'), ...scale, ...limitsOf('scale') };
  const plans: Readonly<Record<string, CorePlan>> = {
    ...Object.fromEntries(ownPlans),
    sandbox: { ...pluginLimitsOf('sandbox'), ...sandbox, ...limitsOf('sandbox') },
    hobby: { ...pluginLimitsOf('hobby'), ...hobby, ...limitsOf('hobby') },
    pro: { ...pluginLimitsOf('pro'), ...pro, ...limitsOf('pro') },
    scale: scalePlan,
    enterprise: { ...scalePlan, ...limitsOf('enterprise'), name: 'enterprise', tier: 4 },
    embedded: { ...pluginLimitsOf('embedded'), ...embedded, ...limitsOf('embedded') },
  };
  // Each plan has the declared limits.
  return plans as Plans;
}

/** The faults of the option `plans`. */
export function planFaults(declared: DeclaredPlanLimits, overrides: unknown): string[] {
  try {
    resolvePlans(overrides as PlanOverrides | undefined, declared);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}
