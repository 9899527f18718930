// The pages as HTML: the list of requests, and one request with its change. There is no script: a decision is a form post.
import type { HttpResponse } from '../../../core/index.ts';
import { escapeHtml, pageFrame, paragraph, plainResponse, type StartLink } from '../../../core/unstable.ts';
import type { RequestResource } from '../schema.ts';
import { markedDifference, textOf } from './differences.ts';
import { style } from './style.ts';

const document = pageFrame(style, { 'frame-src': "'self'", 'form-action': "'self'" });

/** A whole page. `body` is HTML. */
export function page(start: StartLink, title: string, body: string, status = 200, refresh = false): HttpResponse {
  const { service, startPage } = start;
  const names = [...(title === 'Approvals' ? [] : [title]), 'Approvals', service];
  const html = document.write({
    title: names.join(' · '),
    start,
    body: `${startPage === undefined ? `<header><p>${escapeHtml(service)}</p></header>\n` : ''}<main>
${body}
</main>`,
  });
  // The page has no script, so the browser reloads it until a job has carried out the approved call.
  const headers = refresh ? { ...document.headers, Refresh: '4' } : document.headers;
  return { ...plainResponse('text/html; charset=utf-8', html, headers), status };
}

/** `20 November 2026, 15:04 UTC` */
const time = (iso: string): string =>
  `<time datetime="${iso}">${new Date(iso).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC</time>`;

const states: Readonly<Record<RequestResource['status'], string>> = {
  pending: 'Waits for a decision',
  changes_requested: 'Changes requested',
  approved: 'Approved',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
};

const surfaces: Readonly<Record<RequestResource['surfaceKind'], string>> = {
  social_post: 'Social post',
  email_template: 'Email template',
  page: 'Page',
  blog_post: 'Blog post',
  sequence: 'Sequence',
  creation_strategy: 'Strategy',
  broadcast: 'Broadcast',
};

const who = ({ uid, keyId }: RequestResource['submittedBy'], names: Names): string =>
  escapeHtml(
    uid === null
      ? keyId === null
        ? 'the application'
        : (names.get(keyId) ?? `the key ${keyId}`)
      : (names.get(uid) ?? uid),
  );

/** The effect of an approval. */
function thenOf({ transition, surfaceKind }: RequestResource): string {
  if (transition === null)
    return 'Nothing becomes public by itself: someone who may publish does that, and that call does not wait again.';
  const done = 'The change is made in the requester’s name.';
  return surfaceKind === 'email_template'
    ? `${done} Waiting requests for a sequence that sends this template, or for a template in this layout, are then withdrawn: they are about the version before.`
    : done;
}

/** The reasons why a request ended, as text. */
const reasons: Readonly<Record<string, string>> = {
  content_changed: 'What was asked for changed meanwhile, or a template that it sends. Ask again for the present one.',
  policy_changed: 'The policy changed, and too few reviewers remained.',
  key_compromised: 'The key that asked for it was revoked as compromised.',
};

/** Names of members by uid, and of keys by id. */
export type Names = ReadonlyMap<string, string>;

/** The pending requests of one workspace. */
export interface WorkspaceRequests {
  readonly id: string;
  readonly name: string;
  /** The oldest requests. */
  readonly requests: readonly RequestResource[];
  /** The number of further pending requests. */
  readonly more: number;
  readonly names: Names;
}

/** The relative URL of the list itself. `way` is the relative URL of the pages below it. */
const hereOf = (way: string): string => (way === '' ? './' : way.slice(0, -1));

/** A page of the decided requests of one workspace. */
export interface DecidedRequestsPage {
  readonly id: string;
  readonly name: string;
  readonly requests: readonly RequestResource[];
  readonly names: Names;
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
  readonly isFirst: boolean;
}

const verbs = { approve: 'approved', reject: 'rejected', request_changes: 'asked for changes' } as const;

/** The members who decided, in a few words. Empty if the request was withdrawn or has expired. */
const decidedBy = ({ decisions }: RequestResource, names: Names): string =>
  decisions.map(({ uid, decision }) => ` · ${escapeHtml(names.get(uid) ?? uid)} ${verbs[decision]}`).join('');

