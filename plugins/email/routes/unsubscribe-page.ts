// The pages that recipients see: the question before unsubscribing, its answer, and where a link leads nowhere. They need no
// script, load nothing, and are the same for every token: they do not show whether a token is real.
import type { HttpResponse, PublicRequest } from '../../../core/index.ts';
import { escapeHtml, pageFrame, paragraph, plainAnswer } from '../../../core/unstable.ts';
import type { UnsubscribeTexts } from '../options.ts';

const english: UnsubscribeTexts = {
  title: 'Unsubscribe?',
  question: 'You will no longer receive these emails.',
  button: 'Unsubscribe',
  doneTitle: 'You are unsubscribed',
  done: 'You will no longer receive these emails. You can close this page.',
};

const frame = pageFrame(
  `:root{color-scheme:light dark;--paper:#f6f6f4;--card:#fff;--ink:#1d1f23;--soft:#575b63;--line:#d9d9d4;--act:#1f4fd8;--on-act:#fff}
@media (prefers-color-scheme:dark){:root{--paper:#141517;--card:#1e2023;--ink:#f2f2ef;--soft:#b3b6bd;--line:#3a3d42;--act:#9db8ff;--on-act:#10131a}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;background:var(--paper);color:var(--ink);font:17px/1.5 system-ui,sans-serif}
main{width:100%;max-width:440px;padding:32px 28px;background:var(--card);border:1px solid var(--line);border-radius:14px;overflow-wrap:anywhere}
p{margin:0 0 24px;color:var(--soft)}
p.from{margin:0 0 8px;font-size:15px}
main>:last-child{margin-bottom:0}
h1{margin:0 0 12px;font-size:24px;line-height:1.25}
button{width:100%;min-height:48px;padding:12px 20px;border:0;border-radius:10px;background:var(--act);color:var(--on-act);font:inherit;font-weight:600;cursor:pointer}
button:focus-visible{outline:3px solid var(--ink);outline-offset:2px}`,
  { 'form-action': "'self'" },
);
const headers = {
  'Content-Security-Policy': frame.policy,
  Vary: 'Accept-Language',
};

interface Page {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly service: string;
  readonly title: string;
  /** HTML. */
  readonly body: string;
}

const render = ({ service, title, body, ...page }: Page): string =>
  frame.write({
    ...page,
    title,
    body: `<main>
<p class="from"><bdi>${escapeHtml(service)}</bdi></p>
<h1>${escapeHtml(title)}</h1>
${body}
</main>`,
  });

const respond = (status: number, page: Page): HttpResponse => ({
  ...plainAnswer('text/html; charset=utf-8', render(page), headers),
  status,
});

/** Texts by lower-case tag. */
export type PageTexts = ReadonlyMap<string, UnsubscribeTexts>;

export const pageTexts = (given: Readonly<Record<string, UnsubscribeTexts>> = {}): PageTexts =>
  new Map([['en', english], ...Object.entries(given).map(([tag, texts]) => [tag.toLowerCase(), texts] as const)]);

/** The first language of Accept-Language that there are texts for, by its whole tag or its language alone; else English. */
function chooseTexts(texts: PageTexts, accepted = ''): { readonly language: string; readonly texts: UnsubscribeTexts } {
  for (const range of accepted.slice(0, 500).toLowerCase().split(',')) {
    const tag = range.split(';', 1)[0]?.trim() ?? '';
    for (const language of [tag, tag.split('-', 1)[0] ?? '']) {
      const found = texts.get(language);
      if (found !== undefined) return { language, texts: found };
    }
  }
  return { language: 'en', texts: texts.get('en') ?? english };
}

function pageOf(request: PublicRequest, texts: PageTexts, service: string) {
  const { language, texts: chosen } = chooseTexts(texts, request.headers['accept-language']);
  return { chosen, page: { language, direction: chosen.direction ?? 'ltr', service } as const };
}

/** The page that asks. Its form posts to its own address. */
export function questionPage(request: PublicRequest, texts: PageTexts, service: string): HttpResponse {
  const { chosen, page } = pageOf(request, texts, service);
  const form = `<form method="post"><button>${escapeHtml(chosen.button)}</button></form>`;
  return respond(200, { ...page, title: chosen.title, body: `${paragraph(chosen.question)}\n${form}` });
}

/** The answer to unsubscribing. */
export function donePage(request: PublicRequest, texts: PageTexts, service: string): HttpResponse {
  const { chosen, page } = pageOf(request, texts, service);
  return respond(200, { ...page, title: chosen.doneTitle, body: paragraph(chosen.done) });
}

/** Where a link leads that the service did not make, or whose target is gone. */
export const deadLinkPage = (service: string): HttpResponse =>
  respond(404, {
    language: 'en',
    direction: 'ltr',
    service,
    title: 'This link does not work',
    body: paragraph('It is incomplete, or the email is too old. Copy the whole link, or ask the sender.'),
  });
