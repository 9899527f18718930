// The page for a missing post. It is the same for a post that never existed, is offline, is in the sandbox or belongs
// to another workspace.
import type { HttpResponse, PublicRequest, PublicRouteContext, Workspace } from '../../../core/index.ts';
import { directionOf, pageAppearanceOf, paragraph, publicPage } from '../../../core/unstable.ts';
import type { ChooseBlogLanguage } from './texts.ts';

export const notFoundPage =
  (choose: ChooseBlogLanguage) =>
  async (ctx: PublicRouteContext, _request: PublicRequest, workspace: Workspace | undefined): Promise<HttpResponse> => {
    const { textsLanguage: language, texts } = await choose(ctx, workspace);
    return publicPage({
      ...{ status: 404, language, direction: directionOf(language) },
      ...{ title: texts.missing, body: paragraph(texts.missingText) },
      appearance: await pageAppearanceOf(ctx, workspace),
    });
  };
