// The page at / of the development server, with links to its parts and a first command. Its only script copies text. It shows the
// sandbox key to this machine only, and contains no mail.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { escapeHtml, pageFrame, remoteSign } from '../../../core/unstable.ts';
import { headersOf } from '../../node/request.ts';

/** A link with its description. */
export interface StartPageLink {
  readonly href: string;
  readonly name: string;
  readonly text: string;
}

/** The first command for a new user. */
export interface FirstCommand {
  /** The secret of a sandbox key. */
  readonly key: string;
  /** A command line with that key. */
  readonly curl: string;
}

/** The content of the page. */
export interface StartInfo {
  readonly title: string;
  readonly version: string;
  /** Whether only this machine can reach the server. */
  readonly local: boolean;
  readonly links: readonly StartPageLink[];
  /** Names of pages that the service supports but its config does not enable. */
  readonly absent: readonly string[];
  /** URLs that need a key. They are named, not linked. */
  readonly addresses: readonly (readonly [name: string, url: string])[];
  /** Undefined if `dev` created no key. */
  readonly trial: FirstCommand | undefined;
}

/** Shows the buttons and lets them copy, if the browser supports it: over HTTPS, or on this machine. */
const script = `if (navigator.clipboard) for (const button of document.querySelectorAll('button[data-of]')) {
  const name = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const text = document.getElementById(button.dataset.of).textContent;
    button.textContent = await navigator.clipboard.writeText(text).then(() => 'Copied', () => 'Not copied');
    setTimeout(() => { button.textContent = name; }, 1600);
  });
}`;
const scriptHash = createHash('sha256').update(script).digest('base64');

const frame = pageFrame(
  `
:root { color-scheme: light dark; --ink: #17251e; --quiet: #56655d; --line: #d9dfda; --page: #f6f7f5; --card: #fff; --link: #14523a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eef3ef; --quiet: #a9b8b0; --line: #33403a; --page: #101512; --card: #1a211d; --link: #8fd3b1; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 4rem 1.25rem; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.25; overflow-wrap: anywhere; }
p { margin: .25rem 0 0; color: var(--quiet); }
ul { list-style: none; margin: 2rem 0 0; padding: 0; display: grid; gap: .75rem; }
h2 { margin: 2rem 0 .5rem; font-size: 1.125rem; }
pre { margin: .75rem 0 0; padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; font: .875rem/1.6 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
code { font: .875rem ui-monospace, monospace; overflow-wrap: anywhere; }
button { min-height: 2.25rem; padding: .25rem .75rem; border: 1px solid var(--quiet); border-radius: 8px; background: var(--card); color: inherit; font: inherit; font-size: .875rem; cursor: pointer; }
button:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.copy { margin-top: .5rem; display: flex; gap: .5rem; }
@media (hover: none) and (pointer: coarse) { button { min-height: 2.75rem; } }
a { display: block; padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; color: inherit; text-decoration: none; }
a:hover { border-color: var(--link); }
a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
strong { color: var(--link); font-weight: 600; }
a span { display: block; color: var(--quiet); }
dl { margin: 2rem 0 0; display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dt { color: var(--quiet); }
dd { margin: 0; font-family: ui-monospace, monospace; font-size: .9rem; line-height: 1.7; overflow-wrap: anywhere; }
@media (max-width: 26rem) { main { padding-top: 2rem; } dl { grid-template-columns: 1fr; gap: 0; } }
@media print { main { padding: 0; } a, pre { break-inside: avoid; } a::after { content: attr(href); color: var(--quiet); } }
`,
  { 'img-src': 'data:', 'script-src': `'sha256-${scriptHash}'` },
);

function trialSection({ key, curl }: FirstCommand): string {
  return `<section aria-labelledby="trial">
<h2 id="trial">Send a first mail</h2>
<p>With the sandbox key <code id="key">${escapeHtml(key)}</code>. The mail stays here, in the inbox.</p>
<pre id="command" tabindex="0">${escapeHtml(curl)}</pre>
<p class="copy" aria-live="polite"><button type="button" data-of="command" hidden>Copy the command</button><button type="button" data-of="key" hidden>Copy the key</button></p>
<script>${script}</script>
</section>
`;
}

/** Renders the page. */
export function startPage({ title, version, local, links, absent, addresses, trial }: StartInfo): string {
  const items = links.map(
    ({ href, name, text }) =>
      `<li><a href="${escapeHtml(href)}"><strong>${escapeHtml(name)}</strong><span>${escapeHtml(text)}</span></a></li>`,
  );
  return frame.write({
    title: `${title} in development`,
    icon: 'data:,',
    body: `<main>
<h1>${escapeHtml(title)}</h1>
<p>The development server, version ${escapeHtml(version)}.${local ? ' Only this machine sees it.' : ''}</p>
<ul>
${items.join('\n')}
</ul>
${absent.length === 0 ? '' : `<p>Your config leaves out: ${escapeHtml(absent.join(', '))}. Options of their plugins add these pages: see “dev” in docs/command-line.md.</p>\n`}${trial === undefined ? '' : trialSection(trial)}<dl>
${addresses.map(([name, url]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(url)}</dd>`).join('\n')}
</dl>
</main>`,
  });
}

/** Responds to GET / and HEAD / with the page. Returns false for all other requests. */
export function respondWithStartPage(request: IncomingMessage, response: ServerResponse, info: StartInfo): boolean {
  const { method, url = '' } = request;
  if ((method !== 'GET' && method !== 'HEAD') || !/^\/(\?|$)/.test(url)) return false;
  const client = { headers: headersOf(request), address: request.socket.remoteAddress ?? '' };
  const isHere = remoteSign(client, false) === undefined;
  const page = startPage(isHere ? info : { ...info, trial: undefined });
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(page),
    'Content-Security-Policy': frame.policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  });
  response.end(page);
  return true;
}
