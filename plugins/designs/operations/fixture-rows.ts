// Rows for the fixtures of the operations.
import type { FixtureKit } from '../../../core/index.ts';
import type { Layer } from '../schema.ts';

/** Creates a composition with a background and a text, and returns its id. */
export async function someComposition(
  kit: FixtureKit,
  workspaceId: string,
  layers: readonly Partial<Layer>[] = someLayers,
): Promise<string> {
  const name = kit.unique('Spring sale');
  const design = await kit.call('designs.create', { name, cropPresetId: 'li-cover' }, workspaceId);
  const compositionId = String(design['compositionId']);
  await kit.call('designs.update', { compositionId, layers }, workspaceId);
  return compositionId;
}

/** The layers of a small picture. */
export const someLayers = [
  { id: 'ground', kind: 'shape', shape: 'rect', x: 0, y: 0, width: 1_128, height: 191, fill: '#1c5a44' },
  { id: 'title', kind: 'text', text: 'Spring sale', x: 40, y: 56, width: 700, height: 80, size: 64, weight: 700 },
] as const;

/** Creates a picture in the asset library, and returns its id. */
export async function somePicture(kit: FixtureKit, workspaceId: string): Promise<string> {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const { assetId } = await kit.call('assets.create', { name: kit.unique('Pixel'), dataBase64: pixel }, workspaceId);
  return String(assetId);
}
