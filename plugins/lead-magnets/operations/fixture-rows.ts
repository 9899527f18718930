// Lead magnets for the fixtures of this plugin.
import type { FixtureKit } from '../../../core/index.ts';
import { placeholder } from '../../kit/placeholders.ts';

const chapters = [{ heading: 'Your starter', summary: 'Flour, water and patience.', text: 'Feed it **every day**.' }];

const createRow = async (kit: FixtureKit, workspaceId: string, body: object): Promise<string> =>
  String((await kit.call('lead_magnets.create', { title: kit.unique('Sourdough'), ...body }, workspaceId))['id']);

/** The id of a brand. */
export const brandIn = async (kit: FixtureKit, workspaceId: string): Promise<string> =>
  String((await kit.call('brand.create', { name: kit.unique('Brand') }, workspaceId))['id']);

/** A draft with a brief. */
export const someDraft = (kit: FixtureKit, workspaceId: string): Promise<string> =>
  createRow(kit, workspaceId, { brief: 'A guide for people who bake their first bread.' });

/**
 * A lead magnet that can be exported. It has its own brand, so that other fixtures' changes of the default brand do not
 * matter.
 */
export const readyOne = async (kit: FixtureKit, workspaceId: string): Promise<string> =>
  createRow(kit, workspaceId, { chapters, brandId: await brandIn(kit, workspaceId) });

/** A lead magnet with a placeholder. */
export const unwrittenOne = (kit: FixtureKit, workspaceId: string): Promise<string> =>
  createRow(kit, workspaceId, {
    chapters: [{ heading: 'Your starter', text: placeholder('The text of this chapter') }],
  });

/** A lead magnet whose first text is being written. */
export async function queuedOne(kit: FixtureKit, workspaceId: string): Promise<string> {
  const id = await someDraft(kit, workspaceId);
  await kit.call('lead_magnets.compose', { id }, workspaceId);
  return id;
}

/** A lead magnet whose title contains characters that no font has. */
export const unprintableOne = (kit: FixtureKit, workspaceId: string): Promise<string> =>
  createRow(kit, workspaceId, { title: 'Bread 🍞', chapters });

export const noBrand = 'brd_01ARZ3NDEKTSV4RRFFQ69G5FAV';
