// PUT /assets/{token}: receives the file of an upload if the store has no signed URLs of its own. The bytes are streamed to the store.
import {
  coreErrors,
  definePublicRoute,
  type HttpRequestBody,
  isStream,
  type PublicRequest,
} from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { uploadKey } from '../keys.ts';
import { isAssetStoreError } from '../port/index.ts';
import { findOwner } from '../store.ts';
import { type AssetRow, assetRows } from '../tables.ts';
import { readToken } from '../tokens.ts';
import { crossOrigin } from './cross-origin.ts';
import { routeNotFound } from './serve.ts';

/** The body as a stream, in whatever form the host provides it. */
async function* streamOf(body: HttpRequestBody): AsyncGenerator<Uint8Array> {
  if (body === undefined) return;
  if (typeof body === 'string') yield Buffer.from(body);
  else if (body instanceof Uint8Array) yield body;
  else if ('parsed' in body) throw coreErrors.body_already_parsed();
  else if (isStream(body)) yield* body;
}

const invalid = (reason: string, cause?: unknown): Error =>
  errors.asset_invalid({ reason }, { cause, headers: crossOrigin });

/** @throws asset_invalid if the headers differ from the announced type and size, or name a Content-Encoding */
function checkHeaders({ headers }: PublicRequest, type: string | null, bytes: number): void {
  const [contentType = ''] = (headers['content-type'] ?? '').split(';');
  if (contentType.trim().toLowerCase() !== type) throw invalid(`Send the Content-Type that was announced: ${type}.`);
  const length = headers['content-length'];
  if (length !== undefined && Number(length) !== bytes)
    throw invalid(`There are ${length} bytes, and ${bytes} were announced.`);
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw invalid('Send the file without Content-Encoding.');
}

/** @throws state_conflict if the asset no longer waits for its file: a job checks it or has checked it, or the asset was deleted */
function checkAwaited(row: AssetRow | undefined): void {
  if (row?.status !== 'pending' || row.check_job_id !== null)
    throw coreErrors.state_conflict(
      { reason: 'The asset has its file already, or was deleted.' },
      { headers: crossOrigin },
    );
}

export const takeUpload = definePublicRoute({
  http: 'PUT /assets/{token}',
  description: 'Accepts the file of an upload from a client that has its signed URL.',
  limit: { perMinute: 300, burst: 100 },
  async handler(ctx, request) {
    const path = '/assets';
    const token = readToken(ctx.ports.keyring, 'write', request.params.token ?? '', ctx.now);
    if (token === undefined) throw routeNotFound(path);
    const { assetId } = token;
    const workspaceId = await ctx.readUnscoped('a signed URL contains only the id of its asset', (handle) =>
      findOwner(handle, assetId),
    );
    if (workspaceId === undefined) throw routeNotFound(path);
    const row = await ctx.read(workspaceId, ({ trx }) => assetRows.find(trx, assetId));
    if (row === undefined || row.bytes === null) throw routeNotFound(path);
    checkAwaited(row);
    checkHeaders(request, row.content_type, row.bytes);
    const store = await ctx.ports.assets.of(workspaceId);
    try {
      await store.put(uploadKey(workspaceId, assetId), streamOf(request.body), {
        size: row.bytes,
        contentType: row.content_type ?? '',
        ...(request.signal === undefined ? {} : { signal: request.signal }),
      });
    } catch (cause) {
      if (isAssetStoreError(cause, 'refused')) throw invalid(cause.message, cause);
      if (!isAssetStoreError(cause)) throw cause;
      ctx.log.error({ asset: assetId, cause: cause.message }, 'an upload could not be stored');
      throw errors.asset_store_unavailable({ isConfigured: true }, { cause, headers: crossOrigin });
    }
    await ctx.transact(workspaceId, async ({ trx, enqueue }) => {
      checkAwaited(await assetRows.lock(trx, assetId));
      // This replaces the job that is scheduled for the end of the upload time, so the file is checked now.
      const sandbox = row.is_sandbox;
      enqueue({ kind: 'assets.finish_upload', key: assetId, payload: { assetId, polls: 0 }, sandbox });
    });
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...crossOrigin };
    return { status: 200, headers, body: JSON.stringify({ assetId, status: 'pending' }) };
  },
});
