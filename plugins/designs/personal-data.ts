// Compositions are pictures of the company, so an export has none of them. An address that a text shows goes when the person is erased.
import type { PersonalData } from '../../core/index.ts';
import type { Layer } from './schema.ts';
import { compositionRows } from './tables.ts';

const batch = 50;

export const personalData: PersonalData = {
  export: async () => ({}),
  erase: async () => 'done',
  async sweep({ read, write, signal }, finder) {
    const found: string[] = [];
    await read(async (handle) => {
      for await (const rows of compositionRows.each(handle, {}, batch)) {
        signal.throwIfAborted();
        for (const { id, name, layers } of rows)
          if (finder.isIn(name) || layers.some((layer) => layer.kind === 'text' && finder.isIn(layer.text)))
            found.push(id);
      }
    });
    for (const id of found) {
      signal.throwIfAborted();
      await write(async ({ trx, now }) => {
        const row = await compositionRows.lock(trx, id);
        if (row === undefined) return;
        const layers = row.layers.map(
          (layer): Layer => (layer.kind === 'text' ? { ...layer, text: finder.erase(layer.text) } : layer),
        );
        await compositionRows.change(trx, row, {
          name: finder.erase(row.name),
          layers,
          version: row.version + 1,
          updated_at: now,
        });
      });
    }
  },
};
