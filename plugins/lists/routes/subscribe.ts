// The subscribe form of a public list. It always sends a confirmation mail. The response is the same for every address, because a
// job processes the address later.
import {
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
  parseAddress,
  type Workspace,
} from '../../../core/index.ts';
import {
  type ContentRouteContext,
  chooseTexts,
  contentRoutes,
  escapeHtml,
  type FormErrors,
  type FormValues,
  languageFields,
  maxFormBytes,
  pageAppearanceOf,
  paragraph,
  publicFormHtml,
  publicPage,
  readPublicForm,
  seeOther,
} from '../../../core/unstable.ts';
import { type ListRow, listRows } from '../contact-lists.ts';
import { sendFormConfirmationKind } from '../jobs/kinds.ts';
import { ownerOfList } from '../store.ts';
import { type ChosenListTexts, subscribeFormOf } from '../subscribe-form.ts';
import { trappedFormRows } from '../tables.ts';
import type { ListTextsByLanguage } from '../texts.ts';
import { notFoundPage } from './not-found-page.ts';

const limit = { perMinute: 120, burst: 60 };

async function findPublic(
  ctx: PublicRouteContext,
  { params }: PublicRequest,
  workspace: Workspace | undefined,
): Promise<{ readonly workspaceId: string; readonly found: ListRow } | undefined> {
  const id = params['listId'] ?? '';
  const workspaceId =
    workspace?.id ?? (await ctx.readUnscoped('a list names its workspace', (handle) => ownerOfList(handle, id)));
  if (workspaceId === undefined) return undefined;
  const found = await ctx.read(workspaceId, ({ trx }) => listRows.find(trx, id));
  return found?.visibility === 'public' ? { workspaceId, found } : undefined;
}

type SubscribePageContext = ContentRouteContext<ListRow>;

async function formPage(
  ctx: PublicRouteContext,
  { workspace, object: found }: SubscribePageContext,
  chosen: ChosenListTexts,
  {
    values,
    errors,
    retryAfterSeconds,
  }: { readonly values?: FormValues; readonly errors?: FormErrors; readonly retryAfterSeconds?: number } = {},
) {
  const { keyring } = ctx.ports;
  const form = publicFormHtml(subscribeFormOf(found, chosen), { keyring, now: ctx.now, values, errors });
  const title = found.name;
  const windowTitle = `${chosen.texts.subscribe.error} ${title}`;
  return publicPage({
    ...(errors === undefined ? {} : { status: 422, windowTitle }),
    ...languageFields(chosen),
    ...(retryAfterSeconds === undefined
      ? {}
      : { status: 429, headers: { Vary: 'Accept-Language', 'Retry-After': String(retryAfterSeconds) } }),
    appearance: await pageAppearanceOf(ctx, workspace),
    title,
    body: `${found.description === '' ? '' : `<p><bdi>${escapeHtml(found.description)}</bdi></p>`}\n${form}`,
    noindex: values !== undefined,
  });
}

async function thanksPage(ctx: PublicRouteContext, { workspace }: SubscribePageContext, chosen: ChosenListTexts) {
  const { sentTitle, sent, sentHint } = chosen.texts.subscribe;
  return publicPage({
    ...languageFields(chosen),
    appearance: await pageAppearanceOf(ctx, workspace),
    title: sentTitle,
    body: `${paragraph(sent)}\n${paragraph(sentHint, 'small')}`,
  });
}

const sideOf = ({ plan }: Workspace) => ({ sandbox: plan.name === 'sandbox' });

/** Stores a form that the trap dropped, so that people can review it. */
async function storeTrapped(
  ctx: PublicRouteContext,
  { workspace, object: found }: SubscribePageContext,
  values: FormValues,
) {
  const { email = '' } = values;
  const address = parseAddress(email) === undefined ? null : email;
  await ctx.transact(
    workspace.id,
    async ({ trx, newId, now }) => {
      const row = { id: newId('ltf'), list_id: found.id, email: address, fields: values, created_at: now };
      await trappedFormRows.insert(trx, row);
    },
    sideOf(workspace),
  );
}

/** Enqueues the confirmation mail, in the language of the submitted form. */
async function enqueueConfirmation(
  ctx: PublicRouteContext,
  { workspace, object: found }: SubscribePageContext,
  values: FormValues,
  chosen: ChosenListTexts,
) {
  const { email = '', ...fields } = values;
  const at = new Date(ctx.now).toISOString();
  const consentNote = `${subscribeFormOf(found, chosen).consentText} (${at})`.slice(-500);
  const payload = { listId: found.id, email, fields, consentNote, language: chosen.language };
  await ctx.transact(
    workspace.id,
    async ({ enqueue }) => void enqueue({ kind: sendFormConfirmationKind, payload, subject: email }),
    sideOf(workspace),
  );
}

export function subscribeRoutes(languages: ListTextsByLanguage): readonly PublicRoute[] {
  // The subscribe form on a page of another plugin puts the language of that page into the query.
  const chosenFor = ({ query, headers }: PublicRequest): ChosenListTexts =>
    chooseTexts(languages, query.get('language'), headers['accept-language']);
  return [
    ...contentRoutes<ListRow>({
      http: 'GET /lists/{listId}',
      description: 'The subscribe form of a public list.',
      limit,
      find: findPublic,
      handler: (ctx, request, place) =>
        (request.query.has('sent') ? thanksPage : formPage)(ctx, place, chosenFor(request)),
      missing: notFoundPage(languages),
    }),
    ...contentRoutes<ListRow>({
      http: 'POST /lists/{listId}',
      description:
        'Receives the subscribe form of a public list, and mails the address a request to confirm. A form from another site is first shown again.',
      maxBodyBytes: maxFormBytes,
      find: findPublic,
      async handler(ctx, request, place) {
        const chosen = chosenFor(request);
        const reading = await readPublicForm(ctx, request, subscribeFormOf(place.object, chosen));
        if (reading.kind === 'refused' || reading.kind === 'limited') return formPage(ctx, place, chosen, reading);
        if (reading.kind === 'begun') return formPage(ctx, place, chosen, { values: reading.values });
        if (reading.kind === 'trapped') await storeTrapped(ctx, place, reading.values);
        if (reading.kind === 'sent') await enqueueConfirmation(ctx, place, reading.values, chosen);
        const language = request.query.get('language');
        return seeOther(language === null ? '?sent' : `?sent&language=${encodeURIComponent(chosen.language)}`);
      },
      missing: notFoundPage(languages),
    }),
  ];
}
