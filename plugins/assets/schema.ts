// Assets as the API shows them.
import { type FixtureKit, isoTime, z } from '../../core/index.ts';
import { contentTypes } from './formats/read-format.ts';
import { kinds, sources, statuses } from './tables.ts';

export const name = z.string().trim().min(1).max(200);
export const alt = z.string().max(1_000);
export const tag = z.string().min(1).max(50);
export const tags = z.array(tag).max(20);
export const kind = z.enum(kinds);
export const source = z.enum(sources);
export const contentType = z.enum(contentTypes as [string, ...string[]]);

export const assetResource = z
  .object({
    assetId: z.string().describe('Prefix asset_.'),
    name: z.string(),
    kind: kind.nullable().describe('Null while the file has not arrived.'),
    contentType: z.string().nullable().describe('The type according to the first bytes of the file.'),
    bytes: z.int().nullable().describe('The size of the stored file. For a pending upload: the announced size.'),
    width: z.int().nullable().describe('In pixels, as the picture is shown.'),
    height: z.int().nullable(),
    durationMs: z.int().nullable().describe('The duration of a video, or of one loop of an animated GIF.'),
    sha256: z
      .string()
      .nullable()
      .describe(
        'The hash of the stored file, in hexadecimal digits. The metadata of pictures is removed before the file is stored.',
      ),
    alt: z.string(),
    tags: z.array(z.string()),
    source,
    status: z.enum(statuses),
    error: z.string().nullable().describe('Why it failed.'),
    sandbox: z.boolean().describe('Whether a sandbox key created it.'),
    url: z.string().nullable().describe('Reads the file without a key, for 24 hours. Null unless the asset is ready.'),
    urlExpiresAt: isoTime.nullable(),
    createdAt: isoTime,
  })
  .meta({ id: 'Asset' });

export type AssetView = z.input<typeof assetResource>;

export const uploadResource = z.object({
  method: z.literal('PUT'),
  url: z.string().describe('Takes the file once, without a key.'),
  headers: z.record(z.string(), z.string()).describe('The headers that the request must have.'),
  expiresAt: isoTime,
});

/** The smallest PNG: one transparent pixel. */
export const pixelBase64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Creates an asset for the generated tests, and returns its id. */
export async function someAsset(kit: FixtureKit, workspaceId: string): Promise<string> {
  const { assetId } = await kit.call(
    'assets.create',
    { name: kit.unique('Pixel'), dataBase64: pixelBase64 },
    workspaceId,
  );
  return String(assetId);
}
