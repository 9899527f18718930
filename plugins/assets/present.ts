// Assets as the API shows them, with their signed URLs. Makes no calls.
import { contentDisposition, presenter, type ServiceContext, toIsoTime } from '../../core/index.ts';
import { assetKey } from './keys.ts';
import { type AssetView, assetResource } from './schema.ts';
import { type AssetRow, assets } from './tables.ts';
import { makeToken, wholeSeconds } from './tokens.ts';

/** The time for which the URL of an asset is valid, in milliseconds. */
const usualUrlMs = 24 * 3_600_000;

const presentColumns = presenter(assets, assetResource.omit({ url: true, urlExpiresAt: true }), {
  assetId: ({ id }) => id,
  sandbox: (row) => row.is_sandbox,
});

/** `inline` for files that browsers show without running code; all others are downloaded. */
export const dispositionOf = ({ kind }: Pick<AssetRow, 'kind'>): 'inline' | 'attachment' =>
  kind === 'document' || kind === null ? 'attachment' : 'inline';

/**
 * The disposition for URLs of the store itself. Its responses lack the Content-Security-Policy of the service, so a
 * visitor who opens the URL of an SVG downloads it. Pages still show it as a picture.
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

/** The file name for downloads: the label, with the extension of the content type. */
export function fileNameOf({ name, content_type: type }: Pick<AssetRow, 'name' | 'content_type'>): string {
  const ending = extensions[type ?? ''] ?? 'bin';
  return name.toLowerCase().endsWith(`.${ending}`) ? name : `${name}.${ending}`;
}

/** The URL of a route of the service; only the path if the program has not set `publicUrl`. */
export const serviceUrl = ({ ports }: ServiceContext, path: string): string =>
  `${ports.service.publicUrl ?? ''}${path}`;

/** An asset as the API shows it. */
export function presentAsset(
  context: ServiceContext,
  workspaceId: string,
  row: AssetRow,
  urlMs = usualUrlMs,
): AssetView {
  if (row.status !== 'ready') return { ...presentColumns(row), url: null, urlExpiresAt: null };
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
  const signedPath = () => `/assets/${makeToken(ports.keyring, { use: 'read', assetId: row.id, expiresAt })}`;
  return {
    ...presentColumns(row),
    url: signed ?? serviceUrl(context, signedPath()),
    urlExpiresAt: toIsoTime(expiresAt),
  };
}
