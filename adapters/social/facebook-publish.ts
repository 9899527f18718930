// Publishing on a Facebook Page. Photos are uploaded unpublished and shown by one post. A video is uploaded in phases, and the
// last phase publishes it. Called by facebook.ts. Every call uses the token of the Page.
import {
  type ProbeResult,
  type PublishedPost,
  type PublishSteps,
  type SocialCallOptions,
  SocialError,
  type SocialMedia,
  type SocialTarget,
} from '../../plugins/social/port/index.ts';
import { requiredField } from '../kit/http-social.ts';
import { isGone, type MetaGraph } from '../kit/meta-graph.ts';
import { formWithFile, oneChunk } from '../kit/multipart.ts';
import { fieldsOf, listOf, type ReportFields, textOf } from '../kit/report-fields.ts';
import { bytesOf } from '../kit/social-files.ts';
import { fittingImage, type ImageLimit } from '../kit/social-images.ts';
import { absentOrUnclear, attemptNote, isSameText, isSince, resultText, unfinishedStep } from '../kit/social-steps.ts';

/** The Page's access, and the API host for videos. */
export interface FacebookPageAccess {
  readonly graph: MetaGraph;
  readonly video: MetaGraph;
}

/** One publication in progress. */
interface Publication {
  readonly page: FacebookPageAccess;
  readonly target: SocialTarget;
  readonly steps: PublishSteps;
  readonly options: SocialCallOptions;
}

const pictures: ImageLimit = {
  types: ['image/jpeg', 'image/png'],
  maxBytes: 4_000_000,
  maxWidth: 4_096,
  maxHeight: 4_096,
};
/** The maximum size of one upload request. */
const chunkBytes = 8 * 1_024 * 1_024;
const uploadMs = 120_000;

async function uploadPhoto(
  { page, target, steps, options }: Publication,
  media: SocialMedia,
  step: string,
): Promise<string> {
  const recordedId = resultText(steps, step, 'id');
  if (recordedId !== '') return recordedId;
  const { bytes, contentType } = await fittingImage(media, pictures);
  const file = { field: 'source', fileName: 'photo', contentType, bytes: bytes.byteLength, chunks: oneChunk(bytes) };
  await steps.before(step);
  const fields = { published: 'false', alt_text_custom: media.alt || undefined };
  const answer = await page.graph.send(
    `/${target.externalAccountId}/photos`,
    (common) => formWithFile({ ...fields, ...common }, file),
    options,
    uploadMs,
  );
  const id = requiredField(textOf(answer['id']), { name: 'id', visible: false });
  await steps.after(step, { id });
  return id;
}

const wholeNumber = (value: unknown): number => {
  const number = Number(textOf(value) || 'none');
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new SocialError(
    'transient',
    'The response of Facebook does not contain the position of the next part of the video.',
  );
};

/** Uploads all bytes. Nothing is visible yet. An interrupted upload starts again. */
async function uploadVideo(
  { page, target, steps, options }: Publication,
  media: SocialMedia,
): Promise<{ video: string; session: string }> {
  const [recordedVideo, knownSession] = [resultText(steps, 'upload', 'video'), resultText(steps, 'upload', 'session')];
  if (recordedVideo !== '' && knownSession !== '') return { video: recordedVideo, session: knownSession };
  const path = `/${target.externalAccountId}/videos`;
  await steps.before('upload');
  const start = { upload_phase: 'start', file_size: String(media.bytes) };
  const startAnswer = await page.video.post(path, start, options);
  const session = requiredField(textOf(startAnswer['upload_session_id']), {
    name: 'upload_session_id',
    visible: false,
  });
  const video = requiredField(textOf(startAnswer['video_id']), { name: 'video_id', visible: false });
  let [from, to] = [wholeNumber(startAnswer['start_offset']), wholeNumber(startAnswer['end_offset'])];
  while (from < to) {
    const end = Math.min(to, from + chunkBytes, media.bytes);
    const file = {
      field: 'video_file_chunk',
      fileName: 'video',
      contentType: 'application/octet-stream',
      bytes: end - from,
      chunks: bytesOf(media, { start: from, end }),
    };
    const fields = { upload_phase: 'transfer', upload_session_id: session, start_offset: String(from) };
    const answer = await page.video.send(
      path,
      (common) => formWithFile({ ...fields, ...common }, file),
      options,
      uploadMs,
    );
    const next = wholeNumber(answer['start_offset']);
    to = wholeNumber(answer['end_offset']);
    if (next <= from && next < to) throw new SocialError('transient', 'Facebook did not accept a part of the video.');
    from = next;
  }
  await steps.after('upload', { video, session });
  return { video, session };
}

/** The public URL; null if the network does not return it now. */
async function permalinkOf({ page, options }: Publication, id: string): Promise<string | null> {
  const fields: ReportFields = await page.graph.get(`/${id}`, { fields: 'permalink_url' }, options).catch(() => ({}));
  return addressOf(fields['permalink_url']);
}

/** URLs of videos come without the host. */
function addressOf(value: unknown): string | null {
  const text = textOf(value);
  if (text === '') return null;
  return text.startsWith('/') ? `https://www.facebook.com${text}` : text;
}

async function recordPost({ steps }: Publication, externalId: string, url: string | null): Promise<PublishedPost> {
  await steps.after('post', { part: externalId, url });
  return { externalId, url };
}

