// The page where a recipient of marketing mail chooses public lists, or stops all marketing mail. The token came by mail, so choices
// on this page do not need a confirmation.
import {
  isPostriderError,
  isStorageError,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
  type TransactionContext,
  type Workspace,
} from '../../../core/index.ts';
import {
  type ContentPlace,
  chooseTexts,
  contentRoutes,
  escapeHtml,
  inLanguage,
  lookOf,
  maxFormBytes,
  paragraph,
  publicPage,
  seeOther,
} from '../../../core/unstable.ts';
import { joinConfirmed, removeMembers } from '../members.ts';
import { type Visitor, visitorOf } from '../preferences.ts';
import { confirmedPublicLists, publicLists } from '../store.ts';
import type { ListTexts, ListTextsByLanguage } from '../texts.ts';
import { missingPage } from './missing.ts';

const limit = { perMinute: 120, burst: 60 };
/** The maximum number of lists that the page shows. It always includes the visitor's own lists, as many as a form can contain. */
const maxShown = 200;
const maxOwn = 800;

const consentNote = 'Chosen on the page of preferences, whose link came by mail.';

interface Choice {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly chosen: boolean;
}

async function find(context: PublicRouteContext, { params }: PublicRequest) {
  const found = await context.readUnscoped('a token names nothing but its contact', (handle) =>
    visitorOf(context, handle, params['token'] ?? ''),
  );
  return found === undefined ? undefined : { workspaceId: found.workspaceId, found };
}

/** The contact of a visitor. An address without a contact may have got one since. */
const contactIdOf = async (
  context: PublicRouteContext,
  handle: TransactionContext['trx'],
  { contactId, email }: Visitor,
) => contactId ?? (await context.services.contacts.byEmail(handle, email))?.id;

async function choicesOf(
  context: PublicRouteContext,
  handle: TransactionContext['trx'],
  visitor: Visitor,
): Promise<Choice[]> {
  const contactId = await contactIdOf(context, handle, visitor);
  const own = contactId === undefined ? [] : await confirmedPublicLists(handle, contactId, maxOwn);
  const ids = new Set(own.map(({ id }) => id));
  const others = (await publicLists(handle, maxShown)).filter(({ id }) => !ids.has(id));
  return [
    ...own.map((list) => ({ ...list, chosen: true })),
    ...others.slice(0, Math.max(0, maxShown - own.length)).map((list) => ({ ...list, chosen: false })),
  ].sort((one, other) => one.name.localeCompare(other.name));
}

const choiceHtml = ({ id, name, description, chosen }: Choice): string => {
  const about = description === '' ? '' : `<p id="d-${id}">${escapeHtml(description)}</p>`;
  const described = description === '' ? '' : ` aria-describedby="d-${id}"`;
  return `<div class="choice"><input type="checkbox" id="${id}" name="list" value="${id}"${chosen ? ' checked' : ''}${described}><label for="${id}">${escapeHtml(name)}</label>${about}<input type="hidden" name="shown" value="${id}"></div>`;
};

type Texts = Omit<ListTexts['preferences'], 'all'>;

const listsForm = (choices: readonly Choice[], { lists, save }: Texts): string =>
  choices.length === 0
    ? ''
    : `<form method="post"><fieldset><legend>${escapeHtml(lists)}</legend>
${choices.map(choiceHtml).join('\n')}
</fieldset><button name="do" value="save">${escapeHtml(save)}</button></form>
<hr>`;

const stopForm = (canChoose: boolean, { stopTitle, stopNote, stopNoteWithLists, stop }: Texts): string =>
  `<form method="post"><h2>${escapeHtml(stopTitle)}</h2>
${paragraph(canChoose ? stopNoteWithLists : stopNote)}
<button class="plain" name="do" value="stop">${escapeHtml(stop)}</button></form>`;

