// The operations of the plugin, in the order of the reference.
import { createComposition } from './create-composition.ts';
import { deleteComposition } from './delete-composition.ts';
import { listCanvasSizes } from './list-canvas-sizes.ts';
import { listCompositions } from './list-compositions.ts';
import { readComposition } from './read-composition.ts';
import { renderComposition } from './render-composition.ts';
import { updateComposition } from './update-composition.ts';

export const operations = [
  listCanvasSizes,
  createComposition,
  listCompositions,
  readComposition,
  renderComposition,
  updateComposition,
  deleteComposition,
] as const;
