// The page for a missing post. It is the same for a post that never existed, is offline, is in the sandbox or belongs
// to another workspace.
import type { HttpResponse, PublicRequest, PublicRouteContext, Workspace } from '../../../core/index.ts';
import { directionOf, pageAppearanceOf, paragraph, publicPage } from '../../../core/unstable.ts';
import type { BlogLanguage } from './texts.ts';

export const notFoundPage =
  ({ language, texts }: BlogLanguage) =>
  async (ctx: PublicRouteContext, _request: PublicRequest, workspace: Workspace | undefined): Promise<HttpResponse> =>
    publicPage({
      ...{ status: 404, language, direction: directionOf(language) },
      ...{ title: texts.missing, body: paragraph(texts.missingText) },
      appearance: await pageAppearanceOf(ctx, workspace),
    });
