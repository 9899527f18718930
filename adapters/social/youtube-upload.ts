// Uploading a video to YouTube by its resumable protocol
// (developers.google.com/youtube/v3/guides/using_resumable_upload_protocol). The request with the last byte creates the video.
// The session's state later shows whether it did. Called by youtube.ts.
import { parseUrl } from '../../core/contract/values/parse-url.ts';
import {
  type ProbeResult,
  type PublishedPost,
  type PublishSteps,
  type SocialCallOptions,
  SocialError,
  type SocialMedia,
  type SocialTarget,
} from '../../plugins/social/port/index.ts';
import { requiredField, type SocialHttp, type SocialRequest, type SocialResponse } from '../kit/http-social.ts';
import { fieldsOf, listOf, textOf } from '../kit/report-fields.ts';
import { bytesOf } from '../kit/social-files.ts';
import { absentOrUnclear, attemptNote, isSameText, isSince, resultText, unfinishedStep } from '../kit/social-steps.ts';

/** The API of one channel. */
export interface YoutubeAccess {
  readonly http: SocialHttp;
  /** Without a slash at its end. */
  readonly url: string;
  /** The size of one upload request, in bytes: a multiple of 262,144. */
  readonly chunkBytes: number;
}

/** One publication in progress. */
interface Publication {
  readonly access: YoutubeAccess;
  readonly target: SocialTarget;
  readonly steps: PublishSteps;
  readonly options: SocialCallOptions;
  readonly media: SocialMedia;
}

const parts = 'snippet,status';
/** The time limit of one part of an upload, in milliseconds. */
const chunkMs = 120_000;

const titleOf = ({ settings }: SocialTarget): string => settings['title'] ?? '';

export const watchUrl = (id: string): string => `https://www.youtube.com/watch?v=${id}`;

const postOf = (id: string): PublishedPost => ({ externalId: id, url: watchUrl(id) });

const sessionUrl = ({ url }: YoutubeAccess, upload: string): string =>
  `${url}/upload/youtube/v3/videos?${new URLSearchParams({ uploadType: 'resumable', part: parts, upload_id: upload })}`;

/** Begins an upload. Nothing is visible yet. */
async function beginUpload({ access, target, steps, options, media }: Publication): Promise<string> {
  await steps.before('session');
  const video = {
    snippet: { title: titleOf(target), description: target.texts[0] },
    status: { privacyStatus: target.settings['privacy'] ?? 'public' },
  };
  const answer = await access.http.call(
    {
      method: 'POST',
      url: `${access.url}/upload/youtube/v3/videos`,
      query: { uploadType: 'resumable', part: parts },
      headers: {
        'content-type': 'application/json; charset=UTF-8',
        'x-upload-content-length': String(media.bytes),
        'x-upload-content-type': media.contentType,
      },
      json: video,
    },
    options,
  );
  const location = answer.headers['location'] ?? '';
  const upload = parseUrl(location)?.searchParams.get('upload_id') ?? '';
  const id = requiredField(upload, { name: 'upload_id', visible: false });
  await steps.after('session', { upload: id });
  return id;
}

type UploadState = { readonly next: number } | { readonly video: string } | 'gone';

/** The state from a response of the session: the first missing byte, the created video, or that the session is over. */
function stateOf(response: SocialResponse, request: SocialRequest, publication: Publication): UploadState {
  if (response.status === 200 || response.status === 201) {
    return { video: requiredField(textOf(response.fields['id']), { name: 'id', visible: true }) };
  }
  if (response.status === 308) {
    const lastByte = response.headers['range']?.match(/^bytes=0-(\d+)$/)?.[1];
    return { next: lastByte === undefined ? 0 : Number(lastByte) + 1 };
  }
  if (response.status === 404 || response.status === 410) return 'gone';
  throw publication.access.http.errorOf(response, request, publication.options.now);
}

async function querySession(publication: Publication, upload: string): Promise<UploadState> {
  const { access, media, options } = publication;
  const request: SocialRequest = {
    method: 'PUT',
    url: sessionUrl(access, upload),
    headers: { 'content-range': `bytes */${media.bytes}` },
    body: new Uint8Array(0),
  };
  return stateOf(await access.http.ask(request, options), request, publication);
}

