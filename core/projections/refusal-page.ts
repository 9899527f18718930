// A refusal as an HTML page: the core's answer to a browser outside the API. Called by rest.ts, public-routes.ts and the hosts.
import type { PostriderError } from '../contract/errors/errors.ts';
import type { HttpRequest, HttpResponse } from '../contract/http/http.ts';
import { escapeHtml, sentenceHtml } from '../pages/html.ts';
import { chooseTexts } from '../pages/page-texts.ts';
import { neutralAppearance, type PageAppearance, paragraph, publicPage } from '../pages/public-page.ts';
import { refusalTexts } from '../pages/refusal-texts.ts';
import { wantsPage } from './wants-page.ts';

/** The appearance of the page if the workspace is unknown: without a name. */
const neutral = neutralAppearance('');

type Request = Pick<HttpRequest, 'headers' | 'url'>;

/** The appearance of the page, and the start path to which it leads. */
export interface RefusalView {
  /** (Default: neutral, without a name) */
  readonly appearance?: PageAppearance | undefined;
  /** The start path of the pages around an unknown path. (Default: no link) */
  readonly start?: string | undefined;
}

interface PageContent {
  readonly refusal: PostriderError;
  readonly requestId: string;
  readonly language: string;
  readonly title: string;
  readonly body: string;
}

const writePage = ({ refusal, requestId, language, title, body }: PageContent, appearance = neutral): HttpResponse =>
  publicPage({
    ...{ status: refusal.status, appearance, language, title, body },
    headers: { Vary: 'Accept, Accept-Language', 'X-Request-Id': requestId, ...refusal.headers },
  });

/** The page for a visitor who sent too many requests. */
export function tooManyPage(
  { headers }: Request,
  refusal: PostriderError,
  requestId: string,
  { appearance }: RefusalView = {},
): HttpResponse {
  const { language, texts } = chooseTexts(refusalTexts, headers['accept-language']);
  return writePage(
    { refusal, requestId, language, title: texts.tooManyTitle, body: paragraph(texts.tooMany) },
    appearance,
  );
}

const isUnknown = ({ code }: PostriderError): boolean => code === 'route_not_found';

/** Whether a page is the answer: for an unknown path, or if the service failed. The API answers every client with its envelope. */
export const isPageRefusal = (request: Request, refusal: PostriderError): boolean =>
  (isUnknown(refusal) || refusal.status >= 500) && !/^\/v1(?:[/?]|$)/.test(request.url) && wantsPage(request);

/** The page for a visitor whom the service failed. It names the request, so that the sender's support finds it in the log. */
function failurePage(
  { headers }: Request,
  refusal: PostriderError,
  requestId: string,
  appearance: PageAppearance | undefined,
): HttpResponse {
  const { language, texts } = chooseTexts(refusalTexts, headers['accept-language']);
  const reference = sentenceHtml(texts.reference, { id: requestId });
  const body = `${paragraph(texts.failed)}\n<p class="small">${reference}</p>`;
  return writePage({ refusal, requestId, language, title: texts.failedTitle, body }, appearance);
}

/** The page for a refusal; undefined if the client gets the envelope of the API. */
export function refusalPage(
  request: Request,
  refusal: PostriderError,
  requestId: string,
  view: RefusalView,
): HttpResponse | undefined {
  if (isUnknown(refusal)) return unknownRoutePage(request, refusal, requestId, view);
  return isPageRefusal(request, refusal) ? failurePage(request, refusal, requestId, view.appearance) : undefined;
}

/** The page for an unknown path; undefined if the client gets the envelope of the API. */
export function unknownRoutePage(
  request: Request,
  refusal: PostriderError,
  requestId: string,
  { appearance, start }: RefusalView = {},
): HttpResponse | undefined {
  if (!isUnknown(refusal) || !isPageRefusal(request, refusal)) return undefined;
  const [path = ''] = request.url.split('?', 1);
  const { language, texts } = chooseTexts(refusalTexts, request.headers['accept-language']);
  // Does not show the path: the mount's own part is missing in it, and the browser shows the whole path.
  const text = paragraph(texts.missing);
  // A relative link, because the mount's own path precedes it.
  const startLink = start === undefined ? undefined : `${'../'.repeat(path.split('/').length - 2)}${start.slice(1)}`;
  const body =
    startLink === undefined
      ? text
      : `${text}\n<p><a href="${escapeHtml(startLink)}">${escapeHtml(texts.start)}</a></p>`;
  return {
    ...writePage({ refusal, requestId, language, title: texts.missingTitle, body }, appearance),
    unknownRoute: true,
  };
}
