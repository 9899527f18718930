// The phone page: texts as bubbles, with a phone for each number. It has no script, and all of its URLs are relative.
import {
  type HttpResponse,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
  z,
} from '../../../core/index.ts';
import {
  checkInput,
  consoleAddress,
  escapeHtml,
  pageColours,
  pageFrame,
  pageRoute,
  plainResponse,
  queryOf,
  relativePathToPage,
  type StartLink,
  startBarStyle,
} from '../../../core/unstable.ts';
import { gate } from '../access.ts';
import { errors } from '../errors.ts';
import { readVisible, requestedWorkspaces } from '../visible-workspaces.ts';
import { type InboxTextView, listTexts } from './texts.ts';

const maxShown = 200;

const frame = pageFrame(
  `${pageColours}${startBarStyle}*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:14px/1.45 system-ui,sans-serif}
.with-start>nav{border-color:var(--faint)}
header,main{max-width:1200px;margin:0 auto;padding:16px}
header{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;justify-content:space-between}
h1{margin:0;font-size:20px;line-height:1.25}
header a{display:inline-flex;align-items:center;min-height:36px;padding:4px 12px;border:1px solid var(--line);border-radius:6px;background:var(--card);color:var(--ink);text-decoration:none}
header a:hover{background:var(--shade)}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:4px}
main{padding-top:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(300px,100%),1fr));gap:20px;align-items:start}
section{padding:16px;background:var(--card);border:1px solid var(--faint);border-radius:24px}
h2{margin:0 0 12px;font-size:15px;text-align:center}
ol{margin:0;padding:0;list-style:none;display:grid;gap:14px}
li p{margin:0;padding:10px 14px;background:var(--shade);border:1px solid transparent;border-radius:18px 18px 18px 4px;white-space:pre-wrap;overflow-wrap:anywhere;width:fit-content;max-width:100%;font-size:15px}
li:target p{outline:2px solid var(--link)}
small{display:block;margin:4px 6px 0;color:var(--soft);font-size:12.5px}
.none{grid-column:1/-1;margin:0;color:var(--soft)}
@media (hover:none) and (pointer:coarse){header a{min-height:44px}}`,
  { 'img-src': 'data:' },
);

const time = (at: number): string => {
  const iso = new Date(at).toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
};

const bubble = ({ sms_id: id, body, template_key: key, segments, origin, created_at: at }: InboxTextView): string => {
  const parts = segments === 1 ? '1 segment' : `${segments} segments`;
  const about = [escapeHtml(key), parts, origin === 'sandbox' ? 'sandbox' : 'live'].join(' · ');
  return `<li id="${escapeHtml(id)}"><p dir="auto">${escapeHtml(body)}</p><small>${time(at)} · ${about}</small></li>`;
};

const phone = (number: string, texts: readonly InboxTextView[]): string =>
  `<section aria-label="Texts to ${escapeHtml(number)}"><h2>${escapeHtml(number)}</h2><ol>${texts.map(bubble).join('')}</ol></section>`;

function render(texts: readonly InboxTextView[], back: string, start: StartLink): HttpResponse {
  const numbers = new Map<string, InboxTextView[]>();
  for (const text of texts) numbers.set(text.to_number, [text, ...(numbers.get(text.to_number) ?? [])]);
  const emptyNotice =
    '<p class="none">No texts yet. Send one with a test key, or with captureSms() as the adapter: it appears here, and no phone gets it.</p>';
  const phones = [...numbers].map(([number, numberTexts]) => phone(number, numberTexts)).join('\n');
  const html = frame.write({
    title: `Texts to phones · ${start.service}`,
    icon: 'data:,',
    start,
    body: `<header><h1>Texts to phones</h1><a href="${back}">Back to mail</a></header>
<main>
${phones === '' ? emptyNotice : phones}
</main>`,
  });
  return plainResponse('text/html; charset=utf-8', html, frame.headers);
}

const startOf = (ctx: PublicRouteContext, request: PublicRequest): StartLink => ({
  startPage: request.startPage,
  console: consoleAddress(ctx, request, relativePathToPage('inbox', request.url)),
  service: ctx.ports.service.name,
});

const query = z.strictObject({ workspace: z.string().max(100).optional() });

/** The newest texts of the caller's workspaces. */
export const phonePage: PublicRoute = pageRoute(
  gate,
  { http: 'GET /inbox/phone', description: 'Captured SMS texts, which reached no phone, as a page.' },
  async (ctx, request, visitor) => {
    const scope = await requestedWorkspaces(ctx, visitor, checkInput(query, queryOf(request)).workspace);
    const { keyring } = ctx.ports;
    const textsByWorkspace = await Promise.all(
      scope.map((visible) => readVisible(ctx, visible, (handle) => listTexts(handle, keyring, { limit: maxShown }))),
    );
    const newest = textsByWorkspace.flat().sort((a, b) => b.created_at - a.created_at);
    return render(newest.slice(0, maxShown), './', startOf(ctx, request));
  },
);

/** The page of one SMS text. */
export const phoneText: PublicRoute = pageRoute(
  gate,
  { http: 'GET /inbox/phone/{id}', description: 'One captured SMS text, which reached no phone, as a page.' },
  async (ctx, request, visitor) => {
    const id = request.params.id ?? '';
    if (!/^sms_[0-9A-Z]{26}$/.test(id)) throw errors.inbox_message_not_found({ id: id.slice(0, 100) });
    const scope = await requestedWorkspaces(ctx, visitor, checkInput(query, queryOf(request)).workspace);
    const { keyring } = ctx.ports;
    const textsByWorkspace = await Promise.all(
      scope.map((visible) => readVisible(ctx, visible, (handle) => listTexts(handle, keyring, { limit: 1, id }))),
    );
    const texts = textsByWorkspace.flat();
    if (texts.length === 0) throw errors.inbox_message_not_found({ id });
    return render(texts, '../', startOf(ctx, request));
  },
);
