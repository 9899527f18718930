// Composes the texts of a post: asks the composer up to three times within 90 seconds. Called outside any transaction.
import type { PrepareContext } from '../../../core/index.ts';
import { coreErrors, z } from '../../../core/index.ts';
import type { ComposerAdapter } from '../../templates/port/index.ts';
import { textProblems } from '../problems/text.ts';
import type { PostContent } from '../schema.ts';
import { embeddedCaption } from './embedded.ts';
import type { ComposeSetting } from './instructions.ts';
import { instructionsOf, promptOf } from './instructions.ts';

const tries = 3;
/** For all of them. */
const limitMs = 90_000;

/** What is to be written. */
export interface ComposeBrief {
  readonly brief: string;
  /** As the composer names it. */
  readonly model: string | undefined;
  /** Ends all tries. (Default: 90 seconds) */
  readonly withinMs?: number;
}

/** The texts of the channels, as content of the post. */
export type ComposedTexts = Pick<PostContent, 'caption' | 'captionIsBrief' | 'channelCaptions'>;

/** One text for each channel, and nothing else. */
const answerOf = (channels: readonly string[]) =>
  z.strictObject({
    captions: z.strictObject(
      Object.fromEntries(channels.map((channelId) => [channelId, z.string().min(1).max(63_206)])),
    ),
  });

const textsOf = (captions: Readonly<Record<string, string>>, channels: readonly string[]): ComposedTexts => ({
  caption: captions[channels[0] ?? ''] ?? '',
  channelCaptions: captions,
});

/** Composes nothing: of a dry run. */
export const noTexts: ComposedTexts = { caption: '', channelCaptions: {} };

/** Without a model: as much of the brief as fits on each channel, for people to rewrite. */
export function briefAsText({ rules, content }: ComposeSetting, brief: string): ComposedTexts {
  const captions = rules.map((channel) => embeddedCaption(channel, content, brief));
  const shortest = captions.reduce((min, caption) => (caption.length < min.length ? caption : min));
  return { caption: shortest, captionIsBrief: true, channelCaptions: {} };
}

/**
 * Texts that break a rule of their channel are tried again; if they still do, they are answered as they are.
 * @throws compose_failed; provider_timeout
 */
export async function composeTexts(
  ctx: PrepareContext,
  composer: ComposerAdapter,
  setting: ComposeSetting,
  { brief, model, withinMs = limitMs }: ComposeBrief,
): Promise<ComposedTexts> {
  const channels = setting.rules.map(({ channelId }) => channelId);
  const schema = answerOf(channels);
  const embedded = () => ({
    captions: Object.fromEntries(
      setting.rules.map((rules) => [rules.channelId, embeddedCaption(rules, setting.content, brief)]),
    ),
  });
  const limit = AbortSignal.timeout(withinMs);
  const signal = AbortSignal.any([ctx.signal, limit]);
  let faults: readonly string[] = [];
  let written: ComposedTexts | undefined;
  for (let count = 1; count <= tries && !limit.aborted; count += 1) {
    const task = {
      kind: 'social_post',
      instructions: instructionsOf(setting),
      prompt: promptOf(brief, faults),
      answer: z.toJSONSchema(schema) as Readonly<Record<string, unknown>>,
      model,
      embedded,
    };
    try {
      const parsed = schema.safeParse(await untilAborted(composer.compose(task, { signal }), signal));
      if (!parsed.success) {
        faults = parsed.error.issues
          .map(({ path, message }) => `${path.join('.') || 'answer'}: ${message}`)
          .slice(0, 10);
        continue;
      }
      written = textsOf(parsed.data.captions, channels);
      const content = { ...setting.content, ...written };
      faults = setting.rules
        .flatMap((rules) => textProblems(rules, content).map(({ message }) => message))
        .slice(0, 10);
      if (faults.length === 0) return written;
    } catch (error) {
      ctx.signal.throwIfAborted();
      faults = [];
      const { requestId } = ctx;
      const fields = { request_id: requestId, composer: composer.id, try: count, cause: String(error) };
      ctx.log.warn(fields, 'a composer failed');
    }
  }
  if (written !== undefined) return written;
  if (limit.aborted) throw coreErrors.provider_timeout({ provider: 'The composer' });
  throw coreErrors.compose_failed({ what: 'the post' });
}

/** An adapter that does not heed the signal keeps no caller waiting. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    if (signal.aborted) stop();
  });
}
