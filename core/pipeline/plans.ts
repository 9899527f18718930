// The plan table: its defaults, and the embedding program's own figures over them. Read once, when a service is composed.
import type { Plan, PlanName, Plans } from '../contract/workspace.ts';

/** The figures of a plan that the embedding program may set. Infinity means unlimited. */
export type PlanFigures = Partial<Omit<Plan, 'name' | 'tier'>>;

/** Figures by plan. A missing figure keeps its default; `enterprise` defaults to the configured figures of scale. */
export type PlanOverrides = Readonly<Partial<Record<PlanName, PlanFigures>>>;

const unlimited = Number.POSITIVE_INFINITY;

const sandbox: Plan = {
  name: 'sandbox',
  tier: 0,
  keyRate: unlimited,
  keyBurst: unlimited,
  workspacePerMinute: unlimited,
  monthlySendBudget: unlimited,
  monthlyCredits: unlimited,
  customDomains: false,
};

const hobby: Plan = {
  name: 'hobby',
  tier: 1,
  keyRate: 30,
  keyBurst: 60,
  workspacePerMinute: 600,
  monthlySendBudget: 3_000,
  monthlyCredits: 100,
  customDomains: true,
};

const pro: Plan = {
  name: 'pro',
  tier: 2,
  keyRate: 60,
  keyBurst: 120,
  workspacePerMinute: 1_800,
  monthlySendBudget: 50_000,
  monthlyCredits: 2_000,
  customDomains: true,
};

const scale: Plan = {
  name: 'scale',
  tier: 3,
  keyRate: 120,
  keyBurst: 240,
  workspacePerMinute: 6_000,
  monthlySendBudget: 500_000,
  monthlyCredits: 20_000,
  customDomains: true,
};

/** The table of the conventions. Enterprise figures are agreed with each customer; the default is those of scale. */
export const defaultPlans: Plans = {
  sandbox,
  hobby,
  pro,
  scale,
  enterprise: { ...scale, name: 'enterprise', tier: 4 },
};

/** The name of the lowest plan with at least this tier, for messages that name the required plan. */
export const planOfTier = (tier: number): PlanName =>
  Object.values(defaultPlans).find((plan) => plan.tier >= tier)?.name ?? 'enterprise';

/** The minimum of each figure: a rate of 0 would refuse every request for ever. */
const least = {
  keyRate: Number.MIN_VALUE,
  keyBurst: 1,
  workspacePerMinute: 1,
  monthlySendBudget: 0,
  monthlyCredits: 0,
} satisfies Partial<Record<keyof Plan, number>>;

const isFigure = (name: string): name is keyof typeof least => Object.hasOwn(least, name);

function checkFigures(plan: PlanName, figures: PlanFigures): void {
  for (const [name, value] of Object.entries(figures)) {
    if (name === 'customDomains') {
      if (typeof value !== 'boolean') throw new TypeError(`plans.${plan}.customDomains is true or false.`);
    } else if (!isFigure(name)) {
      throw new TypeError(
        `plans.${plan} has no figure ${name}. There are: ${[...Object.keys(least), 'customDomains'].join(', ')}.`,
      );
    } else if (typeof value !== 'number' || !(value >= least[name])) {
      const bound = name === 'keyRate' ? 'more than 0' : `at least ${least[name]}`;
      throw new TypeError(`plans.${plan}.${name} is a number of ${bound}, or Infinity for no limit.`);
    }
  }
}

/** Drops undefined members, which would override a default. */
const given = (figures: PlanFigures): PlanFigures =>
  Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== undefined));

/** The plan table of one service. @throws TypeError for an unknown plan or an invalid figure */
export function resolvePlans(overrides: PlanOverrides = {}): Plans {
  const figuresOf = (plan: PlanName): PlanFigures => {
    const figures = given(overrides[plan] ?? {});
    checkFigures(plan, figures);
    return figures;
  };
  for (const name of Object.keys(overrides)) {
    if (Object.hasOwn(defaultPlans, name)) continue;
    throw new TypeError(`There is no plan ${name}. There are: ${Object.keys(defaultPlans).join(', ')}.`);
  }
  const scaled = { ...scale, ...figuresOf('scale') };
  return {
    sandbox: { ...sandbox, ...figuresOf('sandbox') },
    hobby: { ...hobby, ...figuresOf('hobby') },
    pro: { ...pro, ...figuresOf('pro') },
    scale: scaled,
    enterprise: { ...scaled, ...figuresOf('enterprise'), name: 'enterprise', tier: 4 },
  };
}
