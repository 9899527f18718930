// The pages that recipients see: the question before unsubscribing, the confirmation, and the page for broken links. They do not need
// a script and do not load anything. With a valid token, they show the sender's name and nothing about the send. All others see one page.
import type { HttpResponse, PublicRequest } from '../../../core/index.ts';
import {
  chooseTexts,
  escapeHtml,
  inLanguage,
  type PageLook,
  type PageTexts,
  pageTexts,
  paragraph,
  publicPage,
} from '../../../core/unstable.ts';
import type { UnsubscribeReach } from '../../suppressions/index.ts';
import type { UnsubscribeTexts } from '../options.ts';

const incomplete = { title: 'Incomplete link', text: 'This link is incomplete. Copy it whole from the mail.' };

const english: UnsubscribeTexts = {
  title: 'Unsubscribe?',
  question: 'You will no longer receive these emails.',
  button: 'Unsubscribe',
  doneTitle: 'You are unsubscribed',
  done: 'You will no longer receive these emails. You can close this page.',
  scopes: {
    all_but_system: {
      question: 'You will get no more emails from {sender}, except those that your account needs, such as login codes.',
      done: 'You will get no more emails from {sender}, except those that your account needs, such as login codes. You can close this page.',
    },
    all: {
      question: 'You will get no more emails from {sender}, of any kind.',
      done: 'You will get no more emails from {sender}, of any kind. You can close this page.',
    },
    marketing: {
      question: 'You will get no more marketing emails from {sender}. Others, such as receipts, still come.',
      done: 'You will get no more marketing emails from {sender}. Others, such as receipts, still come. You can close this page.',
    },
  },
  incomplete,
};

type Texts = PageTexts<UnsubscribeTexts>;

/** The texts in English, and in the languages that the program gives. */
export const unsubscribeTexts = (given?: Readonly<Record<string, UnsubscribeTexts>>): Texts =>
  pageTexts(english, given);

function pageOf(request: PublicRequest, texts: Texts, look: PageLook, reach: UnsubscribeReach) {
  const chosen = chooseTexts(texts, request.headers['accept-language']);
  const sentences = chosen.texts.scopes?.[reach] ?? chosen.texts;
  const named = (sentence: string): string => sentence.replaceAll('{sender}', () => look.name);
  return {
    chosen: { ...chosen.texts, question: named(sentences.question), done: named(sentences.done) },
    page: { ...inLanguage(chosen), look },
  } as const;
}

/** The page with the question. Its form posts to its own address. */
export function questionPage(
  request: PublicRequest,
  texts: Texts,
  look: PageLook,
  reach: UnsubscribeReach,
): HttpResponse {
  const { chosen, page } = pageOf(request, texts, look, reach);
  const form = `<form method="post"><button>${escapeHtml(chosen.button)}</button></form>`;
  return publicPage({ ...page, title: chosen.title, body: `${paragraph(chosen.question)}\n${form}` });
}

/** The page after unsubscribing. */
export function donePage(request: PublicRequest, texts: Texts, look: PageLook, reach: UnsubscribeReach): HttpResponse {
  const { chosen, page } = pageOf(request, texts, look, reach);
  return publicPage({ ...page, title: chosen.doneTitle, body: paragraph(chosen.done) });
}

/** The page for an unsubscribe link that is not valid: nothing has changed. It does not reveal any sender. */
export function incompletePage(request: PublicRequest, texts: Texts, look: PageLook): HttpResponse {
  const chosen = chooseTexts(texts, request.headers['accept-language']);
  const { title, text } = chosen.texts.incomplete ?? incomplete;
  return publicPage({ ...inLanguage(chosen), look, status: 404, title, body: paragraph(text) });
}

/** The page for a tracked link that the service did not make, or whose target was deleted. */
export const deadLinkPage = (look: PageLook): HttpResponse =>
  publicPage({
    status: 404,
    look,
    title: 'This link does not work',
    body: paragraph('It is incomplete, or the email is too old. Copy the whole link, or ask the sender.'),
    headers: { Vary: 'Accept-Language' },
  });
