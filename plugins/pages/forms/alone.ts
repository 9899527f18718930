// A form on a page of its own, until the renderer of pages shows it in place.
import type { PublicRouteContext, Workspace } from '../../../core/index.ts';
import { chooseTexts, inLanguage, lookOf, paragraph, publicPage } from '../../../core/unstable.ts';
import { formHtml } from './html.ts';
import type { ShowPage } from './routes.ts';
import type { PageFormTextsByLanguage } from './texts.ts';

export const showAlone =
  (languages: PageFormTextsByLanguage): ShowPage =>
  async (context, { headers }, { workspace, found: { page, content } }, state) => {
    const chosen = chooseTexts(languages, headers['accept-language']);
    const place = {
      ...{ pageId: page.id, action: '', keyring: context.ports.keyring, now: context.now, chosen, state },
      button: undefined,
      markdown: (text: string) => paragraph(text),
    };
    const form = content.sections.find((section) => section.form?.formId === state.posted?.formId)?.form;
    return publicPage({
      ...(state.posted?.errors === undefined
        ? {}
        : { status: 422, windowTitle: `${chosen.texts.error} ${page.title}` }),
      ...inLanguage(chosen),
      look: await lookOf(context, workspace),
      title: page.title,
      body: form === undefined ? '' : formHtml(form, place),
    });
  };

export const missingAlone = async (context: PublicRouteContext, _: object, workspace: Workspace | undefined) =>
  publicPage({ status: 404, look: await lookOf(context, workspace), title: 'There is nothing here', body: '' });
