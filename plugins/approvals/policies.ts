// The effective policy of a content kind: the workspace's policy, but never weaker than the policy that the program fixes. Also
// the rule of a request, which later policies can only tighten.
import {
  type Actor,
  type ContentKindId,
  checkOptions,
  type OptionNeeds,
  type WorkspaceHandle,
  z,
} from '../../core/index.ts';
import { contentKindIds } from './content-kinds.ts';
import type { FixedPolicies } from './options.ts';
import { openPolicy, type PolicyValues, policyBody } from './schema.ts';
import { type DecisionRow, type PolicyRow, policyRows } from './tables.ts';

/** The number of required approvals, and the members who may give them. An empty list of reviewers means every member. */
export interface Rule {
  readonly minApprovals: number;
  readonly reviewers: readonly string[];
}

/** The first fault as text. */
const faultOf = (error: z.ZodError | undefined): string => {
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return 'It requires more approvals than it has reviewers.';
  const at = issue.path.join('.');
  return at === '' ? issue.message : `${at}: ${issue.message}`;
};

/** The policy that the program fixes. It holds calls unless `required` is false. */
const fixedPolicy = policyBody.extend({ required: z.boolean().default(true) }).strict();

const valuesOf = (row: PolicyRow): PolicyValues => ({
  required: row.required,
  minApprovals: row.min_approvals,
  reviewers: [...row.reviewers],
  appliesTo: row.applies_to,
  expiresAfterHours: row.expires_after_hours,
});

/** The reviewers in both lists. An empty list means every member. Undefined if no reviewer is left. */
function commonReviewers(one: readonly string[], other: readonly string[]): readonly string[] | undefined {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one;
  const both = one.filter((uid) => other.includes(uid));
  return both.length === 0 ? undefined : both;
}

/** A rule tightened by a later policy; undefined if too few reviewers remain. */
export function tightenRule(rule: Rule, policy: PolicyValues): Rule | undefined {
  if (!policy.required) return rule;
  const minApprovals = Math.max(rule.minApprovals, policy.minApprovals);
  const reviewers = commonReviewers(rule.reviewers, policy.reviewers);
  if (reviewers === undefined || (reviewers.length > 0 && reviewers.length < minApprovals)) return undefined;
  return { minApprovals, reviewers };
}

/** The number of approvals among these decisions by members who may decide under the rule. */
export const approvalsUnder = (
  { reviewers }: Rule,
  decisions: readonly Pick<DecisionRow, 'uid' | 'decision'>[],
): number =>
  decisions.filter(({ uid, decision }) => decision === 'approve' && (reviewers.length === 0 || reviewers.includes(uid)))
    .length;

/**
 * Every content kind is an optional field. The check refuses other names, because a policy for a misspelt kind would
 * hold no calls.
 */
const surfaceNeeds = Object.fromEntries(contentKindIds.map((kind) => [kind, 'optional'])) as OptionNeeds<FixedPolicies>;

/** Reads the policies of one service. */
export class Policies {
  readonly #fixed: ReadonlyMap<ContentKindId, PolicyValues>;

  /** @throws TypeError for an invalid policy */
  constructor(fixed: FixedPolicies) {
    checkOptions<FixedPolicies>('approvalsPlugin: policies', fixed, surfaceNeeds);
    this.#fixed = new Map(
      Object.entries(fixed).map(([kind, policyInput]) => {
        const checked = fixedPolicy.safeParse(policyInput);
        if (!checked.success || lacksReviewers(checked.data))
          throw new TypeError(`approvalsPlugin: the policy of ${kind} is not valid. ${faultOf(checked.error)}`);
        return [kind as ContentKindId, checked.data];
      }),
    );
  }

  /** The effective policy: the stricter value of the workspace's policy and the fixed policy in each field. */
  effective(kind: ContentKindId, row: PolicyRow | undefined): PolicyValues {
    const values = row === undefined ? openPolicy : valuesOf(row);
    const fixed = this.#fixed.get(kind);
    if (fixed === undefined || !fixed.required) return values;
    if (!values.required) return fixed;
    const rule = tightenRule(values, fixed) ?? fixed;
    return {
      ...values,
      minApprovals: rule.minApprovals,
      reviewers: [...rule.reviewers],
      appliesTo: fixed.appliesTo === 'all' ? 'all' : values.appliesTo,
    };
  }

  /** The fields in which a policy would be weaker than the fixed one. */
  weakerFields(kind: ContentKindId, policy: PolicyValues): string[] {
    const fixed = this.#fixed.get(kind);
    if (fixed === undefined || !fixed.required) return [];
    const areAllowed = policy.reviewers.length > 0 && policy.reviewers.every((uid) => fixed.reviewers.includes(uid));
    return [
      ...(policy.required ? [] : ['required']),
      ...(policy.minApprovals < fixed.minApprovals ? ['minApprovals'] : []),
      ...(fixed.reviewers.length === 0 || areAllowed ? [] : ['reviewers']),
      ...(fixed.appliesTo === 'all' && policy.appliesTo === 'agents' ? ['appliesTo'] : []),
    ];
  }

  /** Reads the effective policy with one look-up. */
  async read(handle: WorkspaceHandle, kind: ContentKindId): Promise<PolicyValues> {
    return this.effective(kind, await policyRows.find(handle, kind));
  }
}

/** Whether a policy names fewer reviewers than it needs approvals. */
export const lacksReviewers = ({ reviewers, minApprovals }: PolicyValues): boolean =>
  reviewers.length > 0 && reviewers.length < minApprovals;

/** Whether the policy holds calls of this caller. */
export function holdsCallsOf({ required, appliesTo }: PolicyValues, { kind, keyMode, member }: Actor): boolean {
  if (!required) return false;
  if (appliesTo === 'agents') return kind === 'mcp' || keyMode === 'mcp';
  return kind !== 'service' || member !== undefined;
}