const preferencesPage =
  (languages: ListTextsByLanguage) =>
  async (
    context: PublicRouteContext,
    { query, headers }: PublicRequest,
    { workspace, found: visitor }: ContentPlace<Visitor>,
  ) => {
    const { choices, isStopped } = await context.read(workspace.id, async ({ trx }) => {
      const side = trx.onSide(visitor.sandbox);
      const suppressed = await context.services.suppressions.suppressedAmong(side, [visitor.email], context.now);
      return { choices: await choicesOf(context, side, visitor), isStopped: suppressed.size > 0 };
    });
    const chosen = chooseTexts(languages, headers['accept-language']);
    const { all, ...own } = chosen.texts.preferences;
    const stopsAll = context.services.suppressions.reachOf(workspace, 'marketing') === 'all';
    const texts = stopsAll ? { ...own, ...all } : own;
    const canChoose = choices.length > 0;
    const saved = query.has('saved') ? `<p role="status"><strong>${escapeHtml(texts.saved)}</strong></p>\n` : '';
    const stopped = isStopped ? `${paragraph(canChoose ? texts.stoppedWithLists : texts.stopped)}\n` : '';
    return publicPage({
      ...inLanguage(chosen),
      look: await lookOf(context, workspace),
      title: texts.title,
      body: `${saved}${stopped}${listsForm(choices, texts)}\n${isStopped ? '' : stopForm(canChoose, texts)}`,
    });
  };

/** Adds and removes memberships for the lists that the page showed. Other lists stay as they are. */
async function choose(
  context: PublicRouteContext,
  effects: TransactionContext,
  visitor: Visitor,
  form: URLSearchParams,
): Promise<void> {
  const [shown, wanted] = [new Set(form.getAll('shown')), new Set(form.getAll('list'))];
  const changed = (await choicesOf(context, effects.trx, visitor))
    .filter(({ id, chosen }) => shown.has(id) && chosen !== wanted.has(id))
    // All callers lock several lists in this order.
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  if (changed.length === 0) return;
  const { contacts } = context.services;
  const known = await contactIdOf(context, effects.trx, visitor);
  const contactId = known ?? (await contacts.resolve(effects, { email: visitor.email }, { create: true })).id;
  for (const { id, chosen } of changed)
    if (chosen) await removeMembers(effects, id, [contactId], 'confirmed');
    else await joinConfirmed(effects, id, contactId, { source: 'form', consentNote });
}

async function save(context: PublicRouteContext, workspace: Workspace, visitor: Visitor, form: URLSearchParams) {
  const { sandbox } = visitor;
  const work = async (effects: TransactionContext): Promise<void> => {
    if (form.get('do') === 'save') await choose(context, effects, visitor, form);
    if (form.get('do') === 'stop')
      await context.services.suppressions.unsubscribe(effects, { email: visitor.email, category: 'marketing' });
  };
  const run = () => context.transact(workspace.id, work, { sandbox });
  await run().catch((error: unknown) => {
    // Another transaction created the same contact or suppression, or deleted a list. The retry reads the new state.
    const isMoved = isPostriderError(error, 'list_not_found');
    if (!isMoved && !isStorageError(error, 'unique') && !isStorageError(error, 'deadlock')) throw error;
    return run();
  });
}

export const preferencesRoutes = (languages: ListTextsByLanguage): readonly PublicRoute[] => [
  ...contentRoutes<Visitor>({
    http: 'GET /preferences/{token}',
    description: 'The page where a recipient of marketing mail chooses what they get. Changes nothing.',
    limit,
    find,
    handler: preferencesPage(languages),
    missing: missingPage(languages, ({ preferences }) => preferences.incomplete),
  }),
  ...contentRoutes<Visitor>({
    http: 'POST /preferences/{token}',
    description: 'Changes the memberships of a recipient in public lists, or ends marketing mail to the address.',
    limit,
    maxBodyBytes: maxFormBytes,
    // The right to object to mail does not depend on the state of the sending workspace.
    servesSuspended: true,
    find,
    async handler(context, request, { workspace, found }) {
      await save(context, workspace, found, await request.form());
      return seeOther('?saved');
    },
    missing: missingPage(languages, ({ preferences }) => preferences.incomplete),
  }),
];
