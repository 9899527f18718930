// Compositions as the API shows them. Computes only.
import { presenter, type ServiceContext } from '../../core/index.ts';
import { compositionResource } from './schema.ts';
import { type CompositionRow, compositions } from './tables.ts';
import { thumbnailToken } from './tokens.ts';

const shown = presenter(compositions, compositionResource.omit({ thumbnailUrl: true }), {
  compositionId: ({ id }) => id,
  layers: ({ layers }) => [...layers],
});

/** Where thumbnails are served. */
export const thumbnailPath = '/thumbnails';

/** A composition with the address of its thumbnail; a path alone where the program has set no `publicUrl`. */
export function presentComposition({ ports }: ServiceContext, row: CompositionRow) {
  const token = thumbnailToken(ports.keyring, { compositionId: row.id, version: row.version });
  return { ...shown(row), thumbnailUrl: `${ports.service.publicUrl ?? ''}${thumbnailPath}/${token}` };
}
