// Problems of attachments: their kinds, number and size.
import type { AssetMap } from '../content/media.ts';
import type { ChannelRules, FileRule, MediaSet } from '../port/index.ts';
import type { PostMedia, PostProblem, SocialPostContent } from '../schema.ts';
import { tooLong } from './text.ts';

const kindNames: Readonly<Record<PostMedia['kind'], string>> = { image: 'image', video: 'video', gif: 'GIF' };

const list = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** The allowed sets in words: `up to 4 images, or 1 video`. */
const setsInWords = (sets: readonly MediaSet[]): string =>
  sets
    .map(({ kinds, min, max }) => {
      const count = min === max ? `${max}` : min > 1 ? `${min} to ${max}` : `up to ${max}`;
      return `${count} ${list(kinds.map((kind) => `${kindNames[kind]}${max === 1 ? '' : 's'}`))}`;
    })
    .join(', or ');

const tenths = (value: number): number => Math.round(value * 10) / 10;

/** A size in words, such as `2.5 MB`. */
const sizeInWords = (bytes: number): string =>
  bytes < 1_000_000_000 ? `${tenths(bytes / 1_000_000)} MB` : `${tenths(bytes / 1_000_000_000)} GB`;

/** A duration in words, such as `60 s`. */
const timeInWords = (ms: number): string =>
  ms < 300_000 ? `${tenths(ms / 1_000)} s` : `${tenths(ms / 60_000)} minutes`;

type MediaProblem = Omit<PostProblem, 'channelId'>;

/** The problems of attachments that match no allowed set. */
function setProblem({ name, media: { sets, required } }: ChannelRules, media: readonly PostMedia[]): MediaProblem[] {
  const allowedSets = `${name} takes ${setsInWords(sets)}.`;
  if (media.length === 0)
    return required
      ? [{ path: 'media', code: 'media_missing', message: `${name} needs an attachment. ${allowedSets}` }]
      : [];
  const refused = media.flatMap(({ kind }, index) => (sets.some(({ kinds }) => kinds.includes(kind)) ? [] : [index]));
  if (refused.length > 0)
    return refused.map((index) => ({
      path: `media.${index}.kind`,
      code: 'media_kind',
      message: sets.length === 0 ? `${name} does not accept attachments.` : allowedSets,
    }));
  const together = sets.filter(({ kinds }) => media.every(({ kind }) => kinds.includes(kind)));
  if (together.length === 0)
    return [
      {
        path: 'media',
        code: 'media_mixed',
        message: `The network does not accept these attachments together. ${allowedSets}`,
      },
    ];
  if (together.some(({ min, max }) => media.length >= min && media.length <= max)) return [];
  const isTooFew = together.every(({ min }) => media.length < min);
  const code = isTooFew ? 'media_missing' : 'media_too_many';
  return [{ path: 'media', code, message: `There are ${media.length} attachments. ${allowedSets}` }];
}

/** The faults of a file. Used for videos and GIFs, which adapters do not convert. */
function fileFault(
  rule: FileRule,
  asset: NonNullable<ReturnType<AssetMap['get']>>,
): Pick<MediaProblem, 'code' | 'message'>[] {
  const { bytes, duration_ms: duration, content_type: type } = asset;
  const faults: Pick<MediaProblem, 'code' | 'message'>[] = [];
  if (type !== null && !rule.types.includes(type))
    faults.push({ code: 'media_kind', message: `is ${type}; ${rule.types.join(', ')} are accepted` });
  if (bytes !== null && bytes > rule.maxBytes)
    faults.push({
      code: 'media_too_large',
      message: `has ${sizeInWords(bytes)}; ${sizeInWords(rule.maxBytes)} are allowed`,
    });
  if (duration !== null && rule.maxMs !== undefined && duration > rule.maxMs)
    faults.push({
      code: 'media_too_large',
      message: `lasts ${timeInWords(duration)}; ${timeInWords(rule.maxMs)} are allowed`,
    });
  if (duration !== null && rule.minMs !== undefined && duration < rule.minMs)
    faults.push({
      code: 'media_kind',
      message: `lasts ${timeInWords(duration)}; at least ${timeInWords(rule.minMs)} are needed`,
    });
  return faults;
}

/** The problems of the attachments on one channel. */
export function mediaProblems(rules: ChannelRules, { media }: SocialPostContent, assets: AssetMap): PostProblem[] {
  const { channelId, name } = rules;
  const foundProblems: MediaProblem[] = setProblem(rules, media);
  for (const [index, { assetId, kind, alt }] of media.entries()) {
    const path = `media.${index}`;
    const asset = assets.get(assetId);
    if (asset === undefined || asset.status !== 'ready') {
      foundProblems.push({ path, code: 'media_missing', message: `The asset ${assetId} was deleted.` });
      continue;
    }
    const rule = rules.media.files[kind];
    // Adapters scale and convert images.
    if (rule !== undefined && kind !== 'image')
      for (const { code, message } of fileFault(rule, asset))
        foundProblems.push({ path, code, message: `The ${kind} ${message} on ${name}.` });
    const altRule = rules.media.alt;
    const altFault = altRule === null ? undefined : tooLong(`The alternative text for ${name}`, altRule, alt);
    if (altFault !== undefined) foundProblems.push({ path: `${path}.alt`, code: 'alt_too_long', message: altFault });
  }
  return foundProblems.map((problem) => ({ channelId, ...problem }));
}
