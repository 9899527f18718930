// Brands that the fixtures of this plugin need, and requests that raise its errors.
import type { ErrorProvocations, FixtureKit } from '../../../core/index.ts';

/** The id of a brand of the workspace. */
export async function someBrand(kit: FixtureKit, workspaceId: string): Promise<string> {
  const { id } = await kit.call('brand.create', { name: kit.unique('Brand') }, workspaceId);
  return String(id);
}

const tooMany = Array.from({ length: 21 }, (_, index) => ({ name: `Theme ${index}` }));

export const tooManyThemes: ErrorProvocations = {
  limit_reached: async () => ({ body: { name: 'Crowded', themes: tooMany } }),
};
