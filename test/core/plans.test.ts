// The figures (limits) of the default plans compared with the documentation, and figures that the embedding program sets.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type PlanOverrides, resolvePlans } from '../../core/pipeline/plans.ts';
import { emailPlugin } from '../../plugins/email/index.ts';
import { linksPlugin } from '../../plugins/links/index.ts';

const test = suite('plans');
const unlimited = Number.POSITIVE_INFINITY;
const declaredLimits = new Map([emailPlugin(), linksPlugin()].flatMap(({ planLimits }) => Object.entries(planLimits)));
const plansWith = (overrides?: PlanOverrides) => resolvePlans(overrides, declaredLimits);
const defaultPlans = plansWith();

test('the default plans have the documented figures', () => {
  const rows = (['sandbox', 'hobby', 'pro', 'scale', 'enterprise', 'embedded'] as const)
    .map((name) => defaultPlans[name])
    .map((plan) => [
      plan.name,
      plan.keyRate,
      plan.keyBurst,
      plan.workspacePerMinute,
      plan.monthlySendBudget,
      plan.monthlyCredits,
      plan.tier,
      plan.customDomains,
      plan.keyOptional,
    ]);
  assert.equal(rows, [
    ['sandbox', unlimited, unlimited, unlimited, unlimited, unlimited, 0, false, false],
    ['hobby', 30, 60, 600, 3_000, 100, 1, true, false],
    ['pro', 60, 120, 1_800, 50_000, 2_000, 2, true, false],
    ['scale', 120, 240, 6_000, 500_000, 20_000, 3, true, false],
    ['enterprise', 120, 240, 6_000, 500_000, 20_000, 4, true, false],
    ['embedded', 30, 60, 600, unlimited, unlimited, 4, true, true],
  ]);
});

test('without overrides, the defaults apply', () => {
  assert.equal(plansWith({}), defaultPlans);
  assert.equal(
    plansWith({ pro: { keyRate: undefined } as unknown as PlanOverrides['pro'] } as PlanOverrides),
    defaultPlans,
  );
});

test('an override replaces exactly its figure', () => {
  const plans = plansWith({ hobby: { monthlySendBudget: 10, customDomains: false } });
  assert.equal(plans.hobby, { ...defaultPlans.hobby, monthlySendBudget: 10, customDomains: false });
  assert.equal({ ...plans, hobby: defaultPlans.hobby }, defaultPlans);
  assert.is(defaultPlans.hobby.monthlySendBudget, 3_000);
});

test('enterprise gets the figures of scale with their overrides, and then its own', () => {
  const plans = plansWith({ scale: { keyRate: 500 }, enterprise: { monthlyCredits: unlimited } });
  assert.is(plans.enterprise.keyRate, 500);
  assert.is(plans.enterprise.monthlyCredits, unlimited);
  assert.is(plans.scale.monthlyCredits, 20_000);
  assert.is(plans.enterprise.tier, 4);
  assert.is(plans.enterprise.name, 'enterprise');
});

test('an unknown plan and an invalid figure are refused, and the error names them', () => {
  const refuses = (overrides: unknown, message: RegExp): void => {
    assert.throws(
      () => plansWith(overrides as PlanOverrides),
      (error: Error) => message.test(error.message),
    );
  };
  refuses({ premium: {} }, /no plan premium.*enterprise/);
  refuses({ toString: {} }, /"toString" cannot be the name of a plan/);
  refuses({ pro: { rate: 1 } }, /plans\.pro has no limit rate.*keyRate/);
  refuses({ pro: { tier: 9 } }, /plans\.pro has no limit tier/);
  refuses({ pro: { name: 'hobby' } }, /plans\.pro has no limit name/);
  refuses({ pro: { keyRate: 0 } }, /plans\.pro\.keyRate is a number of more than 0/);
  refuses({ pro: { keyRate: Number.NaN } }, /plans\.pro\.keyRate/);
  refuses({ pro: { keyBurst: 0.5 } }, /plans\.pro\.keyBurst is a number of at least 1/);
  refuses({ pro: { workspacePerMinute: -1 } }, /workspacePerMinute/);
  refuses({ pro: { monthlySendBudget: '5' } }, /monthlySendBudget/);
  refuses({ pro: { customDomains: 1 } }, /customDomains is true or false/);
});

test('a custom plan names its tier, and takes omitted figures from the plan embedded', () => {
  const { team } = plansWith({ team: { tier: 2, monthlySendBudget: 20_000 } });
  assert.equal(team, { ...defaultPlans.embedded, name: 'team', tier: 2, monthlySendBudget: 20_000 });
  const refuses = (overrides: unknown, message: RegExp): void => {
    assert.throws(
      () => plansWith(overrides as PlanOverrides),
      (error: Error) => message.test(error.message),
    );
  };
  refuses({ hoby: { monthlySendBudget: 5 } }, /no plan hoby\. Did you mean hobby\?.*A plan of your own says its tier/);
  refuses({ team: { tier: 5 } }, /plans\.team\.tier is a whole number from 0 to 4/);
  refuses({ 'Team A': { tier: 1 } }, /cannot be the name of a plan/);
  refuses({ team: { tier: 1, monthlySendBuget: 5 } }, /no limit monthlySendBuget\. Did you mean monthlySendBudget\?/);
  refuses([], /plans is an object of plans by name/);
});

test('a budget of zero is a valid figure', () => {
  assert.is(plansWith({ hobby: { monthlyCredits: 0 } }).hobby.monthlyCredits, 0);
});

test.run();
