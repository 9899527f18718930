// The schemas of policies, requests and decisions as callers send and receive them.
import { isoTime, z } from '../../core/index.ts';
import { contentKindIds } from './content-kinds.ts';

export const contentKindId = z.enum(contentKindIds).describe('The kind of content.');
export const memberUid = z.string().min(1).max(200);
export const actingAsMemberUid = memberUid
  .optional()
  .describe('A member of the key, for whom the call acts. (Default: its only member)');
export const noteText = z.string().trim().max(2_000);

export const requestStatus = z.enum(['pending', 'changes_requested', 'approved', 'rejected', 'withdrawn', 'expired']);
export type RequestStatus = z.output<typeof requestStatus>;

export const decisionKind = z.enum(['approve', 'request_changes', 'reject']);
export type DecisionKind = z.output<typeof decisionKind>;

const reviewers = z.array(memberUid).max(50);

/** The values of a content kind without a policy: submitted content needs one approval by any member. */
export const openPolicy = {
  required: false,
  minApprovals: 1,
  reviewers: [] as string[],
  appliesTo: 'all',
  expiresAfterHours: 168,
} as const;

/** The values of a policy. */
export const policyBody = z.object({
  required: z
    .boolean()
    .default(openPolicy.required)
    .describe('Whether calls that make this public wait for a decision.'),
  minApprovals: z.int().min(1).max(10).default(openPolicy.minApprovals),
  reviewers: reviewers
    .default(openPolicy.reviewers)
    .describe('Uids of the members who may decide; empty: every member.'),
  appliesTo: z
    .enum(['all', 'agents'])
    .default(openPolicy.appliesTo)
    .describe(
      'agents: calls through the MCP endpoint, and every call with a key of the mode mcp. Calls of the embedding program without a member are never held.',
    ),
  expiresAfterHours: z.int().min(1).max(720).default(openPolicy.expiresAfterHours),
});

export const policyResource = policyBody
  .extend({
    surfaceKind: contentKindId,
    updatedAt: isoTime.nullable(),
    updatedBy: z.string().nullable().describe('The uid of the member, or the id of the key.'),
  })
  .meta({ id: 'ApprovalPolicy' });

/** One difference. */
export const diffEntry = z.object({ path: z.string(), before: z.unknown(), after: z.unknown() });
export type DiffEntry = z.output<typeof diffEntry>;

const requestResourceObject = z
  .object({
    requestId: z.string().describe('Prefix apr_.'),
    surfaceKind: contentKindId,
    target: z.object({ kind: z.string(), id: z.string() }),
    transition: z
      .object({ operation: z.string(), input: z.record(z.string(), z.unknown()) })
      .nullable()
      .describe('The call that runs after the approval; null where only the content was submitted.'),
    status: requestStatus,
    reason: z
      .string()
      .nullable()
      .describe(
        'For a withdrawn request: content_changed, policy_changed, key_compromised, or the note of the caller that withdrew it.',
      ),
    contentHash: z.string().describe('SHA-256 of the canonical JSON of the content, in hex.'),
    summary: z.string(),
    note: z.string().nullable().describe('A note from the requester.'),
    diff: z
      .array(diffEntry)
      .nullable()
      .describe(
        'At most 100 differences from the public content, with texts cut at 2,000 characters; null if nothing is public, and after 90 days.',
      ),
    rule: z.object({ minApprovals: z.int(), reviewers: z.array(z.string()) }),
    submittedBy: z.object({ uid: z.string().nullable(), keyId: z.string().nullable() }),
    decisions: z.array(
      z.object({ uid: z.string(), decision: decisionKind, comment: z.string().nullable(), at: isoTime }),
    ),
    execution: z
      .object({
        status: z.enum(['waiting', 'done', 'failed']),
        at: isoTime.nullable(),
        error: z.string().nullable().describe('The error code of the check that failed.'),
      })
      .nullable(),
    supersedes: z.string().nullable().describe('The earlier request for the same target that was turned down.'),
    sandbox: z.boolean(),
    createdAt: isoTime,
    decidedAt: isoTime.nullable(),
    expiresAt: isoTime,
  })
  .meta({ id: 'ApprovalRequest' });

export interface RequestResource extends z.output<typeof requestResourceObject> {}
export const requestResource: z.ZodType<RequestResource> = requestResourceObject;
export type PolicyValues = z.output<typeof policyBody>;
