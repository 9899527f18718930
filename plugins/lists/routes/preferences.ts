// The page where a recipient of marketing mail chooses public lists and topics, or stops all marketing mail. The token came by
// mail, so choices on this page do not need a confirmation.
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
  languageOfPerson,
  maxFormBytes,
  pageAppearanceOf,
  paragraph,
  publicPage,
  repeatOnConflict,
  seeOther,
} from '../../../core/unstable.ts';
import type { TopicChoice, TopicsService } from '../../topics/index.ts';
import { english } from '../languages/en.ts';
import { joinConfirmed, removeMembers } from '../members.ts';
import { type PreferenceVisitor, visitorOf } from '../preferences.ts';
import { confirmedPublicLists, publicLists } from '../store.ts';
import type { ListTexts, ListTextsByLanguage } from '../texts.ts';
import { notFoundPage } from './not-found-page.ts';

const limit = { perMinute: 120, burst: 60 };
/** The page adds lists that the visitor has not chosen until it shows this number of lists. */
const maxShown = 200;
/**
 * The page shows all lists of the visitor up to this number, because a form has room for only a limited number of
 * fields.
 */
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

/** The contact of a visitor: an address without a contact at the time of the mail may have one now. */
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
  const otherLists = (await publicLists(handle, maxShown)).filter(({ id }) => !ids.has(id));
  return [
    ...ownLists.map((list) => ({ ...list, chosen: true })),
    ...otherLists.slice(0, Math.max(0, maxShown - ownLists.length)).map((list) => ({ ...list, chosen: false })),
  ].sort((one, other) => one.name.localeCompare(other.name));
}

/** The topics that the visitor may see, in the order of the workspace. */
async function topicsOf(
  { services }: PublicRouteContext,
  handle: TransactionContext['trx'],
  { email }: PreferenceVisitor,
): Promise<Choice[]> {
  const topics: TopicsService | undefined = services.topics;
  const choices: readonly TopicChoice[] = (await topics?.choicesOf(handle, email)) ?? [];
  return choices.map(({ key, name, description, subscribed }) => ({ id: key, name, description, chosen: subscribed }));
}

/**
 * A checkbox. A form does not send unticked checkboxes, and the choice may have changed elsewhere meanwhile, so a
 * hidden field sends the state that the page showed.
 */
const choiceHtml = (kind: 'list' | 'topic', { id, name, description, chosen }: Choice): string => {
  const [field, descriptionId] = [`${kind}-${id}`, `about-${kind}-${id}`];
  const text = description === '' ? '' : `<p id="${descriptionId}"><bdi>${escapeHtml(description)}</bdi></p>`;
  const described = description === '' ? '' : ` aria-describedby="${descriptionId}"`;
  const shownState = chosen ? 'ticked' : 'unticked';
  return `<div class="choice"><input type="checkbox" id="${field}" name="${kind}" value="${id}"${chosen ? ' checked' : ''}${described}><label for="${field}"><bdi>${escapeHtml(name)}</bdi></label>${text}<input type="hidden" name="${shownState}_${kind}" value="${id}"></div>`;
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
  { lists: listsTitle, topics: title = english.preferences.topics, save }: Texts,
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
    { workspace, object: visitor }: ContentRouteContext<PreferenceVisitor>,
  ) => {
    const {
      lists,
      topics,
      isStopped,
      own: contact,
    } = await ctx.read(workspace.id, async ({ trx }) => {
      const side = trx.onSide(visitor.sandbox);
      const own = await ctx.services.contacts.byEmail(side, visitor.email);
      const suppressed = await ctx.services.suppressions.suppressedAmong(side, [visitor.email], ctx.now);
      const [lists, topics] = [await choicesOf(ctx, side, visitor), await topicsOf(ctx, side, visitor)];
      return { lists, topics, isStopped: suppressed.size > 0, own };
    });
    const chosen = chooseTexts(languages, languageOfPerson(contact?.attributes), headers['accept-language']);
    const { all: textsForAll, ...ordinaryTexts } = chosen.texts.preferences;
    const stopsAll = ctx.services.suppressions.unsubscribeScopeOf(workspace, 'marketing') === 'all';
    const texts = stopsAll ? { ...ordinaryTexts, ...textsForAll } : ordinaryTexts;
    const canChoose = lists.length + topics.length > 0;
    const savedNotice = query.has('saved') ? `<p role="status"><strong>${escapeHtml(texts.saved)}</strong></p>\n` : '';
    const stoppedNotice = isStopped ? `${paragraph(canChoose ? texts.stoppedWithLists : texts.stopped)}\n` : '';
    return publicPage({
      ...languageFields(chosen),
      appearance: await pageAppearanceOf(ctx, workspace),
      title: texts.title,
      body: `${savedNotice}${stoppedNotice}${choicesForm(lists, topics, texts)}\n${isStopped ? '' : stopForm(canChoose, texts)}`,
    });
  };

/** A choice that the visitor changed. */
interface ChangedChoice {
  readonly id: string;
  readonly wanted: boolean;
}

/**
 * The offered choices that the visitor ticked or unticked. They are compared with the state that the form showed, so
 * that a page opened before an unsubscription does not undo it.
 */
function changedChoices(form: URLSearchParams, kind: 'list' | 'topic', offered: readonly Choice[]): ChangedChoice[] {
  const idsIn = (field: string): ReadonlySet<string> => new Set(form.getAll(`${field}${kind}`));
  const [tickedNow, ticked, unticked] = [idsIn(''), idsIn('ticked_'), idsIn('unticked_')];
  return offered.flatMap(({ id }) => {
    const isWanted = tickedNow.has(id);
    return (isWanted ? unticked : ticked).has(id) ? [{ id, wanted: isWanted }] : [];
  });
}

/**
 * Sets preferences for the topics that the visitor changed. An unchanged topic gets no preference, because nobody
 * consented to it.
 */
async function chooseTopics(
  ctx: PublicRouteContext,
  tx: TransactionContext,
  visitor: PreferenceVisitor,
  form: URLSearchParams,
): Promise<void> {
  const changed = changedChoices(form, 'topic', await topicsOf(ctx, tx.trx, visitor));
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
  const changed = changedChoices(form, 'list', await choicesOf(ctx, tx.trx, visitor))
    // All code locks several lists in this order, so that transactions do not deadlock.
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
  const transact = () => repeatOnConflict(() => ctx.transact(workspace.id, work, { sandbox }));
  await transact().catch((error: unknown) => {
    // Another transaction deleted a list or a topic. The next attempt reads the new state.
    if (!isPostriderError(error, 'list_not_found') && !isPostriderError(error, 'topic_not_found')) throw error;
    return transact();
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
    // A person can stop the mail of a workspace even if the workspace is suspended.
    servesSuspended: true,
    find,
    async handler(ctx, request, { workspace, object: found }) {
      await save(ctx, workspace, found, await request.form());
      return seeOther('?saved');
    },
    missing: notFoundPage(languages, ({ preferences }) => preferences.incomplete),
  }),
];
