// The kinds of jobs of a run.
export const planGateKind = 'content_plan.plan_gate';
export const failRunKind = 'content_plan.fail_run';
export const applyKind = 'content_plan.apply';
