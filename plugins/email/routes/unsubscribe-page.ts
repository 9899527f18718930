// The pages that recipients see: the question before unsubscribing, its answer, and where a link leads nowhere. They need no
// script and load nothing. Who has a real token sees the sender's name, and nothing of the send; all others see one page.
import type { HttpResponse, PublicRequest } from '../../../core/index.ts';
import type { PageLook } from '../../../core/unstable.ts';
import { escapeHtml, paragraph, publicPage } from '../../../core/unstable.ts';
import type { UnsubscribeTexts } from '../options.ts';

const english: UnsubscribeTexts = {
  title: 'Unsubscribe?',
  question: 'You will no longer receive these emails.',
  button: 'Unsubscribe',
  doneTitle: 'You are unsubscribed',
  done: 'You will no longer receive these emails. You can close this page.',
};

const headers = { Vary: 'Accept-Language' };

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

function pageOf(request: PublicRequest, texts: PageTexts, look: PageLook) {
  const { language, texts: chosen } = chooseTexts(texts, request.headers['accept-language']);
  return { chosen, page: { language, direction: chosen.direction ?? 'ltr', look, headers } as const };
}

/** The page that asks. Its form posts to its own address. */
export function questionPage(request: PublicRequest, texts: PageTexts, look: PageLook): HttpResponse {
  const { chosen, page } = pageOf(request, texts, look);
  const form = `<form method="post"><button>${escapeHtml(chosen.button)}</button></form>`;
  return publicPage({ ...page, title: chosen.title, body: `${paragraph(chosen.question)}\n${form}` });
}

/** The answer to unsubscribing. */
export function donePage(request: PublicRequest, texts: PageTexts, look: PageLook): HttpResponse {
  const { chosen, page } = pageOf(request, texts, look);
  return publicPage({ ...page, title: chosen.doneTitle, body: paragraph(chosen.done) });
}

/** Where a link leads that the service did not make, or whose target is gone. */
export const deadLinkPage = (look: PageLook): HttpResponse =>
  publicPage({
    status: 404,
    look,
    title: 'This link does not work',
    body: paragraph('It is incomplete, or the email is too old. Copy the whole link, or ask the sender.'),
    headers,
  });
