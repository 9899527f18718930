// Receives the forms of published pages. The response is the same for every address, because a job processes the
// address later.
import type { HttpResponse, PublicRequest, PublicRoute, PublicRouteContext, Workspace } from '../../../core/index.ts';
import { type ContentPlace, contentRoutes, maxFormBytes, readPublicForm, seeOther } from '../../../core/unstable.ts';
import { speechOf } from '../language.ts';
import type { PageForm } from '../sections/form.ts';
import type { ShownPage } from '../service.ts';
import { slugInUrl, slugMeant } from '../slug.ts';
import { publicFormOf } from './fields.ts';
import { type FormsState, formAnchor } from './html.ts';
import { keepTrapped, submit } from './submit.ts';
import type { PageFormTextsByLanguage } from './texts.ts';

const limit = { perMinute: 120, burst: 60 };

/** A form on a published page. */
interface PlacedForm {
  readonly shown: ShownPage;
  /** The slug under which visitors find the page. */
  readonly slug: string;
  readonly form: PageForm;
}

/** Shows a page with the state of its forms. */
export type ShowPage = (
  context: PublicRouteContext,
  request: PublicRequest,
  place: ContentPlace<ShownPage>,
  state: FormsState,
) => Promise<HttpResponse>;

type Missing = (
  context: PublicRouteContext,
  request: PublicRequest,
  workspace: Workspace | undefined,
) => Promise<HttpResponse>;

/** Finds the form, also below a slug that the page had when the visitor opened it. */
async function findForm(context: PublicRouteContext, { params }: PublicRequest, workspace: Workspace | undefined) {
  if (workspace === undefined) return undefined;
  const found = await context.read(workspace.id, async ({ trx }): Promise<PlacedForm | undefined> => {
    const { pages } = context.services;
    const slug = params['slug'] ?? '';
    const first = await pages.atSlug(trx, slug, context.now);
    const moved = first !== undefined && 'movedTo' in first ? first.movedTo : undefined;
    const at = moved === undefined ? first : await pages.atSlug(trx, moved, context.now);
    if (at === undefined || 'movedTo' in at) return undefined;
    const section = at.shown.content.sections.find(({ form }) => form?.formId === slugMeant(params['formId'] ?? ''));
    return section?.form && { shown: at.shown, slug: moved ?? slug, form: section.form };
  });
  return found === undefined ? undefined : { workspaceId: workspace.id, found };
}

/** The address of the form's page, relative to the address of the form. */
const pageOf = ({ slug, form: { formId } }: PlacedForm, query = ''): string =>
  `../../${slugInUrl(slug)}${query}#${slugInUrl(formAnchor(formId))}`;

export function formRoutes(
  languages: PageFormTextsByLanguage,
  { showPage, missing }: { readonly showPage: ShowPage; readonly missing: Missing },
): readonly PublicRoute[] {
  return [
    ...contentRoutes<PlacedForm>({
      http: 'GET /p/{slug}/forms/{formId}',
      description: 'Leads to the page of the form: the address of a form that was shown again with its faults.',
      limit,
      find: findForm,
      handler: async (_context, _request, { found }) => seeOther(pageOf(found)),
      missing,
    }),
    ...contentRoutes<PlacedForm>({
      http: 'POST /p/{slug}/forms/{formId}',
      description:
        'Takes in a form of a published page. Leads back to the page, or shows it with the faults. A form of another page is shown first, filled in.',
      maxBodyBytes: maxFormBytes,
      find: findForm,
      async handler(context, request, place) {
        const { workspace, found } = place;
        const { shown, slug, form } = found;
        const { page, content } = shown;
        const accepted = request.headers['accept-language'];
        const { language, texts } = await context.read(workspace.id, (ctx) =>
          speechOf(ctx, content, { languages, accepted }),
        );
        const reading = await readPublicForm(
          context,
          request,
          publicFormOf(page.id, form, { texts, button: undefined }),
        );
        const { formId } = form;
        if (reading.kind === 'refused' || reading.kind === 'begun') {
          const errors = reading.kind === 'refused' ? reading.errors : undefined;
          const posted = { formId, values: reading.values, errors };
          return showPage(context, request, { ...place, found: shown }, { posted, isPreview: false });
        }
        const sent = { page, slug, form, values: reading.values, language };
        if (reading.kind === 'sent') await context.transact(workspace.id, (effects) => submit(effects, sent));
        // The response is the same, so that programs learn nothing from it.
        else await context.transact(workspace.id, (effects) => keepTrapped(effects, sent));
        return seeOther(pageOf(found, `?sent=${slugInUrl(formId)}`));
      },
      missing,
    }),
  ];
}
