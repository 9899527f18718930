// The job kinds of a run.
export const planGateKind = 'content_plan.plan_gate';
export const applyKind = 'content_plan.apply';