/** The list of requests that are no longer pending. */
export function decidedListHtml(
  { id, name, requests, names, next, isFirst }: DecidedRequestsPage,
  way: string,
): string {
  const items = requests.map(
    (
      request,
    ) => `<li class="card"><a href="${way}${encodeURIComponent(id)}/${request.requestId}">${escapeHtml(request.summary)}</a>
<p><span class="state">${states[request.status]}</span> <span class="soft">${surfaces[request.surfaceKind]}${decidedBy(request, names)} · ${time(request.decidedAt ?? request.createdAt)}${request.sandbox ? ' · sandbox' : ''}</span></p></li>`,
  );
  const here = `${hereOf(way)}?decided=${encodeURIComponent(id)}`;
  const pages = [
    ...(isFirst ? [] : [`<a href="${here}">Newest</a>`]),
    ...(next === null ? [] : [`<a rel="next" href="${here}&amp;after=${encodeURIComponent(next)}">Older ones</a>`]),
  ];
  return `<p class="way"><a href="${hereOf(way)}">All approvals</a></p>
<h1>Decided</h1>
<section><h2>${escapeHtml(name)}</h2>
${items.length === 0 ? paragraph('Nothing was decided yet.', 'soft') : `<ul class="requests">${items.join('\n')}</ul>`}
${pages.length === 0 ? '' : `<p class="way">${pages.join(' ')}</p>`}</section>`;
}

/** The list. `way` is the relative URL of this page, with a slash at its end. */
export function listHtml(workspaces: readonly WorkspaceRequests[], way: string): string {
  const sections = workspaces.map(({ id, name, requests, more, names }) => {
    const items = requests.map(
      (
        request,
      ) => `<li class="card"><a href="${way}${encodeURIComponent(id)}/${request.requestId}">${escapeHtml(request.summary)}</a>
<p class="soft">${surfaces[request.surfaceKind]} · asked for by ${who(request.submittedBy, names)} · ${time(request.createdAt)}${request.sandbox ? ' · sandbox' : ''}</p></li>`,
    );
    const list =
      items.length === 0
        ? paragraph('Nothing waits for a decision.', 'soft')
        : `<ul class="requests">${items.join('\n')}</ul>`;
    const rest = more === 0 ? '' : paragraph(`These are the oldest; ${more} more wait.`, 'soft');
    const decided = `<p class="way"><a href="${hereOf(way)}?decided=${encodeURIComponent(id)}">Decided</a></p>`;
    return `<section><h2>${escapeHtml(name)}</h2>\n${list}${rest}${decided}</section>`;
  });
  return `<h1>Approvals</h1>\n${sections.join('\n') || paragraph('There is no workspace that you may see.', 'soft')}`;
}

const change = ({
  path,
  before,
  after,
}: {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}) =>
  `<div class="card change"><h3>${escapeHtml(path)}</h3><pre>${markedDifference(textOf(before), textOf(after))}</pre></div>`;

const frame = (title: string, url: string | undefined, subject: string | null): string => {
  const shown =
    url === undefined
      ? paragraph('Nothing.', 'soft')
      : `${subject === null ? '' : `<p><strong>${escapeHtml(subject)}</strong></p>`}<iframe title="${title}" sandbox src="${url}"></iframe>`;
  return `<div class="card"><h3>${title}</h3>${shown}</div>`;
};

/**
 * The subjects of the change on both sides, null for an empty side. Undefined if the change cannot be rendered; `another` if the
 * content is not the content that was decided on.
 */
type ChangeView =
  | { readonly before: { subject: string | null } | null; readonly after: { subject: string | null } | null }
  | 'another'
  | undefined;

function sidesHtml(view: ChangeView, own: string, title = 'Side by side'): string {
  if (view === undefined || view === 'another') return '';
  const { before, after } = view;
  const one = before === null || after === null ? ' one' : '';
  return `<h2>${title}</h2><div class="sides${one}">${frame('Before', before === null ? undefined : `${own}/before`, before?.subject ?? null)}${frame('After', after === null ? undefined : `${own}/after`, after?.subject ?? null)}</div>`;
}

function decidedHtml(view: ChangeView, own: string): string {
  if (view === undefined) return '';
  if (view === 'another')
    return `<h2>What was decided on</h2>${paragraph('The content has changed since, and how it looked then is not kept.', 'soft')}`;
  if (view.before !== null) return sidesHtml(view, own, 'What was decided on');
  const { after } = view;
  return `<h2>What was decided on</h2><div class="sides one">${frame('Content', after === null ? undefined : `${own}/after`, after?.subject ?? null)}</div>`;
}

/** The data for the page of one request. */
export interface ApprovalRequestView {
  readonly request: RequestResource;
  /** The earlier request for the same target, which was turned down. */
  readonly earlier: RequestResource | undefined;
  readonly names: Names;
  readonly view: ChangeView;
  /** The uid of the visiting member. */
  readonly member: string | undefined;
  /** The decision that was last sent without its comment. */
  readonly missing: 'request_changes' | 'reject' | undefined;
  /** Why the last decision was refused for another reason. */
  readonly refusal: string | undefined;
  readonly isDone: boolean;
}

/** The messages if the comment is missing. */
const asksFor = { request_changes: 'Describe the changes to make.', reject: 'Say why you reject it.' } as const;

