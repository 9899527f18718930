// The pages that visitors see in place of a destination, in the style of the link's workspace. They disclose nothing about the link.
import type { HttpResponse, PublicRequest, PublicRouteContext } from '../../../core/index.ts';
import {
  chooseTexts,
  escapeHtml,
  languageFields,
  pageAppearanceOf,
  paragraph,
  publicPage,
} from '../../../core/unstable.ts';
import type { LinkTexts, LinkTextsByLanguage } from './texts.ts';

/** A visit of a link for which a page is shown. */
export interface LinkPageVisit {
  readonly ctx: PublicRouteContext;
  readonly request: PublicRequest;
  /** The workspace of the link or of its host; undefined if it is not known. */
  readonly workspaceId: string | undefined;
}

/** A page with a title and one sentence. */
type PlainPage = Exclude<keyof LinkTexts, 'direction' | 'password'>;

const statuses: Readonly<Record<PlainPage, number>> = { missing: 404, expired: 410, disabled: 410, archived: 200 };

/** Writes the pages in these languages. */
export function createLinkPages(languages: LinkTextsByLanguage) {
  async function page(
    { ctx, request, workspaceId }: LinkPageVisit,
    status: number,
    write: (texts: LinkTexts) => { readonly title: string; readonly body: string },
  ): Promise<HttpResponse> {
    const chosen = chooseTexts(languages, request.headers['accept-language']);
    const { headers, ...language } = languageFields(chosen);
    const workspace = workspaceId === undefined ? undefined : await ctx.workspace(workspaceId);
    return publicPage({
      ...{ status, ...language, ...write(chosen.texts) },
      headers: { ...headers, 'Cache-Control': 'private, no-store' },
      appearance: await pageAppearanceOf(ctx, workspace),
      // Browsers also apply form-action to the redirect after the form, and the redirect may lead to any site.
      formTargets: 'https: http:',
    });
  }

  return {
    /** `missing`: the link does not exist, or is not live yet; both look alike. */
    plain: (visit: LinkPageVisit, kind: PlainPage): Promise<HttpResponse> =>
      page(visit, statuses[kind], (texts) => ({ title: texts[kind].title, body: paragraph(texts[kind].text) })),

    /** The form posts to its own address. */
    password: (visit: LinkPageVisit, isWrong: boolean): Promise<HttpResponse> =>
      page(visit, isWrong ? 403 : 200, ({ password: { title, label, button, wrong } }) => ({
        title,
        body: `${isWrong ? `<div class="error" role="alert">${escapeHtml(wrong)}</div>\n` : ''}<form method="post">
<div class="field"><label for="password">${escapeHtml(label)}</label>
<input class="text" id="password" name="password" type="password" required maxlength="200" autocomplete="off"></div>
<button>${escapeHtml(button)}</button>
</form>`,
      })),
  };
}
