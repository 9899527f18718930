// Which published pages name a list in a form, before it is deleted: the entry of `lists.references`.
import type { ReferenceSource } from '../../core/index.ts';

const shown = 20;

export const createListReferences = (): ReferenceSource => ({
  async referencesTo({ trx }, listId) {
    // Lists are shared, and pages of the sandbox are not public.
    const found = await trx
      .onSide(false)
      .db.selectFrom('pages')
      .select('published_slug')
      .where('status', '=', 'published')
      .where('list_ids', 'like', `%,${listId},%`)
      .limit(shown)
      .execute();
    return found.map(({ published_slug: slug }) => ({ kind: 'page', name: slug ?? '' }));
  },
});
