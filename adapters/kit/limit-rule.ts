// The rule of the two limits of a request, for stores of limits: how full they are, and what a decision changes.
export * from '../../core/contract/limit-rule.ts';
