// The rule of the two limits of a request, for limit stores: how full they are, and how a decision changes them.
export * from '../../core/contract/values/limit-rule.ts';
