// The page for a public URL that is not found. It is the same for missing, private and foreign objects.
import type { HttpResponse, PublicRequest, PublicRouteContext, Workspace } from '../../../core/index.ts';
import { chooseTexts, languageFields, pageAppearanceOf, paragraph, publicPage } from '../../../core/unstable.ts';
import type { ListTexts, ListTextsByLanguage } from '../texts.ts';

export const notFoundPage =
  (
    languages: ListTextsByLanguage,
    textsOf: (texts: ListTexts) => ListTexts['invalidLink'] | undefined = () => undefined,
  ) =>
  async (
    ctx: PublicRouteContext,
    { headers }: PublicRequest,
    workspace: Workspace | undefined,
  ): Promise<HttpResponse> => {
    const chosen = chooseTexts(languages, headers['accept-language']);
    const { title, text } = textsOf(chosen.texts) ?? chosen.texts.invalidLink;
    return publicPage({
      ...languageFields(chosen),
      status: 404,
      appearance: await pageAppearanceOf(ctx, workspace),
      title,
      body: paragraph(text),
    });
  };
