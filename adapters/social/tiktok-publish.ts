// Publishing on TikTok. A video is announced and then uploaded, and its last part makes it a post. Photos are announced and
// fetched by TikTok. The state of a publication is queried by its publish_id. Called by tiktok.ts.
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
import { listOf, type ReportFields, textOf } from '../kit/report-fields.ts';
import { bytesOf } from '../kit/social-files.ts';
import { fittingImageUrl, type ImageLimit } from '../kit/social-images.ts';
import { attemptNote, resultText, unfinishedStep } from '../kit/social-steps.ts';

/** The API of one account. */
export interface TiktokAccess {
  /** Calls a path of the API with JSON and returns `data`. @throws SocialError */
  call(path: string, json: unknown, options: SocialCallOptions, visible?: boolean): Promise<ReportFields>;
  /** For upload URLs, which must not receive the token. */
  readonly uploads: SocialHttp;
  /** The time between two checks of a post that is being processed, in milliseconds. */
  readonly pollMs: number;
  readonly maxPollMs: number;
  /** The size of one part of an upload, in bytes: 5 to 64 MB. */
  readonly chunkBytes: number;
}

/** One publication in progress. */
interface Publication {
  readonly access: TiktokAccess;
  readonly target: SocialTarget;
  readonly steps: PublishSteps;
  readonly options: SocialCallOptions;
  /** The handle of the creator, for the URL of the post. */
  readonly handle: string;
}

const pictures: ImageLimit = {
  types: ['image/jpeg', 'image/webp'],
  maxBytes: 20_000_000,
  maxWidth: 1_080,
  maxHeight: 1_920,
};
const uploadMs = 300_000;
/** A video of at most this size, and at most the size of a part, is uploaded as a whole. */
const wholeBytes = 64_000_000;

const isVideoPost = ({ media }: SocialTarget): boolean => media[0]?.kind === 'video';

/** The state of a publication on TikTok. */
type Progress =
  | { readonly state: 'complete'; readonly postId: string }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'at work' }
  /** Bytes are missing, which only the process that began the publication could send. */
  | { readonly state: 'unsent' };

async function progressOf(
  { access, target, options }: Omit<Publication, 'handle' | 'steps'>,
  publish: string,
): Promise<Progress> {
  let data: ReportFields;
  try {
    data = await access.call('/v2/post/publish/status/fetch/', { publish_id: publish }, options);
  } catch (error) {
    // TikTok drops ids after a while, so a missing id does not reveal the state of the post.
    if (error instanceof SocialError && error.fault === 'rejected') return { state: 'at work' };
    throw error;
  }
  const status = textOf(data['status']);
  if (status === 'PUBLISH_COMPLETE')
    return { state: 'complete', postId: textOf(listOf(data['publicaly_available_post_id'])[0]) };
  if (status === 'FAILED') return { state: 'failed', reason: textOf(data['fail_reason']) };
  const size = target.media[0]?.bytes ?? 0;
  const sentBytes = Number(data['uploaded_bytes'] ?? 0);
  return isVideoPost(target) && status === 'PROCESSING_UPLOAD' && sentBytes < size
    ? { state: 'unsent' }
    : { state: 'at work' };
}

const addressOf = (handle: string, postId: string, isVideo: boolean): string | null =>
  handle === '' || postId === '' ? null : `https://www.tiktok.com/@${handle}/${isVideo ? 'video' : 'photo'}/${postId}`;

/** TikTok returns the id of a public post only after its check. Until then its publish_id is used instead. */
async function recordPost(
  { steps, target, handle }: Publication,
  publish: string,
  postId: string,
): Promise<PublishedPost> {
  const post = { externalId: postId || publish, url: addressOf(handle, postId, isVideoPost(target)) };
  await steps.after('post', { part: post.externalId, url: post.url });
  return post;
}

/** Waits until people can see the post. A failure from here on is not a reason to publish again. */
async function awaitPost(publication: Publication, publish: string): Promise<PublishedPost> {
  const { access, options } = publication;
  const deadline = performance.now() + access.maxPollMs;
  for (;;) {
    let progress: Progress;
    try {
      progress = await progressOf(publication, publish);
      if (progress.state === 'at work' || progress.state === 'unsent') {
        if (performance.now() + access.pollMs > deadline) throw new Error('TikTok is still processing the post.');
        await wait(access.pollMs, undefined, { signal: options.signal });
        continue;
      }
    } catch (cause) {
      const text = cause instanceof Error ? cause.message : 'TikTok does not report the result of the post.';
      throw new SocialError('uncertain', text, { cause });
    }
    if (progress.state === 'complete') return recordPost(publication, publish, progress.postId);
    throw new SocialError('rejected', `TikTok cannot publish this: ${progress.reason || 'it gives no reason'}.`, {
      code: progress.reason || undefined,
    });
  }
}

/** The offsets of a video's parts. The last part also contains the remainder. */
export function partsOf(
  size: number,
  chunkBytes: number,
): { readonly chunk: number; readonly starts: readonly number[] } {
  if (size <= wholeBytes && size <= chunkBytes) return { chunk: size, starts: [0] };
  const count = Math.max(1, Math.floor(size / chunkBytes));
  return { chunk: chunkBytes, starts: Array.from({ length: count }, (_none, index) => index * chunkBytes) };
}

