// Compositions as the API shows them. Makes no calls.
import { presenter, type ServiceContext } from '../../core/index.ts';
import { compositionResource } from './schema.ts';
import { type CompositionRow, compositions } from './tables.ts';
import { thumbnailToken } from './tokens.ts';

const presentColumns = presenter(compositions, compositionResource.omit({ thumbnailUrl: true }), {
  compositionId: ({ id }) => id,
  layers: ({ layers }) => [...layers],
});

/** The path under which thumbnails are served. */
export const thumbnailPath = '/thumbnails';

/** A composition with the URL of its thumbnail. If the program has not set `publicUrl`, the URL is only a path. */
export function presentComposition({ ports }: ServiceContext, row: CompositionRow) {
  const token = thumbnailToken(ports.keyring, { compositionId: row.id, version: row.version });
  return { ...presentColumns(row), thumbnailUrl: `${ports.service.publicUrl ?? ''}${thumbnailPath}/${token}` };
}
