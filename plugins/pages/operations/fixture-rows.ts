// Pages for the fixtures of this plugin.
import type { FixtureKit, TransactionContext } from '../../../core/index.ts';
import { placeholder } from '../../kit/placeholders.ts';
import { summaryOf, workingHash } from '../content.ts';
import { lockPage } from '../store.ts';
import { pageRows } from '../tables.ts';

/** The id of a brand of this workspace. */
export async function brandIn(kit: FixtureKit, workspaceId: string): Promise<string> {
  // A workspace may have few brands, so a brand of an earlier fixture is reused.
  const { data } = await kit.call('brand.list', { limit: 1 }, workspaceId);
  const [there] = data as { id: string }[];
  const { id } = there ?? (await kit.call('brand.create', { name: kit.unique('Brand') }, workspaceId));
  return String(id);
}

const brief = 'A page for our sourdough course. Six evenings for beginners.';

async function newPage(kit: FixtureKit, workspaceId: string) {
  const brandId = await brandIn(kit, workspaceId);
  const slug = kit.unique('course').toLowerCase();
  return kit.call('pages.create', { brief, brandId, slug, length: 'short' }, workspaceId);
}

/** The id of a page whose first build is waiting. */
export const somePage = async (kit: FixtureKit, workspaceId: string): Promise<string> =>
  String((await newPage(kit, workspaceId))['id']);

/** The slug of a page. */
export const slugOf = async (kit: FixtureKit): Promise<string> => String((await newPage(kit, kit.workspaceId))['slug']);

/** A heading that people have not written yet. */
export const unwritten = placeholder('What this page offers, in one line');

/** Ends the build of a page, as the build job does. */
async function makeReady({ trx, newId }: TransactionContext, id: string, heading: string): Promise<void> {
  const page = await lockPage(trx, id);
  const title = 'Our sourdough course';
  const sections = [{ id: newId('sec'), kind: 'hero' as const, heading }];
  const changed = { ...page, title, sections };
  const ready = { compose_status: 'ready' as const, build: null, outline: summaryOf(sections) };
  await pageRows.change(trx, page, { ...ready, title, sections, content_hash: workingHash(changed) });
}

/** The id of a page that is built. */
export async function readyPage(
  kit: FixtureKit,
  workspaceId: string,
  heading = 'Bake sourdough at home',
): Promise<string> {
  const id = await somePage(kit, workspaceId);
  await kit.write((ctx) => makeReady(ctx, id, heading), workspaceId);
  return id;
}

/** The id of a page that is published. */
export async function publishedPage(kit: FixtureKit, workspaceId: string): Promise<string> {
  const idOrSlug = await readyPage(kit, workspaceId);
  await kit.call('pages.publish', { idOrSlug }, workspaceId);
  return idOrSlug;
}

/** The id of a page that was imported. */
export async function importedPage(kit: FixtureKit): Promise<string> {
  const id = await readyPage(kit, kit.workspaceId);
  await kit.write(({ trx }) => pageRows.update(trx, id, { editor: 'retired', sections: [], html: '<h1>Course</h1>' }));
  return id;
}

/** Rows of another workspace that a form can name. */
async function foreignTargets(kit: FixtureKit) {
  const list = await kit.call('lists.create', { name: kit.unique('Theirs') }, kit.foreignWorkspaceId);
  const listId = String(list['listId']);
  const sequence = await kit.call(
    'sequences.create',
    { name: kit.unique('Theirs'), nodes: [] },
    kit.foreignWorkspaceId,
  );
  const sequenceKey = String(sequence['key']);
  const magnet = await kit.call('lead_magnets.create', { title: kit.unique('Theirs') }, kit.foreignWorkspaceId);
  return { listId, sequenceKey, leadMagnetId: String(magnet['id']) };
}

/** Forms of a new page that name rows of another workspace. */
export async function foreignForms(kit: FixtureKit) {
  const { listId, sequenceKey, leadMagnetId } = await foreignTargets(kit);
  return {
    'form.listId': { listId },
    'form.sequenceKey': { sequenceKey },
    'form.leadMagnetId': { leadMagnetId },
  };
}

/** Sections that name rows of another workspace. */
export async function foreignParts(kit: FixtureKit) {
  const announced = { name: 'Theirs', contentType: 'image/png', bytes: 100 };
  const imageAssetId = String((await kit.call('assets.create', announced, kit.foreignWorkspaceId))['assetId']);
  const { listId, sequenceKey, leadMagnetId } = await foreignTargets(kit);
  const fields = [{ name: 'email', type: 'email', label: 'Email' }];
  return {
    'sections[].imageAssetId': [{ kind: 'hero', heading: 'Theirs', imageAssetId }],
    'sections[].items[].imageAssetId': [{ kind: 'features', items: [{ title: 'Theirs', imageAssetId }] }],
    'sections[].form.listId': [{ kind: 'newsletter', form: { formId: 'news', fields, listId } }],
    'sections[].form.formId': 'skipped: it names the form on its page',
    'sections[].form.sequenceKey': [{ kind: 'newsletter', form: { formId: 'news', fields, sequenceKey } }],
    'sections[].form.leadMagnetId': [{ kind: 'newsletter', form: { formId: 'news', fields, leadMagnetId } }],
  };
}
