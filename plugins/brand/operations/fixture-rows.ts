// Brands that the fixtures of this plugin need, and requests that cause its errors.
import type { ErrorCases, FixtureKit } from '../../../core/index.ts';

/** Creates a brand in the workspace and returns its id. */
export async function someBrand(kit: FixtureKit, workspaceId: string): Promise<string> {
  const { id } = await kit.call('brand.create', { name: kit.unique('Brand') }, workspaceId);
  return String(id);
}

/** Logos and themes that name assets and a theme of another workspace. */
export async function foreignLogosAndThemes(kit: FixtureKit) {
  const announced = { name: 'Theirs', contentType: 'image/png', bytes: 100 };
  const assetId = String((await kit.call('assets.create', announced, kit.foreignWorkspaceId))['assetId']);
  const logo = { assetId };
  const theirs = { name: kit.unique('Brand'), themes: [{ name: 'Theirs' }] };
  const { themes } = await kit.call('brand.create', theirs, kit.foreignWorkspaceId);
  const [theme] = themes as { id: string }[];
  return {
    logos: { light: logo, dark: logo, mark: logo },
    themes: [{ name: 'Winter', logo }],
    'themes[].id': [{ id: theme?.id, name: 'Winter' }],
  };
}

const tooMany = Array.from({ length: 21 }, (_, index) => ({ name: `Theme ${index}` }));

export const tooManyThemes: ErrorCases = {
  limit_reached: async () => ({ body: { name: 'Crowded', themes: tooMany } }),
};
