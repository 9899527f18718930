// The page of connected apps as HTML. There is no script: ending a connection is a form post.
import type { ScopesPort, z } from '../../../core/index.ts';
import { type Html, html } from '../../../core/unstable.ts';
import type { grantResource } from '../schema.ts';
import { tokenField } from './form-token.ts';
import { limitWords, rightsList } from './grant-words.ts';

import type { SignedInVisitor } from './visitor.ts';

const minuteOf = (at: string): Html => html`<time datetime="${at}">${at.slice(0, 16).replace('T', ' ')}</time> UTC`;

/** One grant of the member. */
export interface ConnectedApp {
  readonly grant: z.input<typeof grantResource>;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly suspended: boolean;
  readonly formToken: string;
}

/** The content of the page. */
export interface ConnectedView {
  readonly service: string;
  readonly visitor: SignedInVisitor;
  readonly apps: readonly ConnectedApp[];
  readonly scopes: Pick<ScopesPort, 'declarations'>;
  /** Whether the member has just ended a connection. */
  readonly ended: boolean;
  readonly isFirstPage: boolean;
  /** The address of the page with older grants; undefined on the last page. */
  readonly nextPage: string | undefined;
}

function appHtml(
  { grant, workspaceId, workspaceName, suspended, formToken }: ConnectedApp,
  scopes: ConnectedView['scopes'],
): Html {
  const { client, grantId, sandbox, lastUsedAt, createdAt, expiresAt } = grant;
  const host =
    client.host === null
      ? html`<span class="pill wait">Unverified</span>`
      : html`<span dir="auto">${client.host}</span>`;
  return html`<li><section>
<div class="grant-head"><h2 dir="auto">${client.name}</h2>
<form method="post"><input type="hidden" name="${tokenField}" value="${formToken}"><input type="hidden" name="grant" value="${grantId}"><input type="hidden" name="workspace" value="${workspaceId}"><button class="bad" aria-label="End access of ${client.name} to ${workspaceName}">End access</button></form></div>
<dl>
<dt>Comes from</dt><dd>${host}</dd>
<dt>Workspace</dt><dd><span dir="auto">${workspaceName}</span> <span class="pill ${sandbox ? 'wait' : ''}">${sandbox ? 'Sandbox' : 'Live'}</span>${suspended ? html` <span class="pill wait">Suspended</span>` : null}</dd>
<dt>Last used</dt><dd>${lastUsedAt === null ? 'Never' : minuteOf(lastUsedAt)}</dd>
<dt>Allowed</dt><dd>${minuteOf(createdAt)}; ends unused on ${expiresAt.slice(0, 10)}</dd>
<dt>Limits</dt><dd>${limitWords(grant.leash)}</dd>
</dl>
${rightsList(scopes.declarations, grant.scopes)}
</section></li>`;
}

/** The body of the page. */
export function connectedHtml(view: ConnectedView): Html {
  const { service, visitor, apps, scopes, ended, isFirstPage, nextPage } = view;
  const change = visitor.signOutUrl === undefined ? null : html` · <a href="${visitor.signOutUrl}">Not you?</a>`;
  const list =
    apps.length === 0 && isFirstPage
      ? html`<section><p class="empty">No program acts for you.</p><p class="soft">When you connect one, such as an assistant with access to ${service}, it appears here.</p></section>`
      : html`<ul class="grants">${apps.map((app) => appHtml(app, scopes))}</ul>`;
  return html`<h1>Connected apps</h1>
<p class="soft">Programs that act for <span dir="auto">${visitor.name}</span>${change}</p>
${ended ? html`<div class="note good" role="status"><p>The access has ended. The program is refused from now on.</p></div>` : null}
${list}${isFirstPage ? null : html`<p><a href="?">Newest</a></p>`}${nextPage === undefined ? null : html`<p><a href="${nextPage}">Older</a></p>`}`;
}
