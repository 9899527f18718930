import { defineErrors, notFound } from '../../core/index.ts';

export const errors = defineErrors({
  approval_not_found: notFound('request', 'GET /v1/approvals/requests'),
  member_not_allowed: {
    status: 403,
    type: 'permission_error',
    description:
      'The caller may not act for this member, or does not say which member it acts for. Use a key that was issued for the member.',
    message: (details: { reason: string }) => details.reason,
  },
  self_approval: {
    status: 403,
    type: 'permission_error',
    description:
      'The key or member that asked for an approval cannot decide on it. Another member must decide, with another key.',
    message: () => 'This key or this member asked for the approval and cannot decide on it. Another member has to.',
  },
  not_reviewer: {
    status: 403,
    type: 'permission_error',
    description:
      "The member is not in the workspace, or is not one of the policy's reviewers. Ask a reviewer to decide.",
    message: (details: { uid: string }) =>
      `The member ${details.uid} may not decide on this request: only the reviewers of its policy may, and only while they are members of the workspace.`,
  },
  policy_fixed: {
    status: 403,
    type: 'permission_error',
    description: 'The service is configured with a stricter policy. Set a policy that is at least as strict.',
    message: (details: { fields: readonly string[] }) =>
      `The service fixes a stricter policy for this: ${details.fields.join(', ')} cannot be weaker than it.`,
  },
  content_changed: {
    status: 409,
    type: 'conflict_error',
    description:
      'The content has changed since it was read or approved. Read the request again and decide on its current content.',
    // The message does not contain the current hash, because callers must read the request before they approve it.
    message: (details: { requestId: string }) =>
      `The content is not the content that was decided on. Read the request again: GET /v1/approvals/requests/${details.requestId}.`,
  },
});
