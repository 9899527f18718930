// The page where a recipient of marketing mail chooses public lists and topics, or stops all marketing mail. The token came by mail, so choices
// on this page do not need a confirmation.
import {
  isPostriderError,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
  type TransactionContext,
  type Workspace,
} from '../../../core/index.ts';
import {
  type ContentRouteContext,
  chooseTexts,
  contentRoutes,
  escapeHtml,
  languageFields,
  maxFormBytes,
  pageAppearanceOf,
  paragraph,
  publicPage,
  repeatOnConflict,
  seeOther,
} from '../../../core/unstable.ts';
import type { TopicChoice, TopicsService } from '../../topics/index.ts';
import { joinConfirmed, removeMembers } from '../members.ts';
import { type PreferenceVisitor, visitorOf } from '../preferences.ts';
import { confirmedPublicLists, publicLists } from '../store.ts';
import { type ListTexts, type ListTextsByLanguage, topicsTitle } from '../texts.ts';
import { notFoundPage } from './not-found-page.ts';

const limit = { perMinute: 120, burst: 60 };
/** The page adds lists that the visitor has not chosen until it shows this many. */
const maxShown = 200;
/** The visitor's own lists are all shown, up to this number: a form has no room for more beside the topics. */
const maxOwn = 350;

const consentNote = 'Chosen on the page of preferences, whose link came by mail.';

