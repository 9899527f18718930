// Serves the file that a form gave away: the latest export, as a download. After 7 days, or if the lead magnet was
// deleted, a page reports that the link has expired.
import {
  fileResponse,
  type HttpResponse,
  type PublicRequest,
  type PublicRouteContext,
  type Workspace,
} from '../../../core/index.ts';
import {
  chooseTexts,
  contentRoutes,
  languageFields,
  pageAppearanceOf,
  paragraph,
  publicPage,
} from '../../../core/unstable.ts';
import type { AssetRow } from '../../assets/index.ts';
import { fixedTexts } from '../fixed-texts.ts';
import { summaryRows } from '../tables.ts';
import { type GiftToken, readGiftToken } from './token.ts';

interface Gift {
  readonly token: GiftToken;
  readonly title: string;
  /** Undefined if the file no longer exists. */
  readonly asset: AssetRow | undefined;
}

async function find(ctx: PublicRouteContext, text: string) {
  const token = readGiftToken(ctx.ports.keyring, text);
  if (token === undefined) return undefined;
  const owner = await ctx.readUnscoped(
    "a signed link contains only the lead magnet's id, not its workspace",
    (handle) =>
      handle.db.selectFrom('lead_magnets').select('workspace_id').where('id', '=', token.id).executeTakeFirst(),
  );
  return owner === undefined ? undefined : { token, workspaceId: owner.workspace_id };
}

/** The page for a link that leads to no file: it has expired, or it is not complete. */
async function noFilePage(
  ctx: PublicRouteContext,
  { headers }: PublicRequest,
  workspace: Workspace | undefined,
  kind: 'expired' | 'missing',
): Promise<HttpResponse> {
  const chosen = chooseTexts(fixedTexts, headers['accept-language']);
  const { texts } = chosen;
  return publicPage({
    ...languageFields(chosen),
    status: kind === 'expired' ? 410 : 404,
    appearance: await pageAppearanceOf(ctx, workspace),
    title: kind === 'expired' ? texts.expiredTitle : texts.missingTitle,
    body: paragraph(texts[kind]),
  });
}

export const giftRoutes = contentRoutes<Gift>({
  http: 'GET /gifts/{token}',
  description: 'The PDF of a lead magnet, for people who have its link.',
  limit: { perMinute: 60, burst: 60 },

  async find(ctx, { params }) {
    const found = await find(ctx, params['token'] ?? '');
    if (found === undefined) return undefined;
    const { token, workspaceId } = found;
    const gift = await ctx.read(workspaceId, async ({ trx }) => {
      const handle = trx.onSide(token.sandbox);
      const row = await summaryRows.find(handle, token.id);
      const last = row?.last_export;
      const asset = last == null ? undefined : await ctx.services.assets.find(handle, last.assetId);
      return { token, title: row?.title ?? '', asset };
    });
    return { workspaceId, found: gift };
  },

  async handler(ctx, request, { workspace, object: { token, title, asset } }) {
    if (token.expiresAt <= ctx.now || asset?.status !== 'ready') return noFilePage(ctx, request, workspace, 'expired');
    const { assets } = ctx.services;
    const { signal } = request;
    return fileResponse(request, {
      size: asset.bytes ?? 0,
      etag: `"${asset.sha256}"`,
      type: 'application/pdf',
      lastModified: asset.created_at,
      name: `${title}.pdf`,
      disposition: 'attachment',
      headers: {
        // The next export has the same link but a different file, so the response must not be cached.
        'Cache-Control': 'private, no-cache',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Referrer-Policy': 'no-referrer',
      },
      open: (range) => assets.open({ workspace, ...(signal === undefined ? {} : { signal }) }, asset.id, range),
    });
  },

  missing: (ctx, request, workspace) =>
    // The link of a deleted lead magnet has expired too.
    noFilePage(
      ctx,
      request,
      workspace,
      readGiftToken(ctx.ports.keyring, request.params['token'] ?? '') === undefined ? 'missing' : 'expired',
    ),
});
