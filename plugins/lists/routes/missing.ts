// The page for a public URL that is not found. It is the same for missing, private and foreign objects.
import type { HttpResponse, PublicRequest, PublicRouteContext, Workspace } from '../../../core/index.ts';
import { chooseTexts, inLanguage, lookOf, paragraph, publicPage } from '../../../core/unstable.ts';
import type { ListTexts, ListTextsByLanguage } from '../texts.ts';

export const missingPage =
  (languages: ListTextsByLanguage, textsOf: (texts: ListTexts) => ListTexts['nothing'] | undefined = () => undefined) =>
  async (
    context: PublicRouteContext,
    { headers }: PublicRequest,
    workspace: Workspace | undefined,
  ): Promise<HttpResponse> => {
    const chosen = chooseTexts(languages, headers['accept-language']);
    const { title, text } = textsOf(chosen.texts) ?? chosen.texts.nothing;
    return publicPage({
      ...inLanguage(chosen),
      status: 404,
      look: await lookOf(context, workspace),
      title,
      body: paragraph(text),
    });
  };
