// Publishing pins. Images are part of the request; a video is first uploaded to a URL that Pinterest returns, and processed.
// Called by pinterest.ts. A probe looks for a pin among the newest ones of its board.
import { setTimeout as wait } from 'node:timers/promises';
import {
  type ProbeResult,
  type PublishedPost,
  type PublishSteps,
  type SocialCallOptions,
  SocialError,
  type SocialMedia,
  type SocialTarget,
} from '../../plugins/social/port/index.ts';
import { requiredField, type SocialHttp } from '../kit/http-social.ts';
import { formWithFile } from '../kit/multipart.ts';
import { fieldsOf, listOf, type ReportFields, textOf } from '../kit/report-fields.ts';
import { bytesOf } from '../kit/social-files.ts';
import { fittingImage, type ImageLimit } from '../kit/social-images.ts';
import { absentOrUnclear, attemptNote, isSameText, isSince, resultText, unfinishedStep } from '../kit/social-steps.ts';

/** The API of one account. */
export interface PinterestAccess {
  readonly http: SocialHttp;
  /** For upload URLs, which must not receive the token. */
  readonly uploads: SocialHttp;
  /** Includes the version, without a slash at its end. */
  readonly url: string;
  /** The time between two checks of a video that is being processed, in milliseconds. */
  readonly pollMs: number;
}

/** One publication in progress. */
interface Publication {
  readonly access: PinterestAccess;
  readonly target: SocialTarget;
  readonly steps: PublishSteps;
  readonly options: SocialCallOptions;
}

/** The images of a pin are sent in one request, so each is kept smaller than the network allows. */
const pictures: ImageLimit = {
  types: ['image/jpeg', 'image/png'],
  maxBytes: 5_000_000,
  maxWidth: 4_096,
  maxHeight: 8_192,
};
const uploadMs = 540_000;
const maxPollMs = 45_000;

const urlOf = (id: string): string => `https://www.pinterest.com/pin/${id}/`;
const postOf = (id: string): PublishedPost => ({ externalId: id, url: urlOf(id) });
const titleOf = ({ settings }: SocialTarget): string => settings['title'] ?? '';

function boardOf({ settings }: SocialTarget): string {
  const id = settings['boardId'] ?? '';
  if (/^\d+$/.test(id)) return id;
  throw new SocialError('rejected', 'The pin has no board.', { problem: 'setting_missing' });
}

/** Waits until Pinterest has processed the video. */
async function awaitVideo({ access, options }: Publication, id: string): Promise<'succeeded' | 'failed'> {
  const deadline = performance.now() + maxPollMs;
  for (;;) {
    const { fields } = await access.http.call({ method: 'GET', url: `${access.url}/media/${id}` }, options);
    const status = textOf(fields['status']);
    if (status === 'succeeded' || status === 'failed') return status;
    if (performance.now() + access.pollMs > deadline) {
      throw new SocialError('transient', 'Pinterest is still processing the video.');
    }
    try {
      await wait(access.pollMs, undefined, { signal: options.signal });
    } catch (cause) {
      throw new SocialError('transient', 'The call was ended while Pinterest was processing the video.', { cause });
    }
  }
}

/** Uploads the video. Nothing is visible yet. */
async function uploadVideo(publication: Publication, media: SocialMedia): Promise<string> {
  const { access, steps, options } = publication;
  await steps.before('media');
  const begin = { method: 'POST', url: `${access.url}/media`, json: { media_type: 'video' } } as const;
  const { fields } = await access.http.call(begin, options);
  const id = requiredField(textOf(fields['media_id']), { name: 'media_id', visible: false });
  const url = requiredField(textOf(fields['upload_url']), { name: 'upload_url', visible: false });
  const uploadFields = Object.entries(fieldsOf(fields['upload_parameters'])).map(([name, value]) => [
    name,
    textOf(value),
  ]);
  const file = {
    field: 'file',
    fileName: 'video',
    contentType: media.contentType,
    bytes: media.bytes,
    chunks: bytesOf(media),
  };
  const form = formWithFile(Object.fromEntries(uploadFields) as Record<string, string>, file);
  await access.uploads.call({ method: 'POST', url, timeoutMs: uploadMs, ...form }, options);
  await steps.after('media', { id });
  return id;
}

