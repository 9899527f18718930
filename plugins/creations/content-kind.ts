// Lets approval policies hold strategies: defines the content that would be built.
import type { ContentKind } from '../../core/index.ts';
import { decidedContent } from './edits.ts';
import { strategyKindId } from './present.ts';
import { itemsOfCreation } from './store.ts';
import { creationRows } from './tables.ts';

export const strategyContentKind: ContentKind = {
  kind: strategyKindId,
  targetKind: 'creation',
  async read({ trx }, targetId) {
    const row = await creationRows.find(trx, targetId);
    if (row?.strategy == null) return undefined;
    const items = await itemsOfCreation(trx, row.id);
    return { name: row.name, content: decidedContent({ strategy: row.strategy, items }), before: null };
  },
};