async function publishVideo(publication: Publication, media: SocialMedia): Promise<PublishedPost> {
  const { page, target, steps, options } = publication;
  const { video, session } = await uploadVideo(publication, media);
  await steps.before('post', attemptNote(options.now, { video }));
  const finish = { upload_phase: 'finish', upload_session_id: session, description: target.texts[0] || undefined };
  const answer = await page.video.post(`/${target.externalAccountId}/videos`, finish, options, { visible: true });
  if (answer['success'] !== true)
    throw new SocialError('uncertain', 'Facebook did not confirm that it published the video.');
  return recordPost(publication, video, await permalinkOf(publication, video));
}

async function publishPost(publication: Publication, photos: readonly string[]): Promise<PublishedPost> {
  const { page, target, steps, options } = publication;
  await steps.before('post', attemptNote(options.now, { photos }));
  const attachedMedia = Object.fromEntries(
    photos.map((id, index) => [`attached_media[${index}]`, JSON.stringify({ media_fbid: id })]),
  );
  const form = {
    message: target.texts[0] || undefined,
    link: photos.length === 0 ? (target.linkUrl ?? undefined) : undefined,
    ...attachedMedia,
  };
  const answer = await page.graph.post(`/${target.externalAccountId}/feed`, form, options, { visible: true });
  const id = requiredField(textOf(answer['id']), { name: 'id', visible: true });
  return recordPost(publication, id, await permalinkOf(publication, id));
}

/** Publishes the parts that are not published yet. */
export async function publishOnPage(
  page: FacebookPageAccess,
  target: SocialTarget,
  steps: PublishSteps,
  options: SocialCallOptions,
): Promise<PublishedPost> {
  const publication = { page, target, steps, options };
  const part = resultText(steps, 'post', 'part');
  if (part !== '') return { externalId: part, url: resultText(steps, 'post', 'url') || null };
  const [first] = target.media;
  if (first?.kind === 'video') return publishVideo(publication, first);
  const photos: string[] = [];
  for (const [place, media] of target.media.entries())
    photos.push(await uploadPhoto(publication, media, `photo ${place + 1}`));
  return publishPost(publication, photos);
}

/** The ids of a post's attachments. */
const attachmentsOf = (post: ReportFields): readonly string[] =>
  listOf(fieldsOf(post['attachments'])['data'])
    .map(fieldsOf)
    .flatMap((one) =>
      [one, ...listOf(fieldsOf(one['subattachments'])['data']).map(fieldsOf)].map((part) =>
        textOf(fieldsOf(part['target'])['id']),
      ),
    );

/** Looks for a post among the newest posts of the Page. */
async function findPost(publication: Publication, photos: readonly string[]): Promise<PublishedPost | undefined> {
  const { page, target, options } = publication;
  const fields = 'id,message,created_time,permalink_url,attachments{target,subattachments{target}}';
  const list = await page.graph.get(`/${target.externalAccountId}/feed`, { fields, limit: '50' }, options);
  const match = listOf(list['data'])
    .map(fieldsOf)
    .filter((post) => isSince(post['created_time'], target.startedAt))
    .find((post) =>
      photos.length > 0
        ? photos.some((id) => attachmentsOf(post).includes(id))
        : isSameText(textOf(post['message']), target.texts[0]),
    );
  return match === undefined ? undefined : { externalId: textOf(match['id']), url: addressOf(match['permalink_url']) };
}

async function probeVideo(
  publication: Publication,
  step: { readonly note: ReportFields },
): Promise<PublishedPost | 'absent' | 'unclear'> {
  const { page, options } = publication;
  const video = textOf(step.note['video']);
  let videoFields: ReportFields;
  try {
    videoFields = await page.graph.get(`/${video}`, { fields: 'published,status,permalink_url' }, options);
  } catch (error) {
    if (isGone(error)) return 'absent';
    throw error;
  }
  const status = fieldsOf(videoFields['status']);
  const isPublished =
    videoFields['published'] === true || textOf(fieldsOf(status['publishing_phase'])['status']) === 'complete';
  if (isPublished) return { externalId: video, url: addressOf(videoFields['permalink_url']) };
  // Only the call that publishes the video ends the upload phase, so an upload phase that is complete shows that the
  // call succeeded.
  return textOf(fieldsOf(status['uploading_phase'])['status']) === 'complete' ? 'unclear' : 'absent';
}

/** Queries the Page for the state of an unfinished publication. */
export async function probePage(
  page: FacebookPageAccess,
  target: SocialTarget,
  steps: PublishSteps,
  options: SocialCallOptions,
): Promise<ProbeResult> {
  const publication = { page, target, steps, options };
  const step = unfinishedStep(steps);
  // Uploads are not visible, so another upload is harmless.
  if (step?.name !== 'post') return { outcome: 'absent' };
  const photos = listOf(step.note['photos']).map(textOf);
  const post =
    step.note['video'] === undefined ? await findPost(publication, photos) : await probeVideo(publication, step);
  if (post === undefined || post === 'absent') return absentOrUnclear(step, options.now);
  if (post === 'unclear') return { outcome: 'unclear', reason: 'Facebook is still processing the video.' };
  return { outcome: 'landed', post: await recordPost(publication, post.externalId, post.url) };
}