async function videoSource(publication: Publication, media: SocialMedia): Promise<ReportFields> {
  const recordedId = resultText(publication.steps, 'media', 'id');
  let id = recordedId || (await uploadVideo(publication, media));
  let status = await awaitVideo(publication, id);
  if (status === 'failed' && recordedId !== '') {
    id = await uploadVideo(publication, media);
    status = await awaitVideo(publication, id);
  }
  if (status === 'failed') {
    throw new SocialError('rejected', 'Pinterest cannot use this video.', { problem: 'media_kind' });
  }
  // The cover is the first frame.
  return { source_type: 'video_id', media_id: id, cover_image_key_frame_time: 0 };
}

async function imageSource(media: readonly SocialMedia[]): Promise<ReportFields> {
  const items: ReportFields[] = [];
  for (const image of media) {
    const { bytes, contentType } = await fittingImage(image, pictures);
    items.push({ content_type: contentType, data: Buffer.from(bytes).toString('base64') });
  }
  const [onlyItem, ...others] = items;
  return others.length === 0
    ? { source_type: 'image_base64', ...onlyItem }
    : { source_type: 'multiple_image_base64', items };
}

async function recordPost({ steps }: Publication, id: string): Promise<PublishedPost> {
  await steps.after('post', { part: id });
  return postOf(id);
}

/** Publishes the pin if it is not published yet. */
export async function publishPin(
  access: PinterestAccess,
  target: SocialTarget,
  steps: PublishSteps,
  options: SocialCallOptions,
): Promise<PublishedPost> {
  const publication: Publication = { access, target, steps, options };
  const part = resultText(steps, 'post', 'part');
  if (part !== '') return postOf(part);
  const board = boardOf(target);
  const [first] = target.media;
  if (first === undefined) {
    throw new SocialError('rejected', 'Pinterest requires a picture or a video in each pin.', {
      problem: 'media_missing',
    });
  }
  const source = first.kind === 'video' ? await videoSource(publication, first) : await imageSource(target.media);
  const json = {
    board_id: board,
    title: titleOf(target) || undefined,
    description: target.texts[0] || undefined,
    link: target.linkUrl ?? undefined,
    alt_text: first.alt || undefined,
    media_source: source,
  };
  await steps.before('post', attemptNote(options.now));
  const request = { method: 'POST', url: `${access.url}/pins`, json, visible: true, timeoutMs: 55_000 } as const;
  const { fields } = await access.http.call(request, options);
  return recordPost(publication, requiredField(textOf(fields['id']), { name: 'id', visible: true }));
}

/** Looks for the pin among the newest ones of its board. */
export async function probePin(
  access: PinterestAccess,
  target: SocialTarget,
  steps: PublishSteps,
  options: SocialCallOptions,
): Promise<ProbeResult> {
  const publication: Publication = { access, target, steps, options };
  const step = unfinishedStep(steps);
  // Uploads are not visible, so another upload is harmless.
  if (step?.name !== 'post') return { outcome: 'absent' };
  const url = `${access.url}/boards/${boardOf(target)}/pins`;
  const { fields } = await access.http.call({ method: 'GET', url, query: { page_size: 50 } }, options);
  const match = listOf(fields['items'])
    .map(fieldsOf)
    .find(
      (pin) =>
        isSince(pin['created_at'], target.startedAt) &&
        isSameText(textOf(pin['description']), target.texts[0]) &&
        isSameText(textOf(pin['title']), titleOf(target)),
    );
  if (match === undefined) return absentOrUnclear(step, options.now);
  return { outcome: 'landed', post: await recordPost(publication, textOf(match['id'])) };
}
