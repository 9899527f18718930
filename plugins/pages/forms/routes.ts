// Receives the forms of published pages. The response is the same for every address, because a job processes the
// address later.
import type { HttpResponse, PublicRequest, PublicRoute, PublicRouteContext, Workspace } from '../../../core/index.ts';
import {
  type ContentRouteContext,
  contentRoutes,
  maxFormBytes,
  readPublicForm,
  seeOther,
} from '../../../core/unstable.ts';
import type { PageForm } from '../sections/form.ts';
import type { PageView } from '../service.ts';
import { encodeSlug, normaliseSlug } from '../slug.ts';
import { textsForVisitor } from '../visitor-texts.ts';
import { publicFormOf } from './fields.ts';
import { type FormsState, formAnchor } from './form-html.ts';
import { storeTrapped, submit } from './store-submission.ts';
import type { PageFormTextsByLanguage } from './texts.ts';

const limit = { perMinute: 120, burst: 60 };

/** A form on a published page. */
interface FormOnPage {
  readonly view: PageView;
  /** The slug under which visitors find the page. */
  readonly slug: string;
  readonly form: PageForm;
}

/** Shows a page with the state of its forms. */
export type ShowPage = (
  ctx: PublicRouteContext,
  request: PublicRequest,
  context: ContentRouteContext<PageView>,
  state: FormsState,
) => Promise<HttpResponse>;

type ShowMissingPage = (
  ctx: PublicRouteContext,
  request: PublicRequest,
  workspace: Workspace | undefined,
) => Promise<HttpResponse>;

/** Finds the form, including by an earlier slug that the page had when the visitor opened it. */
async function findForm(ctx: PublicRouteContext, { params }: PublicRequest, workspace: Workspace | undefined) {
  if (workspace === undefined) return undefined;
  const found = await ctx.read(workspace.id, async ({ trx }): Promise<FormOnPage | undefined> => {
    const { pages } = ctx.services;
    const slug = params['slug'] ?? '';
    const current = await pages.atSlug(trx, slug, ctx.now);
    const target = current !== undefined && 'movedTo' in current ? current.movedTo : undefined;
    const at = target === undefined ? current : await pages.atSlug(trx, target, ctx.now);
    if (at === undefined || 'movedTo' in at) return undefined;
    const section = at.view.content.sections.find(({ form }) => form?.formId === normaliseSlug(params['formId'] ?? ''));
    return section?.form && { view: at.view, slug: target ?? slug, form: section.form };
  });
  return found === undefined ? undefined : { workspaceId: workspace.id, found };
}

/** The address of the form's page, relative to the address of the form. */
const pageOf = ({ slug, form: { formId } }: FormOnPage, query = ''): string =>
  `../../${encodeSlug(slug)}${query}#${encodeSlug(formAnchor(formId))}`;

export function formRoutes(
  languages: PageFormTextsByLanguage,
  { showPage, missing }: { readonly showPage: ShowPage; readonly missing: ShowMissingPage },
): readonly PublicRoute[] {
  return [
    ...contentRoutes<FormOnPage>({
      http: 'GET /p/{slug}/forms/{formId}',
      description: 'Redirects to the page of the form, if the address of a posted form is opened again.',
      limit,
      find: findForm,
      handler: async (_context, _request, { object: found }) => seeOther(pageOf(found)),
      missing,
    }),
    ...contentRoutes<FormOnPage>({
      http: 'POST /p/{slug}/forms/{formId}',
      description:
        'Receives a form of a published page. Redirects to the page, or shows it with the faults. A form from another site is first shown again.',
      maxBodyBytes: maxFormBytes,
      find: findForm,
      async handler(ctx, request, place) {
        const { workspace, object: found } = place;
        const { view, slug, form } = found;
        const { page, content } = view;
        const accepted = request.headers['accept-language'];
        const { language, texts } = await ctx.read(workspace.id, (tx) =>
          textsForVisitor(tx, content, { languages, accepted }),
        );
        const reading = await readPublicForm(ctx, request, publicFormOf(page.id, form, { texts, button: undefined }));
        const { formId } = form;
        if (reading.kind === 'refused' || reading.kind === 'begun' || reading.kind === 'limited') {
          const posted = { formId, errors: undefined, ...reading };
          return showPage(ctx, request, { ...place, object: view }, { posted, isPreview: false });
        }
        const submission = { page, slug, form, values: reading.values, language };
        if (reading.kind === 'sent') await ctx.transact(workspace.id, (tx) => submit(tx, submission));
        // If the honeypot field was filled, the response is the same as for other submissions, so that programs learn nothing from it.
        else await ctx.transact(workspace.id, (tx) => storeTrapped(tx, submission));
        return seeOther(pageOf(found, `?sent=${encodeSlug(formId)}`));
      },
      missing,
    }),
  ];
}
