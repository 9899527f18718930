// Rows for the fixtures of the operations.
import type { ErrorCases, FixtureKit } from '../../../core/index.ts';

/** A design with a static text. */
export async function someDesign(kit: FixtureKit, workspaceId: string, appearance: object = {}): Promise<string> {
  const body = { encodes: { kind: 'static', payload: `https://shop.example/${kit.unique('table')}` }, ...appearance };
  return (await kit.call('qr.create', body, workspaceId))['qrId'] as string;
}

/** A short link. */
export const someLink = async (kit: FixtureKit, workspaceId: string): Promise<string> =>
  (await kit.call('links.create', { destinationUrl: `https://shop.example/${kit.unique('menu')}` }, workspaceId))[
    'linkId'
  ] as string;

/** A link and a picture of another workspace, as fields of a design. */
export async function foreignDesign(kit: FixtureKit) {
  const announced = { name: 'Theirs', contentType: 'image/png', bytes: 100 };
  const { assetId } = await kit.call('assets.create', announced, kit.foreignWorkspaceId);
  return {
    body: {
      encodes: { kind: 'shortLink', linkId: await someLink(kit, kit.foreignWorkspaceId) },
      style: { logoAssetId: assetId },
    },
    otherwise: { style: 'qr_logo_invalid' },
  };
}

const encodes = { kind: 'static', payload: 'https://shop.example' };

/** The errors of a design that is checked before it is stored. */
export const designErrors: ErrorCases = {
  link_not_found: async (kit) => ({
    body: { encodes: { kind: 'shortLink', linkId: await someLink(kit, kit.foreignWorkspaceId) } },
  }),
  qr_unreadable: async () => ({ body: { encodes, style: { foreground: '#ffee00' } } }),
  qr_logo_invalid: async () => ({ body: { encodes, style: { logoAssetId: 'asset_00000000000000000000000000' } } }),
  qr_assets_missing: 'unreachable here: shown in test/plugins/qr.test.ts',
};

/** A dark frame that touches the code. */
export const unreadableDesign = { style: { margin: 0 }, frame: { kind: 'border' } };
