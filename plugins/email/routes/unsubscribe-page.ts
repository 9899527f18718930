// The pages that recipients see: the question before unsubscribing, the confirmation, and the page for broken links. They do not
// need a script. With a valid token, they show the sender's name and nothing about the send. With any
// other token, everybody sees the same page.
import type { HttpResponse, PublicRequest } from '../../../core/index.ts';
import {
  chooseTexts,
  escapeHtml,
  languageFields,
  type PageAppearance,
  paragraph,
  publicPage,
  sentenceHtml,
} from '../../../core/unstable.ts';
import type { UnsubscribeScope } from '../../suppressions/index.ts';
import { englishUnsubscribe, type UnsubscribeTextsByLanguage as Texts } from './unsubscribe-texts.ts';

/** The content of the page of a valid link. */
export interface UnsubscribeContext {
  readonly appearance: PageAppearance;
  /** The mail that stops without a topic, and by the second button. */
  readonly scope: UnsubscribeScope;
  /** The topic of the mail. (Default: none) */
  readonly topic?: { readonly name: string } | undefined;
  /** The language of the recipient, a BCP 47 tag. (Default: the language of the browser) */
  readonly locale?: string | undefined;
}

/** The sentences are HTML. */
function pageOf(request: PublicRequest, texts: Texts, { appearance, scope, topic, locale }: UnsubscribeContext) {
  const chosen = chooseTexts(texts, locale, request.headers['accept-language']);
  const { scopes, topic: ofTopic = englishUnsubscribe.topic, ...own } = chosen.texts;
  const sentenceOf = (sentence: string): string =>
    sentenceHtml(sentence, { sender: appearance.name, topic: topic?.name ?? '' });
  const filled = (sentence: string): string => `<p>${sentenceOf(sentence)}</p>`;
  const [scopeTexts, topicTexts] = [scopes?.[scope] ?? own, topic === undefined ? undefined : ofTopic];
  return {
    texts: {
      ...own,
      question: filled((topicTexts ?? scopeTexts).question),
      done: filled((topicTexts ?? scopeTexts).done),
      stop: scope === 'all' ? ofTopic.stopAll : ofTopic.stop,
      stopNote: sentenceOf(scopeTexts.question),
    },
    page: { ...languageFields(chosen), appearance },
  };
}

type Shown = ReturnType<typeof pageOf>['texts'];

/** The second button of a mail with a topic. Its sentence is below the button, because above it the sentence would read like a fact. */
const stopForm = ({ topic }: UnsubscribeContext, { stopNote, stop }: Shown): string =>
  topic === undefined
    ? ''
    : `<hr>
<form method="post"><button class="plain" name="do" value="stop" aria-describedby="stop-note">${escapeHtml(stop)}</button></form>
<p class="small" id="stop-note">${stopNote}</p>`;

/** The page with the question. Its forms post to its own address. */
export function questionPage(request: PublicRequest, allTexts: Texts, content: UnsubscribeContext): HttpResponse {
  const { texts, page } = pageOf(request, allTexts, content);
  const form = `<form method="post"><button name="do" value="unsubscribe">${escapeHtml(texts.button)}</button></form>`;
  return publicPage({
    ...page,
    title: texts.title,
    body: `${texts.question}\n${form}\n${stopForm(content, texts)}`,
  });
}

/** The page after unsubscribing. After an unsubscription from a topic, it has a button that stops all marketing mail. */
export function donePage(request: PublicRequest, allTexts: Texts, content: UnsubscribeContext): HttpResponse {
  const { texts, page } = pageOf(request, allTexts, content);
  return publicPage({
    ...page,
    title: texts.doneTitle,
    body: `${texts.done}\n${stopForm(content, texts)}`,
  });
}

/** The page for an unsubscribe link that is not valid: nothing has changed. It does not reveal any sender. */
export function incompletePage(request: PublicRequest, texts: Texts, appearance: PageAppearance): HttpResponse {
  const chosen = chooseTexts(texts, request.headers['accept-language']);
  const { title, text } = chosen.texts.incomplete ?? englishUnsubscribe.incomplete;
  return publicPage({ ...languageFields(chosen), appearance, status: 404, title, body: paragraph(text) });
}

/** The page for a tracked link that the service did not make, or whose target was deleted. */
export function deadLinkPage(request: PublicRequest, texts: Texts, appearance: PageAppearance): HttpResponse {
  const chosen = chooseTexts(texts, request.headers['accept-language']);
  const { title, text } = chosen.texts.deadLink ?? englishUnsubscribe.deadLink;
  return publicPage({ ...languageFields(chosen), appearance, status: 404, title, body: paragraph(text) });
}