async function sendVideo(
  { access, options }: Publication,
  media: SocialMedia,
  url: string,
  starts: readonly number[],
): Promise<void> {
  for (const [partIndex, start] of starts.entries()) {
    const end = starts[partIndex + 1] ?? media.bytes;
    const request = {
      method: 'PUT',
      url,
      headers: { 'content-type': media.contentType, 'content-range': `bytes ${start}-${end - 1}/${media.bytes}` },
      body: { bytes: end - start, chunks: bytesOf(media, { start, end }) },
      // The last part makes the video a post.
      visible: end === media.bytes,
      timeoutMs: uploadMs,
    } as const;
    await access.uploads.call(request, options);
  }
}

async function publishVideo(publication: Publication, media: SocialMedia): Promise<PublishedPost> {
  const { access, target, steps, options } = publication;
  const { chunk, starts } = partsOf(media.bytes, access.chunkBytes);
  await steps.before('announce');
  const data = await access.call(
    '/v2/post/publish/video/init/',
    {
      post_info: { title: target.texts[0] || undefined, privacy_level: target.settings['privacy'] },
      source_info: {
        source: 'FILE_UPLOAD',
        video_size: media.bytes,
        chunk_size: chunk,
        total_chunk_count: starts.length,
      },
    },
    options,
  );
  const publish = requiredField(textOf(data['publish_id']), { name: 'publish_id', visible: false });
  const url = requiredField(textOf(data['upload_url']), { name: 'upload_url', visible: false });
  // The upload URL contains a token, so it is not stored and an interrupted upload starts again.
  await steps.after('announce', { publish });
  await steps.before('post', attemptNote(options.now, { publish }));
  await sendVideo(publication, media, url, starts);
  return awaitPost(publication, publish);
}

async function publishPhotos(publication: Publication): Promise<PublishedPost> {
  const { access, target, steps, options } = publication;
  let publish = resultText(steps, 'announce', 'publish');
  if (publish === '') {
    const images: string[] = [];
    for (const media of target.media) images.push(await fittingImageUrl(media, pictures));
    await steps.before('announce', attemptNote(options.now));
    const data = await access.call(
      '/v2/post/publish/content/init/',
      {
        media_type: 'PHOTO',
        post_mode: 'DIRECT_POST',
        post_info: { description: target.texts[0] || undefined, privacy_level: target.settings['privacy'] },
        source_info: { source: 'PULL_FROM_URL', photo_images: images, photo_cover_index: 0 },
      },
      options,
      true,
    );
    publish = requiredField(textOf(data['publish_id']), { name: 'publish_id', visible: true });
    await steps.after('announce', { publish });
  }
  await steps.before('post', attemptNote(options.now, { publish }));
  return awaitPost(publication, publish);
}

/** The state of the last attempt: its publish_id, and its progress on TikTok. */
async function lastAttempt(
  publication: Publication,
): Promise<{ readonly publish: string; readonly progress: Progress } | undefined> {
  const publish = textOf(publication.steps.find('post')?.note['publish']);
  return publish === '' ? undefined : { publish, progress: await progressOf(publication, publish) };
}

/** Publishes the parts that are not published yet. */
export async function publishOnTiktok(
  access: TiktokAccess,
  target: SocialTarget,
  steps: PublishSteps,
  options: SocialCallOptions,
  handle: string,
): Promise<PublishedPost> {
  const publication: Publication = { access, target, steps, options, handle };
  const [first] = target.media;
  if (first === undefined) {
    throw new SocialError('rejected', 'TikTok requires a video or a photo in each post.', { problem: 'media_missing' });
  }
  const part = resultText(steps, 'post', 'part');
  if (part !== '') return { externalId: part, url: resultText(steps, 'post', 'url') || null };
  const attempt = await lastAttempt(publication);
  if (attempt?.progress.state === 'complete') return recordPost(publication, attempt.publish, attempt.progress.postId);
  if (attempt?.progress.state === 'at work') return awaitPost(publication, attempt.publish);
  if (first.kind === 'video') return publishVideo(publication, first);
  // A failed announcement of photos has ended, so another one does not cause a second post.
  if (attempt?.progress.state === 'failed') await steps.after('announce', { publish: '' });
  return publishPhotos(publication);
}

/** Queries TikTok for the state of an unfinished publication. `handleOf` returns the creator's handle, for the URL of a post. */
export async function probeTiktok(
  access: TiktokAccess,
  target: SocialTarget,
  steps: PublishSteps,
  options: SocialCallOptions,
  handleOf: () => Promise<string>,
): Promise<ProbeResult> {
  const step = unfinishedStep(steps);
  if (step?.name === 'announce' && !isVideoPost(target)) {
    const reason = 'TikTok does not list photo posts, so a photo post without a known publish_id cannot be looked up.';
    return { outcome: 'unclear', reason };
  }
  // An announced video without bytes is not visible, so another announcement is harmless.
  if (step?.name !== 'post') return { outcome: 'absent' };
  const publication = { access, target, steps, options, handle: '' };
  const attempt = await lastAttempt(publication);
  if (attempt === undefined) return { outcome: 'absent' };
  const { publish, progress } = attempt;
  if (progress.state === 'complete') {
    const handle = progress.postId === '' ? '' : await handleOf();
    return { outcome: 'landed', post: await recordPost({ ...publication, handle }, publish, progress.postId) };
  }
  if (progress.state === 'at work') return { outcome: 'unclear', reason: 'TikTok is still processing the post.' };
  return { outcome: 'absent' };
}
