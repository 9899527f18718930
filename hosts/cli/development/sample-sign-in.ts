// The sign-in of the development service: one of two sample members is signed in. At /sample-sign-in, the user can switch to the
// other member or sign out. For this machine only. Called by compose.ts, serve.ts and the samples.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccessFunction, MemberAccess, PageRequest } from '../../../core/index.ts';
import { cookiesOf, escapeHtml, pageColours, pageFrame, remoteSign } from '../../../core/unstable.ts';
import { headersOf } from '../../node/request.ts';

/**
 * The members of every workspace of the development service. `you` decides on approvals; `sam` has requested the sample
 * approval.
 */
export const developmentTeam = {
  you: { uid: 'you', name: 'You', email: 'you@northwind.example', role: 'owner' },
  sam: { uid: 'sam', name: 'Sam', email: 'sam@northwind.example', role: 'author' },
} as const;

const path = '/sample-sign-in';
const cookieName = 'sample_member';
const nobody = 'nobody';

/** The presets of the members. Sam has fewer scopes, so that developers can see pages without some scopes. */
const presets = { you: 'full', sam: 'author' } as const;

type SampleUid = keyof typeof developmentTeam;

const isSample = (uid: string): uid is SampleUid => Object.hasOwn(developmentTeam, uid);

/** The uid of the sample member who is signed in. (Default: `you`) */
function sampleUidOf(cookies: PageRequest['cookies']): SampleUid | undefined {
  const uid = cookies[cookieName] ?? 'you';
  return isSample(uid) ? uid : undefined;
}

/** Signs in a sample member on this machine. `workspaceIds` returns all workspaces. */
export const sampleAccess =
  (workspaceIds: () => Promise<readonly string[]>): AccessFunction =>
  async ({ headers, cookies, address }): Promise<MemberAccess | { readonly signInUrl: string } | null> => {
    if (remoteSign({ headers, ...(address === undefined ? {} : { address }) }, false) !== undefined) return null;
    const uid = sampleUidOf(cookies);
    if (uid === undefined) return { signInUrl: path };
    const ids = await workspaceIds();
    return {
      member: uid,
      name: developmentTeam[uid].name,
      workspaces: ids.map((id) => ({ id, scopes: presets[uid] })),
      signOutUrl: path,
    };
  };

const frame = pageFrame(
  `${pageColours}*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:32rem;margin:0 auto;padding:3rem 1.25rem}
h1{margin:0;font-size:1.5rem;line-height:1.25}
p{margin:.5rem 0 1.5rem;color:var(--soft)}
ul{list-style:none;margin:0;padding:0;display:grid;gap:.75rem}
a{display:block;padding:.75rem 1rem;background:var(--card);border:1px solid var(--faint);border-radius:10px;color:inherit;text-decoration:none}
a:hover{border-color:var(--link)}
a:focus-visible{outline:2px solid var(--link);outline-offset:2px}
strong{color:var(--link)}
span{display:block;color:var(--soft)}`,
  { 'img-src': 'data:' },
);

/** Accepts only paths of this server, so that a link cannot redirect to another site. */
const returnPathOf = (input: string | null): string => (input !== null && /^\/(?![/\\])/.test(input) ? input : '/');

function signInPage(uid: SampleUid | undefined, returnPath: string): string {
  const link = (as: string, name: string, text: string): string =>
    `<li><a href="${path}?${escapeHtml(String(new URLSearchParams({ as, return_to: returnPath })))}"><strong>${name}</strong><span>${text}</span></a></li>`;
  const present = uid === undefined ? 'Nobody is signed in.' : `${developmentTeam[uid].name} is signed in.`;
  return frame.write({
    title: 'Sample sign-in',
    icon: 'data:,',
    body: `<main><h1>Sample sign-in</h1>
<p>${present} The development server plays your program’s own sign-in, for this machine only.</p>
<ul>${link('you', 'You', 'Owner: every scope')}${link('sam', 'Sam', 'Author: writes drafts, sends nothing')}${link(nobody, 'Nobody', 'Signed out: pages lead here first')}</ul></main>`,
  });
}

/** Responds to the sample sign-in. Returns false for all other requests. */
export function respondToSignIn(request: IncomingMessage, response: ServerResponse): boolean {
  const { method, url = '' } = request;
  const [requestedPath = '', search = ''] = url.split('?', 2);
  if (method !== 'GET' || requestedPath !== path) return false;
  const headers = headersOf(request);
  const site = headers['sec-fetch-site'];
  const query = new URLSearchParams(search);
  const as = query.get('as');
  const isHere = remoteSign({ headers, address: request.socket.remoteAddress ?? '' }, false) === undefined;
  if (!isHere) {
    response.writeHead(403, { 'Content-Type': 'text/plain; charset=utf-8' }).end('For this machine only.');
    return true;
  }
  const returnPath = returnPathOf(query.get('return_to'));
  const isOwn = site === undefined || site === 'same-origin' || site === 'none';
  if (as !== null && isOwn && (as === nobody || isSample(as))) {
    const cookie = `${cookieName}=${as}; Path=/; HttpOnly; SameSite=Lax`;
    response.writeHead(303, { Location: as === nobody ? path : returnPath, 'Set-Cookie': cookie }).end();
    return true;
  }
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': frame.policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  });
  response.end(signInPage(sampleUidOf(cookiesOf(headers['cookie'])), returnPath));
  return true;
}
