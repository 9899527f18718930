// Serves the file that a form gave away: the latest export, as a download. After 7 days, or if the lead magnet was
// deleted, a page reports that the link has ended.
import { fileResponse, type HttpResponse, type PublicRouteContext, type Workspace } from '../../../core/index.ts';
import { contentRoutes, lookOf, paragraph, publicPage } from '../../../core/unstable.ts';
import type { AssetRow } from '../../assets/index.ts';
import { headRows } from '../tables.ts';
import { type GiftToken, readGiftToken } from './token.ts';

interface Gift {
  readonly token: GiftToken;
  readonly title: string;
  /** Undefined if the file no longer exists. */
  readonly asset: AssetRow | undefined;
}

async function find(context: PublicRouteContext, text: string) {
  const token = readGiftToken(context.ports.keyring, text);
  if (token === undefined) return undefined;
  const owner = await context.readUnscoped('a signed link names nothing but its lead magnet', (handle) =>
    handle.db.selectFrom('lead_magnets').select('workspace_id').where('id', '=', token.id).executeTakeFirst(),
  );
  return owner === undefined ? undefined : { token, workspaceId: owner.workspace_id };
}

const ended = async (context: PublicRouteContext, workspace: Workspace | undefined): Promise<HttpResponse> =>
  publicPage({
    status: 410,
    look: await lookOf(context, workspace),
    title: 'This link has ended',
    body: paragraph('Links to a download work for 7 days. Fill in the form again to get a new one.'),
  });

export const giftRoutes = contentRoutes<Gift>({
  http: 'GET /gifts/{token}',
  description: 'The PDF of a lead magnet, for who got its link.',
  limit: { perMinute: 60, burst: 60 },

  async find(context, { params }) {
    const found = await find(context, params['token'] ?? '');
    if (found === undefined) return undefined;
    const { token, workspaceId } = found;
    const gift = await context.read(workspaceId, async ({ trx }) => {
      const handle = trx.onSide(token.sandbox);
      const row = await headRows.find(handle, token.id);
      const last = row?.last_export;
      const asset = last == null ? undefined : await context.services.assets.find(handle, last.assetId);
      return { token, title: row?.title ?? '', asset };
    });
    return { workspaceId, found: gift };
  },

  async handler(context, request, { workspace, found: { token, title, asset } }) {
    if (token.expiresAt <= context.now || asset?.status !== 'ready') return ended(context, workspace);
    const { assets } = context.services;
    const { signal } = request;
    return fileResponse(request, {
      size: asset.bytes ?? 0,
      etag: `"${asset.sha256}"`,
      type: 'application/pdf',
      lastModified: asset.created_at,
      name: `${title}.pdf`,
      disposition: 'attachment',
      headers: {
        // The next export has the same link but is another file.
        'Cache-Control': 'private, no-cache',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Referrer-Policy': 'no-referrer',
      },
      open: (range) => assets.open({ workspace, ...(signal === undefined ? {} : { signal }) }, asset.id, range),
    });
  },

  missing: (context, request, workspace) =>
    // The link of a deleted lead magnet has ended too.
    readGiftToken(context.ports.keyring, request.params['token'] ?? '') === undefined
      ? lookOf(context, workspace).then((look) =>
          publicPage({ status: 404, look, title: 'There is nothing here', body: '' }),
        )
      : ended(context, workspace),
});
