// The published pages whose forms use a list; checked before the list is deleted. The entry of `lists.references`.
import type { ReferenceSource } from '../../core/index.ts';

const maxShown = 20;

export const createListReferences = (): ReferenceSource => ({
  async referencesTo({ trx }, listId) {
    // Both sides share lists, but pages of the sandbox are not public.
    const references = await trx
      .onSide(false)
      .db.selectFrom('pages')
      .select('published_slug')
      .where('status', '=', 'published')
      .where('list_ids', 'like', `%,${listId},%`)
      .limit(maxShown)
      .execute();
    return references.map(({ published_slug: slug }) => ({ kind: 'page', name: slug ?? '' }));
  },
});
