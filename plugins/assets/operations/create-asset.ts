// Creates an asset in one of three ways: from the bytes themselves, by a signed upload, or from a URL to fetch.
import {
  coreErrors,
  defineOperationWithPrepare,
  isOutgoingError,
  type PrepareContext,
  toIsoTime,
} from '../../../core/index.ts';
import { type AssetMetadata, putBytes, withApiErrors } from '../accept.ts';
import { type AssetInput, assetInput, sourceOf } from '../asset-input.ts';
import { acceptForCaller, emptyAsset, insertAsset } from '../create-service.ts';
import { errors } from '../errors.ts';
import { type ContentType, kindOfType, maxBytes } from '../formats/read-format.ts';
import { firstPollMs, uploadMs } from '../jobs/finish-upload.ts';
import { uploadKey } from '../keys.ts';
import type { AssetsPluginOptions } from '../options.ts';
import type { SignedUpload } from '../port/index.ts';
import { presentAsset, serviceUrl } from '../present.ts';
import { assetResource, pixelBase64, uploadResource } from '../schema.ts';
import { makeToken, wholeSeconds } from '../tokens.ts';

interface Prepared {
  readonly assetId: string;
  readonly metadata: Partial<AssetMetadata>;
  readonly upload: (SignedUpload & { readonly expiresAt: number; readonly isPolled: boolean }) | undefined;
}

/** The maximum number of bytes that can be given as base64. */
const maxBase64Bytes = 10 * 1_048_576;

/** The maximum number of characters of base64. Longer texts are not decoded. */
const maxBase64Length = Math.ceil((maxBase64Bytes * 4) / 3) + 4;

const tooLarge = (amount: string) =>
  errors.asset_invalid({
    reason: `dataBase64 accepts at most ${maxBase64Bytes} bytes, not ${amount}. Ask for an upload instead: send contentType and bytes.`,
  });

function decodeBase64(text: string): Buffer {
  if (text.length > maxBase64Length) throw tooLarge('more');
  const bytes = Buffer.from(text, 'base64');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const isWhole = bytes.length === Math.floor(((text.length - padding) * 3) / 4) && bytes.length > 0;
  if (!isWhole) throw errors.asset_invalid({ reason: 'dataBase64 is not valid base64 (RFC 4648, section 4).' });
  if (bytes.length > maxBase64Bytes) throw tooLarge(`${bytes.length}`);
  return bytes;
}

async function prepareBytes(context: PrepareContext, assetId: string, dataBase64: string): Promise<Prepared> {
  const store = await context.ports.assets.of(context.workspace.id);
  const accepted = await acceptForCaller(decodeBase64(dataBase64));
  if (!context.dryRun) await withApiErrors(context, store, () => putBytes(store, context, assetId, accepted));
  return { assetId, metadata: accepted.metadata, upload: undefined };
}

/** Prepares the signed request that writes the upload. */
async function prepareUpload(context: PrepareContext, assetId: string, input: AssetInput): Promise<Prepared> {
  const { ports, workspace, now } = context;
  const { contentType = '', bytes = 0, sha256 } = input;
  const kind = kindOfType[contentType as ContentType];
  if (bytes > maxBytes(kind))
    throw errors.asset_invalid({ reason: `A file of kind ${kind} has at most ${maxBytes(kind)} bytes.` });
  const store = await ports.assets.of(workspace.id);
  const expiresAt = wholeSeconds(now + uploadMs);
  const signed = store.signedUpload?.(uploadKey(workspace.id, assetId), { expiresAt, now, contentType, bytes, sha256 });
  const signedUpload = (): SignedUpload => ({
    url: serviceUrl(context, `/assets/${makeToken(ports.keyring, { use: 'write', assetId, expiresAt })}`),
    headers: { 'Content-Type': contentType },
  });
  return {
    assetId,
    metadata: { kind, content_type: contentType, bytes, sha256: sha256 ?? null },
    upload: { ...(signed ?? signedUpload()), expiresAt, isPolled: signed !== undefined },
  };
}