function decisionForm({ request, member, missing }: ApprovalRequestView): string {
  if (request.status !== 'pending') return '';
  if (member === undefined)
    return `<h2 id="decide">Decide</h2>${paragraph('You are signed in, but are not a member of this workspace: you can look, but not decide.', 'note')}`;
  const fault = missing === undefined ? '' : `<p class="fault" id="fault" role="alert">${asksFor[missing]}</p>\n`;
  const marks = missing === undefined ? '' : ' aria-invalid="true" aria-describedby="fault" autofocus';
  // The browser requires the comment; approving needs none.
  return `<h2 id="decide">Decide</h2>
<form method="post" action="${request.requestId}">
<input type="hidden" name="contentHash" value="${escapeHtml(request.contentHash)}">
<label for="comment">Comment <span class="soft">(not needed to approve)</span></label>
${fault}<textarea id="comment" name="comment" maxlength="2000" required${marks}></textarea>
<div class="buttons">
<button name="decision" value="approve" formnovalidate>Approve</button>
<button class="plain" name="decision" value="request_changes">Ask for changes</button>
<button class="out" name="decision" value="reject">Reject</button>
</div>
</form>`;
}

function decisionItems({ decisions }: RequestResource, names: Names): string {
  const items = decisions.map(
    ({ uid, decision, comment, at }) =>
      `<li class="card"><p><strong>${escapeHtml(names.get(uid) ?? uid)}</strong> ${verbs[decision]} · ${time(at)}</p>${comment === null ? '' : paragraph(comment)}</li>`,
  );
  return `<ul class="requests">${items.join('')}</ul>`;
}

const decisionsHtml = ({ request, names }: ApprovalRequestView): string =>
  request.decisions.length === 0 ? '' : `<h2>Decisions</h2>${decisionItems(request, names)}`;

/** The earlier request with its decisions, for members who did not decide then. */
const earlierHtml = ({ earlier, names }: ApprovalRequestView): string =>
  earlier === undefined
    ? ''
    : `<h2>Earlier request</h2>
<p><a href="${earlier.requestId}">${escapeHtml(earlier.summary)}</a> <span class="state">${states[earlier.status]}</span></p>
${decisionItems(earlier, names)}`;

function executionWords({ status, error }: NonNullable<RequestResource['execution']>): string {
  if (error !== null) return `failed: ${error}`;
  return status === 'waiting' ? 'in a moment; this page looks again by itself' : status;
}

/**
 * The page of one request. `list` is the relative URL of the list. `own` is the relative URL of this page, without a slash at its
 * end.
 */
export function requestHtml(shown: ApprovalRequestView, list: string, own: string): string {
  const { request, names, view, refusal, isDone } = shown;
  const { rule, diff, execution, note } = request;
  const needs = `${rule.minApprovals} ${rule.minApprovals === 1 ? 'approval' : 'approvals'} of ${
    rule.reviewers.length === 0 ? 'any member' : rule.reviewers.map((uid) => names.get(uid) ?? uid).join(', ')
  }`;
  const rows: [string, string][] = [
    ['Asked for by', `${who(request.submittedBy, names)}, ${time(request.createdAt)}`],
    ['Needs', escapeHtml(needs)],
    ['Decide until', time(request.expiresAt)],
    ...(request.status === 'pending' ? [['After the approval', thenOf(request)] as [string, string]] : []),
    ...(note === null ? [] : [['Note', escapeHtml(note)] as [string, string]]),
    ...(request.reason === null
      ? []
      : [['Reason', escapeHtml(reasons[request.reason] ?? request.reason)] as [string, string]]),
    ...(execution === null ? [] : [['Carried out', escapeHtml(executionWords(execution))] as [string, string]]),
  ];
  const isOpen = request.status === 'pending';
  const sides = isOpen ? sidesHtml(view, own) : decidedHtml(view, own);
  const changes =
    diff === null
      ? paragraph(
          isOpen ? 'Nothing is public yet.' : 'Nothing was public before, or the differences are no longer kept.',
          'soft',
        )
      : diff.length === 0
        ? paragraph(`The content ${isOpen ? 'is' : 'was'} the one that is public.`, 'soft')
        : diff.map(change).join('\n');
  return `<p class="way"><a href="${list}">All approvals</a></p>
${isDone ? '<p class="note" role="status">Your decision is stored.</p>' : ''}
${refusal === undefined ? '' : `<p class="note error" role="alert">${escapeHtml(refusal)}</p>`}
<h1>${escapeHtml(request.summary)}</h1>
<p><span class="state">${states[request.status]}</span>${request.sandbox ? ' <span class="state">Sandbox</span>' : ''}${request.status === 'pending' ? ' <a href="#decide">Decide</a>' : ''}</p>
<dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')}</dl>
${earlierHtml(shown)}
<h2>What changes</h2>
${changes}
${sides}
${decisionsHtml(shown)}
${decisionForm(shown)}`;
}
