// Uploads images and videos for Reddit: requests a lease, then posts a form to the storage named in it. Called by reddit.ts.
// Uploads are not visible, so an interrupted upload starts again.
import { crc32, deflateSync } from 'node:zlib';
import type { PublishSteps, SocialCallOptions, SocialMedia } from '../../plugins/social/port/index.ts';
import { requiredField, type SocialHttp } from '../kit/http-social.ts';
import { formWithFile, oneChunk } from '../kit/multipart.ts';
import { fieldsOf, listOf, textOf } from '../kit/report-fields.ts';
import { bytesOf } from '../kit/social-files.ts';
import { fittingImage } from '../kit/social-images.ts';
import { resultOf } from '../kit/social-steps.ts';
import { redditRules } from './reddit-rules.ts';

/** Access to Reddit. */
export interface RedditCalls {
  readonly http: SocialHttp;
  /** Sends to the storage of uploads, without Reddit's token. */
  readonly storage: SocialHttp;
  readonly url: string;
  /** The time between two look-ups of a post that Reddit is still creating, in milliseconds. */
  readonly pollMs: number;
}

/** An uploaded file at Reddit. */
export interface RedditFile {
  readonly id: string;
  readonly url: string;
}

interface UploadFile {
  readonly contentType: string;
  readonly bytes: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

const uploadMs = 600_000;
/** Reddit deletes uploads that no post uses, so older uploads are repeated. */
const usableMs = 3_600_000;
const image = redditRules.media.files.image ?? { types: [], maxBytes: 0 };

const inMemory = (bytes: Uint8Array, contentType: string): UploadFile => ({
  contentType,
  bytes: bytes.byteLength,
  chunks: oneChunk(bytes),
});

async function fileOf(media: SocialMedia): Promise<UploadFile> {
  if (media.kind !== 'video') {
    const { bytes, contentType } = await fittingImage(media, image);
    return inMemory(bytes, contentType);
  }
  return { contentType: media.contentType, bytes: media.bytes, chunks: bytesOf(media) };
}

async function upload(calls: RedditCalls, file: UploadFile, options: SocialCallOptions): Promise<RedditFile> {
  const requiredText = (value: unknown, name: string): string => requiredField(textOf(value), { name, visible: false });
  const fileName = `file.${file.contentType.slice(file.contentType.indexOf('/') + 1)}`;
  const leaseForm = { filepath: fileName, mimetype: file.contentType };
  const lease = await calls.http.call(
    { method: 'POST', url: `${calls.url}/api/media/asset.json`, form: leaseForm },
    options,
  );
  const args = fieldsOf(lease.fields['args']);
  const fields = Object.fromEntries(
    listOf(args['fields'])
      .map(fieldsOf)
      .map(({ name, value }) => [textOf(name), textOf(value)]),
  );
  const action = requiredText(args['action'], 'action').replace(/^\/\//, 'https://');
  const { contentType, bytes, chunks } = file;
  await calls.storage.call(
    {
      method: 'POST',
      url: action,
      timeoutMs: uploadMs,
      ...formWithFile(fields, { field: 'file', fileName, contentType, bytes, chunks }),
    },
    options,
  );
  return {
    id: requiredText(fieldsOf(lease.fields['asset'])['asset_id'], 'asset_id'),
    url: `${action.replace(/\/$/, '')}/${requiredText(fields['key'], 'key')}`,
  };
}

function chunk(type: string, data: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(typeAndData));
  return Buffer.concat([length, typeAndData, checksum]);
}

/** The preview picture of a video. Reddit requires such a picture, but assets have none, so it is plain dark grey. */
function posterOf({ width, height }: SocialMedia): UploadFile {
  const [columns, rows] = [Math.min(width ?? 1_280, 1_920), Math.min(height ?? 720, 1_920)];
  const head = Buffer.alloc(13);
  head.writeUInt32BE(columns, 0);
  head.writeUInt32BE(rows, 4);
  // Eight bits for each pixel, in grey.
  head[8] = 8;
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(columns, 0x22)]);
  const lines = deflateSync(Buffer.concat(Array.from({ length: rows }, () => line)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const endChunk = chunk('IEND', Buffer.alloc(0));
  return inMemory(Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', lines), endChunk]), 'image/png');
}

/** Uploads a file once. An upload of an earlier attempt is reused. */
async function uploadOnce(
  calls: RedditCalls,
  name: string,
  file: () => UploadFile | Promise<UploadFile>,
  steps: PublishSteps,
  options: SocialCallOptions,
): Promise<RedditFile> {
  const recorded = resultOf(steps, name);
  if (recorded !== undefined && options.now - Number(recorded['at']) < usableMs)
    return { id: textOf(recorded['id']), url: textOf(recorded['url']) };
  await steps.before(name);
  const { id, url } = await upload(calls, await file(), options);
  await steps.after(name, { id, url, at: options.now });
  return { id, url };
}

/** All attachments, and the preview picture of a video. */
export async function uploadAll(
  calls: RedditCalls,
  media: readonly SocialMedia[],
  steps: PublishSteps,
  options: SocialCallOptions,
): Promise<{ readonly files: readonly RedditFile[]; readonly poster: RedditFile | undefined }> {
  const files: RedditFile[] = [];
  for (const [index, one] of media.entries())
    files.push(await uploadOnce(calls, `upload ${index + 1}`, () => fileOf(one), steps, options));
  const [first] = media;
  if (first?.kind !== 'video') return { files, poster: undefined };
  return { files, poster: await uploadOnce(calls, 'poster', () => posterOf(first), steps, options) };
}
