// The subscribe form of a public list. It always asks for confirmation by mail, and its answer is the same for every address:
// what becomes of it is decided by a job.
import type { PublicRequest, PublicRouteContext, Workspace } from '../../../core/index.ts';
import type { ContentPlace, FormErrors, FormValues, PublicForm } from '../../../core/unstable.ts';
import {
  contentRoutes,
  lookOf,
  maxFormBytes,
  paragraph,
  publicFormHtml,
  publicPage,
  readPublicForm,
  seeOther,
} from '../../../core/unstable.ts';
import { askAddressKind } from '../jobs/kinds.ts';
import { ownerOfList } from '../store.ts';
import type { ListRow } from '../tables.ts';
import { listRows } from '../tables.ts';
import { missingPage } from './missing.ts';

const limit = { perMinute: 120, burst: 60 };

const formOf = ({ id, name }: ListRow): PublicForm => ({
  id: `lists.subscribe:${id}`,
  fields: [
    { name: 'email', type: 'email', label: 'Email', required: true },
    { name: 'name', type: 'text', label: 'Name', required: false, autocomplete: 'name' },
  ],
  consentText: `You agree to receive “${name}” by email. We will first email you to confirm, and you can unsubscribe at any time.`,
  button: 'Subscribe',
});

async function findPublic(
  context: PublicRouteContext,
  { params }: PublicRequest,
  workspace: Workspace | undefined,
): Promise<{ readonly workspaceId: string; readonly found: ListRow } | undefined> {
  const id = params['listId'] ?? '';
  const workspaceId =
    workspace?.id ?? (await context.readUnscoped('a list names its workspace', (handle) => ownerOfList(handle, id)));
  if (workspaceId === undefined) return undefined;
  const found = await context.read(workspaceId, (handle) => listRows.find(handle, id));
  return found?.visibility === 'public' ? { workspaceId, found } : undefined;
}

type Place = ContentPlace<ListRow>;

async function formPage(
  context: PublicRouteContext,
  { workspace, found }: Place,
  { values, errors }: { readonly values?: FormValues; readonly errors?: FormErrors } = {},
) {
  const { keyring } = context.ports;
  const form = publicFormHtml(formOf(found), { keyring, now: context.now, values, errors });
  const title = found.name;
  return publicPage({
    ...(errors === undefined ? {} : { status: 422, windowTitle: `Error: ${title}` }),
    look: await lookOf(context, workspace),
    title,
    body: `${found.description === '' ? '' : paragraph(found.description)}\n${form}`,
    noindex: values !== undefined,
  });
}

const thanksPage = async (context: PublicRouteContext, { workspace }: Place) =>
  publicPage({
    look: await lookOf(context, workspace),
    title: 'Check your inbox',
    body: `${paragraph('We have sent you an email. Click its button to confirm your subscription.')}\n${paragraph('Nothing there? Check your spam folder. If you are already subscribed, you will not get another email.', 'small')}`,
  });

export const subscribeRoutes = [
  ...contentRoutes<ListRow>({
    http: 'GET /lists/{listId}',
    description: 'The subscribe form of a public list.',
    limit,
    find: findPublic,
    handler: (context, { query }, place) => (query.has('sent') ? thanksPage(context, place) : formPage(context, place)),
    missing: (context, _, workspace) => missingPage(context, workspace),
  }),
  ...contentRoutes<ListRow>({
    http: 'POST /lists/{listId}',
    description:
      'Takes in the subscribe form of a public list, and asks the address by mail to confirm. A form of another page is shown first, filled in.',
    maxBodyBytes: maxFormBytes,
    find: findPublic,
    async handler(context, request, place) {
      const { found, workspace } = place;
      const form = formOf(found);
      const reading = await readPublicForm(context, request, form);
      if (reading.kind === 'refused') return formPage(context, place, reading);
      if (reading.kind === 'begun') return formPage(context, place, { values: reading.values });
      if (reading.kind === 'sent') {
        const { email = '', ...fields } = reading.values;
        const at = new Date(context.now).toISOString();
        const payload = { listId: found.id, email, fields, consentNote: `${form.consentText} (${at})`.slice(-500) };
        const sandbox = workspace.plan.name === 'sandbox';
        await context.transact(
          workspace.id,
          async ({ enqueue }) => void enqueue({ kind: askAddressKind, payload, subject: email }),
          { sandbox },
        );
      }
      return seeOther('?sent');
    },
    missing: (context, _, workspace) => missingPage(context, workspace),
  }),
];
