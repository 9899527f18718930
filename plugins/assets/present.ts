// Assets as the API shows them, with their signed URLs. Computes only: no call goes out.
import { contentDisposition, presenter, type ServiceContext, toIsoTime } from '../../core/index.ts';
import { assetKey } from './keys.ts';
import { type AssetShown, assetResource } from './schema.ts';
import { type AssetRow, assets } from './tables.ts';
import { makeToken, wholeSeconds } from './tokens.ts';

/** How long the URL of an asset reads it. */
const usualUrlMs = 24 * 3_600_000;

const shown = presenter(assets, assetResource.omit({ url: true, urlExpiresAt: true }), {
  assetId: ({ id }) => id,
  sandbox: (row) => row.is_sandbox,
});

/** Only what browsers show without running anything; the rest is saved. */
export const dispositionOf = ({ kind }: Pick<AssetRow, 'kind'>): 'inline' | 'attachment' =>
  kind === 'document' || kind === null ? 'attachment' : 'inline';

/**
 * The same for addresses of the store itself, whose answers carry no policy of ours: there an SVG is saved, too, where a visitor opens
 * its address. Pictures of pages are shown all the same.
 */
export const storeDispositionOf = (row: Pick<AssetRow, 'kind' | 'content_type'>): 'inline' | 'attachment' =>
  row.content_type === 'image/svg+xml' ? 'attachment' : dispositionOf(row);

const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/svg+xml': 'svg',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'application/pdf': 'pdf',
};

/** The name under which a browser saves it: its label, with the ending of what it is. */
export function fileNameOf({ name, content_type: type }: Pick<AssetRow, 'name' | 'content_type'>): string {
  const ending = extensions[type ?? ''] ?? 'bin';
  return name.toLowerCase().endsWith(`.${ending}`) ? name : `${name}.${ending}`;
}

/** The address of the service's own routes; a path alone where the program has set no `publicUrl`. */
export const serviceUrl = ({ ports }: ServiceContext, path: string): string =>
  `${ports.service.publicUrl ?? ''}${path}`;

/** An asset of the workspace. */
export function presentAsset(
  context: ServiceContext,
  workspaceId: string,
  row: AssetRow,
  urlMs = usualUrlMs,
): AssetShown {
  if (row.status !== 'ready') return { ...shown(row), url: null, urlExpiresAt: null };
  const { ports } = context;
  const now = ports.now();
  const expiresAt = wholeSeconds(now + urlMs);
  const store = ports.assets.known(workspaceId);
  const signed = store?.signedRead?.(assetKey(workspaceId, row.id), {
    expiresAt,
    now,
    contentType: row.content_type ?? 'application/octet-stream',
    contentDisposition: contentDisposition(storeDispositionOf(row), fileNameOf(row)),
  });
  const own = () => `/assets/${makeToken(ports.keyring, { use: 'read', assetId: row.id, expiresAt })}`;
  return { ...shown(row), url: signed ?? serviceUrl(context, own()), urlExpiresAt: toIsoTime(expiresAt) };
}
