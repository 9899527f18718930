// Fetches the file of an asset that was given as a URL. The address guard checks every address, including the addresses of
// redirects.

import {
  defineJob,
  isOutgoingError,
  type JobContext,
  type OutgoingResponse,
  type TransactionContext,
  z,
} from '../../../core/index.ts';
import { parseUrl } from '../../../core/unstable.ts';
import { type AssetMetadata, acceptBytes, putBytes } from '../accept.ts';
import { assetBytesLimit, hasRoom } from '../create-service.ts';
import { FormatFault } from '../formats/read-format.ts';
import type { AssetsPluginOptions } from '../options.ts';
import { findPending, markFailed, markReady, removeUnlessReady } from './settle-asset.ts';

const maxBytes = 25 * 1_048_576;
const maxRedirects = 5;
const fetchMs = 60_000;

/** Thrown if the file can never be fetched. The asset fails without another attempt. */
class Unfetchable extends Error {
  override readonly name = 'Unfetchable';
}

async function responseOf(ctx: JobContext, sourceUrl: string): Promise<OutgoingResponse> {
  let url = sourceUrl;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const answer = await ctx.ports.outgoing.request({
      url,
      method: 'GET',
      headers: { accept: 'image/*, video/*, application/pdf', 'user-agent': `${ctx.ports.service.slug}-assets` },
      maxResponseBytes: maxBytes + 1,
      timeoutMs: fetchMs,
      signal: ctx.signal,
    });
    const { location } = answer.headers;
    if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return answer;
    const next = parseUrl(location, url);
    if (next === undefined) throw new Unfetchable('The server redirects to a text that is not a URL.');
    url = next.href;
  }
  throw new Unfetchable('The server redirects more than five times.');
}

/** Fetches the bytes. @throws Unfetchable if another attempt is useless; the job retries after other errors */
async function fetchBytes(ctx: JobContext, url: string): Promise<Uint8Array> {
  try {
    const { status, body, cut } = await responseOf(ctx, url);
    if (status >= 500 || status === 429 || status === 408) throw new Error(`The server answered ${status}.`);
    if (status !== 200) throw new Unfetchable(`The server answered ${status} instead of sending the file.`);
    if (body.byteLength > maxBytes) throw new Unfetchable(`The file has more than ${maxBytes} bytes.`);
    if (cut) throw new Error('The response ended before the whole file was received.');
    return body;
  } catch (error) {
    if (isOutgoingError(error, 'url_refused') || isOutgoingError(error, 'address_refused'))
      throw new Unfetchable(error.message);
    throw error;
  }
}

/** Marks a fetched asset as ready if the workspace has room for its bytes, otherwise as failed. Returns whether it is ready. */
async function endWithinLimit(
  ctx: TransactionContext,
  options: AssetsPluginOptions,
  assetId: string,
  metadata: AssetMetadata,
): Promise<boolean> {
  const limit = assetBytesLimit(options, ctx.workspace);
  if (await hasRoom(ctx, limit, metadata.bytes ?? 0)) return markReady(ctx, assetId, metadata, null);
  const reason = `With this file, the assets of the workspace would have more than ${limit} bytes. Delete some, or raise the limit.`;
  await markFailed(ctx, assetId, reason, null);
  return false;
}

export const fetchSource = (options: AssetsPluginOptions) =>
  defineJob({
    kind: 'assets.fetch_source',
    payload: z.object({ assetId: z.string() }),
    lane: 'outbound',
    retryDelaysMs: [10_000, 60_000, 600_000],
    timeoutMs: 180_000,
    async handler(ctx, { assetId }) {
      const row = await findPending(ctx, assetId);
      if (row === undefined || row.source_url === null) return;
      try {
        const accepted = await acceptBytes(await fetchBytes(ctx, row.source_url));
        const store = await ctx.ports.assets.of(ctx.workspace.id);
        await putBytes(store, ctx, assetId, accepted);
        const isReady = await ctx.checkpoint((tx) => endWithinLimit(tx, options, assetId, accepted.metadata));
        if (!isReady) await removeUnlessReady(ctx, store, assetId);
      } catch (error) {
        if (!(error instanceof Unfetchable) && !(error instanceof FormatFault)) throw error;
        await ctx.complete(async (tx) => {
          await markFailed(tx, assetId, error.message, null);
        });
      }
    },
    async exhausted(ctx, { assetId }) {
      await markFailed(
        ctx,
        assetId,
        'The file could not be fetched: its server did not answer, or the connection was interrupted.',
      );
    },
  });
