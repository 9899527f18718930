// The words of the console for requests for approval: states, kinds, requesters and effects. Pure.
import { type Html, html, joined, type PillTone, pill } from '../../../core/unstable.ts';
import type { RequestResource } from '../schema.ts';

const states: Readonly<Record<RequestResource['status'], readonly [words: string, tone: PillTone]>> = {
  pending: ['Waits for a decision', 'wait'],
  changes_requested: ['Changes requested', 'bad'],
  approved: ['Approved', 'good'],
  rejected: ['Rejected', 'bad'],
  withdrawn: ['Withdrawn', 'plain'],
  expired: ['Expired', 'plain'],
};

/** The state of a request. */
export const statePill = ({ status }: Pick<RequestResource, 'status'>): Html => pill(...states[status]);

export const kindWords: Readonly<Record<RequestResource['surfaceKind'], string>> = {
  social_post: 'Social post',
  email_template: 'Email template',
  page: 'Page',
  blog_post: 'Blog post',
  sequence: 'Sequence',
  creation_strategy: 'Strategy',
  broadcast: 'Broadcast',
};

export const decisionWords = { approve: 'approved', reject: 'rejected', request_changes: 'asked for changes' } as const;

const reasons: Readonly<Record<string, string>> = {
  content_changed:
    'The content has changed since, or a template that it sends has changed. Ask again for the current content.',
  policy_changed: 'The policy was changed, and too few reviewers remained.',
  key_compromised: 'The key that asked for it was revoked as compromised.',
};

/** The reason why a request ended, in words. */
export const reasonText = (reason: string | null): string | null =>
  reason === null ? null : (reasons[reason] ?? reason);

/** The requester, as words for a page. */
export function requesterText(
  { submittedBy: { uid, keyId } }: Pick<RequestResource, 'submittedBy'>,
  names: ReadonlyMap<string, string>,
): Html {
  if (uid !== null) return html`<span dir="auto">${names.get(uid) ?? uid}</span>`;
  return keyId === null ? html`the application` : html`the key <code class="id">${keyId}</code>`;
}

/** The effect of an approval, as a sentence for a page. */
export function effectOf({ transition, surfaceKind }: RequestResource): string {
  if (transition === null)
    return 'The approval publishes nothing by itself. Afterwards, someone who may publish the content publishes it, and that call does not wait again.';
  const effect = 'The change is made in the requester’s name.';
  return surfaceKind === 'email_template'
    ? `${effect} Waiting requests for a sequence that sends this template, or for a template in this layout, are then withdrawn, because they refer to the previous version.`
    : effect;
}

/** The number of approvals that a request needs, and the members who may give them. */
export function needsText({ rule }: RequestResource, names: ReadonlyMap<string, string>): Html {
  const { minApprovals, reviewers } = rule;
  const approvers =
    reviewers.length === 0
      ? 'any member'
      : joined(
          reviewers.map((uid) => names.get(uid) ?? uid),
          ', ',
        );
  return html`${minApprovals} ${minApprovals === 1 ? 'approval' : 'approvals'} of ${approvers}`;
}