/** @throws asset_invalid if the address guard refuses the URL */
async function prepareUrl(context: PrepareContext, assetId: string, sourceUrl: string): Promise<Prepared> {
  try {
    if (!context.dryRun) await context.ports.outgoing.check(sourceUrl);
  } catch (error) {
    if (!isOutgoingError(error)) throw error;
    // A host name that cannot be resolved now may be resolved later: the job retries.
    if (error.fault === 'url_refused' || error.fault === 'address_refused')
      throw errors.asset_invalid({ reason: error.message });
  }
  return { assetId, metadata: {}, upload: undefined };
}

export const createAsset = (options: AssetsPluginOptions) =>
  defineOperationWithPrepare({
    id: 'assets.create',
    summary: 'Create an asset',
    description:
      'From the bytes themselves (`dataBase64`), by an upload (`contentType` and `bytes`: the answer has a signed PUT), or from a URL (`sourceUrl`). Accepts png, jpeg, webp, gif, svg, mp4, quicktime and pdf, at most 50 megapixels. Metadata about the place and the camera is removed from pictures.',
    http: 'POST /v1/assets',
    tool: { name: 'create_asset', openWorld: true },
    scopes: ['assets:write'],
    idempotency: 'replay',
    secretOutput: true,
    input: { body: assetInput },
    output: assetResource.extend({
      upload: uploadResource.optional().describe('Only if the call asked for an upload.'),
    }),
    status: 201,
    errors: ['asset_invalid', 'limit_reached', 'asset_store_unavailable'],
    audit: { action: 'asset.create', target: ({ assetId }) => ({ kind: 'asset', id: assetId }) },
    fixture: async (kit) => ({
      body: { name: kit.unique('Logo'), dataBase64: pixelBase64, tags: ['logo'], alt: 'A pixel' },
      errors: {
        asset_invalid: async () => ({ body: { name: 'Not a picture', dataBase64: 'aGVsbG8=' } }),
        limit_reached: 'unreachable here: shown in test/plugins/assets-upkeep.test.ts',
        asset_store_unavailable: 'unreachable here: shown in test/plugins/assets-upkeep.test.ts',
      },
    }),

    async prepare(context, { body }) {
      const fileSource = sourceOf(body);
      if (typeof fileSource !== 'string')
        throw coreErrors.validation_failed({ summary: fileSource.message }, { details: [fileSource] });
      const assetId = context.ports.ids.create('asset');
      if (fileSource === 'bytes') return prepareBytes(context, assetId, body.dataBase64 ?? '');
      return fileSource === 'upload'
        ? prepareUpload(context, assetId, body)
        : prepareUrl(context, assetId, body.sourceUrl ?? '');
    },

    async handler(ctx, { body }, { assetId, metadata, upload }) {
      const { name, alt, tags, sourceUrl = null } = body;
      const source = sourceUrl === null ? 'upload' : 'url';
      const row = await insertAsset(ctx, options, {
        ...emptyAsset(ctx, { id: assetId, name, source, alt, tags: [...new Set(tags)] }),
        ...metadata,
        source_url: sourceUrl,
        status: upload === undefined && sourceUrl === null ? 'ready' : 'pending',
      });
      if (sourceUrl !== null) ctx.enqueue({ kind: 'assets.fetch_source', key: assetId, payload: { assetId } });
      const response = presentAsset(ctx, ctx.workspace.id, row);
      if (upload === undefined) return response;
      const { url, headers, expiresAt, isPolled } = upload;
      // If the service receives the upload itself, its route enqueues the job earlier.
      const runAt = isPolled ? ctx.now + firstPollMs : expiresAt;
      ctx.enqueue({ kind: 'assets.finish_upload', key: assetId, payload: { assetId, polls: 0 }, runAt });
      return { ...response, upload: { method: 'PUT' as const, url, headers, expiresAt: toIsoTime(expiresAt) } };
    },
  });
