// Compositions are pictures of the company, so an export contains no compositions. If a text or a name contains an address, the address is
// removed when the person is erased.
import { type PersonalData, sweepRows } from '../../core/index.ts';
import type { Layer } from './schema.ts';
import { compositionRows } from './tables.ts';

export const personalData: PersonalData = {
  export: async () => ({}),
  erase: async () => 'done',
  sweep: (sweepContext, finder) =>
    sweepRows(sweepContext, finder, {
      rows: compositionRows,
      batch: 50,
      textOf: ({ name, layers }) =>
        [name, ...layers.map((layer) => (layer.kind === 'text' ? layer.text : ''))].join('\n'),
      changes: ({ name, layers, version }, now) => ({
        name: finder.erase(name),
        layers: layers.map(
          (layer): Layer => (layer.kind === 'text' ? { ...layer, text: finder.erase(layer.text) } : layer),
        ),
        version: version + 1,
        updated_at: now,
      }),
    }),
};