/** A list or a topic. */
interface Choice {
  /** The id of a list, or the key of a topic. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly chosen: boolean;
}

async function find(ctx: PublicRouteContext, { params }: PublicRequest) {
  const found = await ctx.readUnscoped('a token contains only the id of its contact', (handle) =>
    visitorOf(ctx, handle, params['token'] ?? ''),
  );
  return found === undefined ? undefined : { workspaceId: found.workspaceId, found };
}

/** The contact of a visitor. An address without a contact may have got one since. */
const contactIdOf = async (
  ctx: PublicRouteContext,
  handle: TransactionContext['trx'],
  { contactId, email }: PreferenceVisitor,
) => contactId ?? (await ctx.services.contacts.byEmail(handle, email))?.id;

async function choicesOf(
  ctx: PublicRouteContext,
  handle: TransactionContext['trx'],
  visitor: PreferenceVisitor,
): Promise<Choice[]> {
  const contactId = await contactIdOf(ctx, handle, visitor);
  const ownLists = contactId === undefined ? [] : await confirmedPublicLists(handle, contactId, maxOwn);
  const ids = new Set(ownLists.map(({ id }) => id));
  const others = (await publicLists(handle, maxShown)).filter(({ id }) => !ids.has(id));
  return [
    ...ownLists.map((list) => ({ ...list, chosen: true })),
    ...others.slice(0, Math.max(0, maxShown - ownLists.length)).map((list) => ({ ...list, chosen: false })),
  ].sort((one, other) => one.name.localeCompare(other.name));
}

/** The topics that the visitor may see, in the order of the workspace. */
async function topicsOf(
  { services }: PublicRouteContext,
  handle: TransactionContext['trx'],
  { email }: PreferenceVisitor,
): Promise<Choice[]> {
  const topics: TopicsService | undefined = services.topics;
  const found: readonly TopicChoice[] = (await topics?.choicesOf(handle, email)) ?? [];
  return found.map(({ key, name, description, subscribed }) => ({ id: key, name, description, chosen: subscribed }));
}

/**
 * A checkbox. The hidden field tells what the page showed, because a form does not contain empty checkboxes, and because the choice may have
 * changed elsewhere since.
 */
const choiceHtml = (kind: 'list' | 'topic', { id, name, description, chosen }: Choice): string => {
  const [field, about] = [`${kind}-${id}`, `about-${kind}-${id}`];
  const text = description === '' ? '' : `<p id="${about}">${escapeHtml(description)}</p>`;
  const described = description === '' ? '' : ` aria-describedby="${about}"`;
  const shown = chosen ? 'ticked' : 'unticked';
  return `<div class="choice"><input type="checkbox" id="${field}" name="${kind}" value="${id}"${chosen ? ' checked' : ''}${described}><label for="${field}">${escapeHtml(name)}</label>${text}<input type="hidden" name="${shown}_${kind}" value="${id}"></div>`;
};

type Texts = Omit<ListTexts['preferences'], 'all'>;

const choicesHtml = (kind: 'list' | 'topic', title: string, choices: readonly Choice[]): string =>
  choices.length === 0
    ? ''
    : `<fieldset><legend>${escapeHtml(title)}</legend>
${choices.map((choice) => choiceHtml(kind, choice)).join('\n')}
</fieldset>`;

const choicesForm = (
  lists: readonly Choice[],
  topics: readonly Choice[],
  { lists: listsTitle, topics: title = topicsTitle, save }: Texts,
): string =>
  lists.length + topics.length === 0
    ? ''
    : `<form method="post">${choicesHtml('topic', title, topics)}${choicesHtml('list', listsTitle, lists)}<button name="do" value="save">${escapeHtml(save)}</button></form>
<hr>`;

const stopForm = (canChoose: boolean, { stopTitle, stopNote, stopNoteWithLists, stop }: Texts): string =>
  `<form method="post"><h2>${escapeHtml(stopTitle)}</h2>
${paragraph(canChoose ? stopNoteWithLists : stopNote)}
<button class="plain" name="do" value="stop">${escapeHtml(stop)}</button></form>`;

const preferencesPage =
  (languages: ListTextsByLanguage) =>
  async (
    ctx: PublicRouteContext,
    { query, headers }: PublicRequest,
    { workspace, found: visitor }: ContentRouteContext<PreferenceVisitor>,
  ) => {
    const { lists, topics, isStopped } = await ctx.read(workspace.id, async ({ trx }) => {
      const side = trx.onSide(visitor.sandbox);
      const suppressed = await ctx.services.suppressions.suppressedAmong(side, [visitor.email], ctx.now);
      const [lists, topics] = [await choicesOf(ctx, side, visitor), await topicsOf(ctx, side, visitor)];
      return { lists, topics, isStopped: suppressed.size > 0 };
    });
    const chosen = chooseTexts(languages, headers['accept-language']);
    const { all, ...own } = chosen.texts.preferences;
    const stopsAll = ctx.services.suppressions.unsubscribeScopeOf(workspace, 'marketing') === 'all';
    const texts = stopsAll ? { ...own, ...all } : own;
    const canChoose = lists.length + topics.length > 0;
    const saved = query.has('saved') ? `<p role="status"><strong>${escapeHtml(texts.saved)}</strong></p>\n` : '';
    const stopped = isStopped ? `${paragraph(canChoose ? texts.stoppedWithLists : texts.stopped)}\n` : '';
    return publicPage({
      ...languageFields(chosen),
      appearance: await pageAppearanceOf(ctx, workspace),
      title: texts.title,
      body: `${saved}${stopped}${choicesForm(lists, topics, texts)}\n${isStopped ? '' : stopForm(canChoose, texts)}`,
    });
  };

/** A box that the visitor ticked or unticked. */
interface ChangedChoice {
  readonly id: string;
  readonly wanted: boolean;
}

/**
 * The choices that the visitor ticked or unticked, of those that the page offers. The state that the form showed decides, so that a page
 * that was opened before an unsubscription does not undo it.
 */
function changedIn(form: URLSearchParams, kind: 'list' | 'topic', offered: readonly Choice[]): ChangedChoice[] {
  const idsIn = (field: string): ReadonlySet<string> => new Set(form.getAll(`${field}${kind}`));
  const [wanted, ticked, unticked] = [idsIn(''), idsIn('ticked_'), idsIn('unticked_')];
  return offered.flatMap(({ id }) => {
    const isWanted = wanted.has(id);
    return (isWanted ? unticked : ticked).has(id) ? [{ id, wanted: isWanted }] : [];
  });
}

/** Sets preferences for the topics that the visitor changed. A topic that stays as it was gets no preference: nobody consented to it. */
async function chooseTopics(
  ctx: PublicRouteContext,
  tx: TransactionContext,
  visitor: PreferenceVisitor,
  form: URLSearchParams,
): Promise<void> {
  const changed = changedIn(form, 'topic', await topicsOf(ctx, tx.trx, visitor));
  if (changed.length === 0) return;
  const topics = new Map(changed.map(({ id, wanted }) => [id, wanted]));
  await ctx.services.topics.set(tx, { email: visitor.email, topics, source: 'page', consentNote });
}

/** Adds and removes memberships for the lists that the visitor changed. */
async function chooseLists(
  ctx: PublicRouteContext,
  tx: TransactionContext,
  visitor: PreferenceVisitor,
  form: URLSearchParams,
): Promise<void> {
  const changed = changedIn(form, 'list', await choicesOf(ctx, tx.trx, visitor))
    // All callers lock several lists in this order.
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  if (changed.length === 0) return;
  const { contacts } = ctx.services;
  const earlierContactId = await contactIdOf(ctx, tx.trx, visitor);
  const contactId = earlierContactId ?? (await contacts.resolve(tx, { email: visitor.email }, { create: true })).id;
  for (const { id, wanted } of changed)
    if (wanted) await joinConfirmed(tx, id, contactId, { source: 'form', consentNote });
    else await removeMembers(tx, id, [contactId], 'confirmed');
}

async function save(ctx: PublicRouteContext, workspace: Workspace, visitor: PreferenceVisitor, form: URLSearchParams) {
  const { sandbox } = visitor;
  const work = async (tx: TransactionContext): Promise<void> => {
    if (form.get('do') === 'save') {
      await chooseTopics(ctx, tx, visitor, form);
      await chooseLists(ctx, tx, visitor, form);
    }
    if (form.get('do') === 'stop')
      await ctx.services.suppressions.unsubscribe(tx, { email: visitor.email, category: 'marketing' });
  };
  const run = () => repeatOnConflict(() => ctx.transact(workspace.id, work, { sandbox }));
  await run().catch((error: unknown) => {
    // Another transaction deleted a list or a topic. The next run reads the new state.
    if (!isPostriderError(error, 'list_not_found') && !isPostriderError(error, 'topic_not_found')) throw error;
    return run();
  });
}

export const preferencesRoutes = (languages: ListTextsByLanguage): readonly PublicRoute[] => [
  ...contentRoutes<PreferenceVisitor>({
    http: 'GET /preferences/{token}',
    description: 'The page where a recipient of marketing mail chooses what they get. Changes nothing.',
    limit,
    find,
    handler: preferencesPage(languages),
    missing: notFoundPage(languages, ({ preferences }) => preferences.incomplete),
  }),
  ...contentRoutes<PreferenceVisitor>({
    http: 'POST /preferences/{token}',
    description:
      'Changes the memberships of a recipient in public lists and their topics, or ends marketing mail to the address.',
    limit,
    maxBodyBytes: maxFormBytes,
    // The right to object to mail does not depend on the state of the sending workspace.
    servesSuspended: true,
    find,
    async handler(ctx, request, { workspace, found }) {
      await save(ctx, workspace, found, await request.form());
      return seeOther('?saved');
    },
    missing: notFoundPage(languages, ({ preferences }) => preferences.incomplete),
  }),
];