/** Sends the bytes from `from` to the end. Only the last request creates the video. */
async function sendBytes(publication: Publication, upload: string, from: number): Promise<string> {
  const { access, media, options } = publication;
  let nextByte = from;
  for (;;) {
    const end = Math.min(media.bytes, nextByte + access.chunkBytes);
    const request: SocialRequest = {
      method: 'PUT',
      url: sessionUrl(access, upload),
      headers: {
        'content-type': media.contentType,
        'content-range': `bytes ${nextByte}-${end - 1}/${media.bytes}`,
      },
      body: { bytes: end - nextByte, chunks: bytesOf(media, { start: nextByte, end }) },
      visible: end === media.bytes,
      timeoutMs: chunkMs,
    };
    const state = stateOf(await access.http.ask(request, options), request, publication);
    if (state === 'gone')
      throw new SocialError('transient', 'YouTube ended the upload session before all bytes were sent.');
    if ('video' in state) return state.video;
    if (state.next <= nextByte) throw new SocialError('transient', 'YouTube did not accept a part of the video.');
    nextByte = state.next;
  }
}

async function recordPost({ steps }: Publication, video: string): Promise<PublishedPost> {
  await steps.after('post', { part: video });
  return postOf(video);
}

/** Looks for the video among the newest videos of the channel, if the session is over. */
async function findVideo({ access, target, options }: Publication): Promise<string | undefined> {
  const { http, url } = access;
  const channels = {
    method: 'GET',
    url: `${url}/youtube/v3/channels`,
    query: { part: 'contentDetails', mine: 'true' },
  } as const;
  const [channel] = listOf((await http.call(channels, options)).fields['items']).map(fieldsOf);
  const playlistId = textOf(fieldsOf(fieldsOf(channel?.['contentDetails'])['relatedPlaylists'])['uploads']);
  if (playlistId === '') return undefined;
  const items = {
    method: 'GET',
    url: `${url}/youtube/v3/playlistItems`,
    query: { part: 'snippet', playlistId, maxResults: 25 },
  } as const;
  const match = listOf((await http.call(items, options)).fields['items'])
    .map((item) => fieldsOf(fieldsOf(item)['snippet']))
    .find(
      (snippet) =>
        isSince(snippet['publishedAt'], target.startedAt) && isSameText(textOf(snippet['title']), titleOf(target)),
    );
  return textOf(fieldsOf(match?.['resourceId'])['videoId']) || undefined;
}

function videoOf(target: SocialTarget): SocialMedia {
  const [media] = target.media;
  if (media !== undefined) return media;
  throw new SocialError('rejected', 'YouTube accepts only videos.', { problem: 'media_missing' });
}

/** Publishes the video if it is not published yet. An interrupted upload continues with its first missing byte. */
export async function publishVideo(
  access: YoutubeAccess,
  target: SocialTarget,
  steps: PublishSteps,
  options: SocialCallOptions,
): Promise<PublishedPost> {
  const publication: Publication = { access, target, steps, options, media: videoOf(target) };
  const part = resultText(steps, 'post', 'part');
  if (part !== '') return postOf(part);
  let upload = resultText(steps, 'session', 'upload');
  let from = 0;
  if (upload !== '' && steps.find('post') !== undefined) {
    const state = await querySession(publication, upload);
    const video = state === 'gone' ? await findVideo(publication) : 'video' in state ? state.video : undefined;
    if (video !== undefined) return recordPost(publication, video);
    if (state === 'gone') upload = '';
    else if ('next' in state) from = state.next;
  }
  if (upload === '') upload = await beginUpload(publication);
  await steps.before('post', attemptNote(options.now));
  return recordPost(publication, await sendBytes(publication, upload, from));
}

/** Queries the session for the state of the upload. */
export async function probeVideo(
  access: YoutubeAccess,
  target: SocialTarget,
  steps: PublishSteps,
  options: SocialCallOptions,
): Promise<ProbeResult> {
  const publication: Publication = { access, target, steps, options, media: videoOf(target) };
  const step = unfinishedStep(steps);
  // A session without bytes is not visible, so another session is harmless.
  if (step?.name !== 'post') return { outcome: 'absent' };
  const state = await querySession(publication, resultText(steps, 'session', 'upload'));
  const video = state === 'gone' ? await findVideo(publication) : 'video' in state ? state.video : undefined;
  if (video !== undefined) return { outcome: 'landed', post: await recordPost(publication, video) };
  return absentOrUnclear(step, options.now);
}
