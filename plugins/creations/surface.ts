// The approval surface of strategies: the content that would be built.
import type { Surface } from '../../core/index.ts';
import { decidedContent } from './edits.ts';
import { surfaceKind } from './present.ts';
import { itemsOfOne } from './store.ts';
import { creationRows } from './tables.ts';

export const strategySurface: Surface = {
  kind: surfaceKind,
  targetKind: 'creation',
  async read({ trx }, targetId) {
    const row = await creationRows.find(trx, targetId);
    if (row?.strategy == null) return undefined;
    const items = await itemsOfOne(trx, row.id);
    return { name: row.name, content: decidedContent({ strategy: row.strategy, items }), before: null };
  },
};
