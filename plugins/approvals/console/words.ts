// Requests for approval in the words of the people who decide: states, kinds, who asked, what happens next. Pure.
import type { ConsoleContext } from '../../../core/index.ts';
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
  content_changed: 'What was asked for has changed since, or a template that it sends. Ask again for the present one.',
  policy_changed: 'The policy changed, and too few reviewers remained.',
  key_compromised: 'The key that asked for it was revoked as compromised.',
};

/** Why a request ended. */
export const reasonText = (reason: string | null): string | null =>
  reason === null ? null : (reasons[reason] ?? reason);

/** Names of members by uid. Empty if the person may not list members. */
export async function memberNames({ mayCall, calls }: ConsoleContext): Promise<ReadonlyMap<string, string>> {
  if (!mayCall('workspace.members')) return new Map();
  const { data } = await calls.workspace.members({ limit: 100 });
  return new Map(data.map(({ uid, name }) => [uid, name]));
}

/** Who asked for it. */
export function askedBy(
  { submittedBy: { uid, keyId } }: Pick<RequestResource, 'submittedBy'>,
  names: ReadonlyMap<string, string>,
): Html {
  if (uid !== null) return html`<span dir="auto">${names.get(uid) ?? uid}</span>`;
  return keyId === null ? html`the application` : html`the key <code class="id">${keyId}</code>`;
}

/** What an approval does. */
export function effectOf({ transition, surfaceKind }: RequestResource): string {
  if (transition === null)
    return 'Nothing becomes public by itself: someone who may publish does that, and that call does not wait again.';
  const done = 'The change is made in the requester’s name.';
  return surfaceKind === 'email_template'
    ? `${done} Waiting requests for a sequence that sends this template, or for a template in this layout, are then withdrawn: they are about the version before.`
    : done;
}

/** How many approvals a request needs, and whose. */
export function needsText({ rule }: RequestResource, names: ReadonlyMap<string, string>): Html {
  const { minApprovals, reviewers } = rule;
  const from =
    reviewers.length === 0
      ? 'any member'
      : joined(
          reviewers.map((uid) => names.get(uid) ?? uid),
          ', ',
        );
  return html`${minApprovals} ${minApprovals === 1 ? 'approval' : 'approvals'} of ${from}`;
}
