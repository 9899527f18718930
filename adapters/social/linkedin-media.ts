// Uploads images and videos to LinkedIn (its Images API and Videos API). Called by linkedin.ts. Uploads are not visible, so an
// interrupted upload starts again.
import { setTimeout as wait } from 'node:timers/promises';
import {
  type PublishSteps,
  type SocialCallOptions,
  SocialError,
  type SocialMedia,
  type SocialTarget,
} from '../../plugins/social/port/index.ts';
import { requiredField, type SocialHttp } from '../kit/http-social.ts';
import { fieldsOf, listOf, type ReportFields, textOf } from '../kit/report-fields.ts';
import { bytesOf } from '../kit/social-files.ts';
import { fittingImage, type ImageLimit } from '../kit/social-images.ts';
import { resultOf } from '../kit/social-steps.ts';
import { linkedinRules } from './linkedin-rules.ts';

/** Access to LinkedIn. */
export interface LinkedinCalls {
  readonly http: SocialHttp;
  /** Sends the parts of videos to signed URLs, without the token. */
  readonly storage: SocialHttp;
  /** Includes `/rest`. */
  readonly url: string;
  /** The time between two checks of a file that is being processed, in milliseconds. */
  readonly pollMs: number;
}

const partMs = 300_000;
const processingMs = 300_000;
/** LinkedIn accepts fewer than 36,152,320 pixels. */
const image: ImageLimit = {
  ...(linkedinRules.media.files.image ?? { types: [], maxBytes: 0 }),
  maxWidth: 6_000,
  maxHeight: 6_000,
};

const answerFields = (fields: ReportFields): ReportFields => fieldsOf(fields['value']);

/** Waits until a file can be used. @throws SocialError `rejected` if LinkedIn cannot process it */
async function waitUntilAvailable(
  { http, url, pollMs }: LinkedinCalls,
  kind: 'images' | 'videos',
  urn: string,
  options: SocialCallOptions,
): Promise<void> {
  const end = Date.now() + processingMs;
  for (;;) {
    const { fields } = await http.call({ method: 'GET', url: `${url}/${kind}/${encodeURIComponent(urn)}` }, options);
    const status = textOf(fields['status']);
    if (status === 'AVAILABLE') return;
    if (status === 'PROCESSING_FAILED') {
      const reason = textOf(fields['processingFailureReason']) || 'LinkedIn cannot process the file.';
      throw new SocialError('rejected', reason, { problem: 'media_kind' });
    }
    if (Date.now() > end) throw new SocialError('transient', 'LinkedIn is still processing the file.');
    await wait(pollMs, undefined, { signal: options.signal }).catch((cause: unknown) => {
      throw new SocialError('transient', 'The call ended while LinkedIn was processing the file.', { cause });
    });
  }
}

async function uploadImage(calls: LinkedinCalls, owner: string, media: SocialMedia, options: SocialCallOptions) {
  const { http, url } = calls;
  const { bytes } = await fittingImage(media, image);
  const json = { initializeUploadRequest: { owner } };
  const begin = await http.call({ method: 'POST', url: `${url}/images?action=initializeUpload`, json }, options);
  const { uploadUrl, image: urn } = answerFields(begin.fields);
  const requiredText = (value: unknown, name: string): string => requiredField(textOf(value), { name, visible: false });
  await http.call(
    {
      method: 'PUT',
      url: requiredText(uploadUrl, 'uploadUrl'),
      headers: { 'content-type': 'application/octet-stream' },
      body: bytes,
      timeoutMs: partMs,
    },
    options,
  );
  await waitUntilAvailable(calls, 'images', requiredText(urn, 'image'), options);
  return textOf(urn);
}

async function uploadVideo(calls: LinkedinCalls, owner: string, media: SocialMedia, options: SocialCallOptions) {
  const { http, url } = calls;
  const request = { owner, fileSizeBytes: media.bytes, uploadCaptions: false, uploadThumbnail: false };
  const json = { initializeUploadRequest: request };
  const begin = await http.call({ method: 'POST', url: `${url}/videos?action=initializeUpload`, json }, options);
  const value = answerFields(begin.fields);
  const video = requiredField(textOf(value['video']), { name: 'video', visible: false });
  const uploadedPartIds: string[] = [];
  for (const part of listOf(value['uploadInstructions']).map(fieldsOf)) {
    const [start, end] = [Number(part['firstByte']), Number(part['lastByte']) + 1];
    const { headers } = await calls.storage.call(
      {
        method: 'PUT',
        url: requiredField(textOf(part['uploadUrl']), { name: 'uploadUrl', visible: false }),
        headers: { 'content-type': 'application/octet-stream' },
        body: { bytes: end - start, chunks: bytesOf(media, { start, end }) },
        timeoutMs: partMs,
      },
      options,
    );
    uploadedPartIds.push(requiredField(headers['etag'] ?? '', { name: 'ETag', visible: false }).replaceAll('"', ''));
  }
  const finalizeUploadRequest = { video, uploadToken: textOf(value['uploadToken']), uploadedPartIds };
  const finalizeRequest = {
    method: 'POST',
    url: `${url}/videos?action=finalizeUpload`,
    json: { finalizeUploadRequest },
  } as const;
  await http.call(finalizeRequest, options);
  await waitUntilAvailable(calls, 'videos', video, options);
  return video;
}

/** The URNs of all attachments. URNs of completed uploads come from the recorded steps. */
export async function uploadAll(
  calls: LinkedinCalls,
  { externalAccountId, media }: SocialTarget,
  steps: PublishSteps,
  options: SocialCallOptions,
): Promise<string[]> {
  const urns: string[] = [];
  for (const [index, one] of media.entries()) {
    const name = `upload ${index + 1}`;
    const recordedUrn = textOf(resultOf(steps, name)?.['urn']);
    if (recordedUrn === '') await steps.before(name);
    const upload = one.kind === 'video' ? uploadVideo : uploadImage;
    const urn = recordedUrn || (await upload(calls, externalAccountId, one, options));
    if (recordedUrn === '') await steps.after(name, { urn });
    urns.push(urn);
  }
  return urns;
}
