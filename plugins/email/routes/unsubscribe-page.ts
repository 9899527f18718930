// The pages that recipients see: the question before unsubscribing, the confirmation, and the page for broken links. They do not
// need a script and do not load anything. With a valid token, they show the sender's name and nothing about the send. With any
// other token, everybody sees the same page.
import type { HttpResponse, PublicRequest } from '../../../core/index.ts';
import {
  chooseTexts,
  escapeHtml,
  languageFields,
  type PageAppearance,
  type PageTexts,
  pageTexts,
  paragraph,
  publicPage,
} from '../../../core/unstable.ts';
import type { UnsubscribeScope } from '../../suppressions/index.ts';
import type { UnsubscribeTexts, UnsubscribeTopicTexts } from '../options.ts';

const incomplete = { title: 'Incomplete link', text: 'This link is incomplete. Copy it whole from the mail.' };

const aboutTopic: UnsubscribeTopicTexts = {
  question: 'You will get no more emails about “{topic}” from {sender}.',
  done: 'You will get no more emails about “{topic}” from {sender}. You can close this page.',
  stop: 'No more marketing mail',
  stopAll: 'No more mail',
};

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
  topic: aboutTopic,
  incomplete,
};

type Texts = PageTexts<UnsubscribeTexts>;

/** The texts in English, and in the languages that the program gives. */
export const unsubscribeTexts = (input?: Readonly<Record<string, UnsubscribeTexts>>): Texts =>
  pageTexts(english, input);

/** The content of the page of a valid link. */
export interface UnsubscribeContext {
  readonly appearance: PageAppearance;
  /** The mail that stops without a topic, and by the second button. */
  readonly scope: UnsubscribeScope;
  /** The topic of the mail. (Default: none) */
  readonly topic?: { readonly name: string } | undefined;
}

function pageOf(request: PublicRequest, texts: Texts, { appearance, scope, topic }: UnsubscribeContext) {
  const chosen = chooseTexts(texts, request.headers['accept-language']);
  const { scopes, topic: ofTopic = aboutTopic, ...own } = chosen.texts;
  const named = (sentence: string): string =>
    sentence.replaceAll('{sender}', () => appearance.name).replaceAll('{topic}', () => topic?.name ?? '');
  const [whole, narrow] = [scopes?.[scope] ?? own, topic === undefined ? undefined : ofTopic];
  return {
    texts: {
      ...own,
      question: named((narrow ?? whole).question),
      done: named((narrow ?? whole).done),
      stop: scope === 'all' ? ofTopic.stopAll : ofTopic.stop,
      stopNote: named(whole.question),
    },
    page: { ...languageFields(chosen), appearance },
  };
}

type Shown = ReturnType<typeof pageOf>['texts'];

/** The second button of a mail with a topic. */
const stopForm = ({ topic }: UnsubscribeContext, { stopNote, stop }: Shown): string =>
  topic === undefined
    ? ''
    : `<hr>
<form method="post">${paragraph(stopNote)}<button class="plain" name="do" value="stop">${escapeHtml(stop)}</button></form>`;

/** The page with the question. Its forms post to its own address. */
export function questionPage(request: PublicRequest, given: Texts, place: UnsubscribeContext): HttpResponse {
  const { texts, page } = pageOf(request, given, place);
  const form = `<form method="post"><button name="do" value="unsubscribe">${escapeHtml(texts.button)}</button></form>`;
  return publicPage({
    ...page,
    title: texts.title,
    body: `${paragraph(texts.question)}\n${form}\n${stopForm(place, texts)}`,
  });
}

/** The page after unsubscribing. After a topic, all marketing mail can be stopped, too. */
export function donePage(request: PublicRequest, given: Texts, place: UnsubscribeContext): HttpResponse {
  const { texts, page } = pageOf(request, given, place);
  return publicPage({
    ...page,
    title: texts.doneTitle,
    body: `${paragraph(texts.done)}\n${stopForm(place, texts)}`,
  });
}

/** The page for an unsubscribe link that is not valid: nothing has changed. It does not reveal any sender. */
export function incompletePage(request: PublicRequest, texts: Texts, appearance: PageAppearance): HttpResponse {
  const chosen = chooseTexts(texts, request.headers['accept-language']);
  const { title, text } = chosen.texts.incomplete ?? incomplete;
  return publicPage({ ...languageFields(chosen), appearance, status: 404, title, body: paragraph(text) });
}

/** The page for a tracked link that the service did not make, or whose target was deleted. */
export const deadLinkPage = (appearance: PageAppearance): HttpResponse =>
  publicPage({
    status: 404,
    appearance,
    title: 'This link does not work',
    body: paragraph('It is incomplete, or the email is too old. Copy the whole link, or ask the sender.'),
    headers: { Vary: 'Accept-Language' },
  });
