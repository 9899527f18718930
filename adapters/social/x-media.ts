// Uploads attachments to X in chunks (docs.x.com/x-api/media/quickstart/media-upload-chunked). Called by x.ts. Uploads are not
// visible, so an interrupted upload starts again.
import { setTimeout as wait } from 'node:timers/promises';
import {
  type PublishSteps,
  type SocialCallOptions,
  SocialError,
  type SocialMedia,
} from '../../plugins/social/port/index.ts';
import { requiredField, type SocialHttp } from '../kit/http-social.ts';
import { formWithFile, oneChunk } from '../kit/multipart.ts';
import { fieldsOf, type ReportFields, textOf } from '../kit/report-fields.ts';
import { bytesOf } from '../kit/social-files.ts';
import { fittingImage } from '../kit/social-images.ts';
import { resultOf } from '../kit/social-steps.ts';
import { xRules } from './x-rules.ts';

/** Access to X. */
export interface XCalls {
  readonly http: SocialHttp;
  readonly url: string;
  /** The time between two checks of a file that is being processed, if X does not specify it, in milliseconds. */
  readonly pollMs: number;
}

const categories = { image: 'tweet_image', gif: 'tweet_gif', video: 'tweet_video' } as const;
/** X accepts at most 5 MB. */
const pieceBytes = 4_194_304;
const pieceMs = 120_000;
/** Uploads can be used for at least a day; older uploads are repeated. */
const usableMs = 20 * 3_600_000;

/** A file to send. */
interface UploadFile {
  readonly contentType: string;
  readonly bytes: number;
  piece(start: number, end: number): Promise<Uint8Array>;
}

async function fileOf(media: SocialMedia): Promise<UploadFile> {
  if (media.kind === 'video') {
    const { contentType, bytes } = media;
    return { contentType, bytes, piece: (start, end) => readPiece(media, start, end) };
  }
  const rule = xRules.media.files[media.kind] ?? { types: [], maxBytes: 0 };
  const { bytes, contentType } = await fittingImage(media, rule);
  return { contentType, bytes: bytes.byteLength, piece: async (start, end) => bytes.subarray(start, end) };
}

async function readPiece(media: SocialMedia, start: number, end: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytesOf(media, { start, end })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Waits until X has processed a file. @throws SocialError `rejected` if X cannot process it, `transient` if it takes too long */
async function waitUntilProcessed(
  calls: XCalls,
  mediaId: string,
  input: ReportFields,
  options: SocialCallOptions,
): Promise<void> {
  const end = Date.now() + 300_000;
  let info = fieldsOf(input['processing_info']);
  while (['pending', 'in_progress'].includes(textOf(info['state']))) {
    if (Date.now() > end) throw new SocialError('transient', 'X is still processing the file.');
    const seconds = Number(info['check_after_secs']);
    const ms = calls.pollMs < 1_000 ? calls.pollMs : Math.min(15_000, seconds > 0 ? seconds * 1_000 : calls.pollMs);
    await wait(ms, undefined, { signal: options.signal }).catch((cause: unknown) => {
      throw new SocialError('transient', 'The call ended while X was processing the file.', { cause });
    });
    const query = { command: 'STATUS', media_id: mediaId };
    const { fields } = await calls.http.call({ method: 'GET', url: `${calls.url}/2/media/upload`, query }, options);
    info = fieldsOf(fieldsOf(fields['data'])['processing_info']);
  }
  if (info['state'] !== 'failed') return;
  const message = textOf(fieldsOf(info['error'])['message']);
  throw new SocialError('rejected', message || 'X cannot process the file.', { problem: 'media_kind' });
}

async function upload(calls: XCalls, media: SocialMedia, options: SocialCallOptions): Promise<string> {
  const { http, url } = calls;
  const file = await fileOf(media);
  const begin = await http.call(
    {
      method: 'POST',
      url: `${url}/2/media/upload/initialize`,
      json: { media_type: file.contentType, media_category: categories[media.kind], total_bytes: file.bytes },
    },
    options,
  );
  const mediaId = requiredField(textOf(fieldsOf(begin.fields['data'])['id']), { name: 'id', visible: false });
  for (let index = 0; index * pieceBytes < file.bytes; index += 1) {
    const bytes = await file.piece(index * pieceBytes, Math.min(file.bytes, (index + 1) * pieceBytes));
    const form = formWithFile(
      { segment_index: String(index) },
      {
        field: 'media',
        fileName: 'piece',
        contentType: 'application/octet-stream',
        bytes: bytes.byteLength,
        chunks: oneChunk(bytes),
      },
    );
    await http.call(
      { method: 'POST', url: `${url}/2/media/upload/${mediaId}/append`, timeoutMs: pieceMs, ...form },
      options,
    );
  }
  const finalized = await http.call({ method: 'POST', url: `${url}/2/media/upload/${mediaId}/finalize` }, options);
  await waitUntilProcessed(calls, mediaId, fieldsOf(finalized.fields['data']), options);
  if (media.alt !== '' && media.kind !== 'video') {
    const json = { id: mediaId, metadata: { alt_text: { text: media.alt } } };
    await http.call({ method: 'POST', url: `${url}/2/media/metadata`, json }, options);
  }
  return mediaId;
}

/** The ids of all attachments. Ids of completed uploads come from the recorded steps. */
export async function uploadAll(
  calls: XCalls,
  media: readonly SocialMedia[],
  steps: PublishSteps,
  options: SocialCallOptions,
): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, one] of media.entries()) {
    const name = `upload ${index + 1}`;
    const recorded = resultOf(steps, name);
    const age = options.now - Number(recorded?.['at'] ?? 0);
    if (recorded !== undefined && age < usableMs) {
      ids.push(textOf(recorded['id']));
      continue;
    }
    await steps.before(name);
    const id = await upload(calls, one, options);
    await steps.after(name, { id, at: options.now });
    ids.push(id);
  }
  return ids;
}
