// Composes the texts of a post within 90 seconds. Called outside any transaction.
import { type ServiceContext, z } from '../../../core/index.ts';
import type { WritingContext } from '../../templates/index.ts';
import { textProblems } from '../problems/text.ts';
import type { SocialPostContent } from '../schema.ts';
import { embeddedCaption } from './embedded.ts';
import { type CaptionInput, instructionsOf } from './instructions.ts';

/** A request to the composer. */
export interface ComposeBrief {
  readonly brief: string;
  /** The composer's name of the model. */
  readonly model: string | undefined;
  /** The time limit of all attempts together, in milliseconds. (Default: 90 seconds) */
  readonly withinMs?: number;
}

/** The context in which texts are composed: the context of `prepare` or of a job. */
export type SocialComposeContext = WritingContext & ServiceContext;

/** The texts of the channels, as content of the post. */
export type ComposedTexts = Pick<SocialPostContent, 'caption' | 'channelCaptions'>;

/** The schema of the composer's answer: one text for each channel and nothing else. */
const replySchemaOf = (channels: readonly string[]) =>
  z.strictObject({
    captions: z.strictObject(
      Object.fromEntries(channels.map((channelId) => [channelId, z.string().min(1).max(63_206)])),
    ),
  });

type CaptionsReply = z.output<ReturnType<typeof replySchemaOf>>;

const textsOf = (captions: Readonly<Record<string, string>>, channels: readonly string[]): ComposedTexts => ({
  caption: captions[channels[0] ?? ''] ?? '',
  channelCaptions: captions,
});

/** The texts of a dry run, which composes nothing. */
export const noTexts: ComposedTexts = { caption: '', channelCaptions: {} };

/** The caption that is written without a model: one text that fits every channel, with placeholders that people replace. */
export function textsWithoutModel({ rules, content }: CaptionInput, brief: string): ComposedTexts {
  const captions = rules.map((channel) => embeddedCaption(channel, content, brief));
  const shortest = captions.reduce((min, caption) => (caption.length < min.length ? caption : min));
  return { caption: shortest, channelCaptions: {} };
}

/**
 * Composes the texts. If a text breaks a rule of its channel, the composer is asked again. The last answer is returned even if its
 * texts break rules.
 * @throws compose_failed; provider_timeout
 */
export async function composeTexts(
  ctx: SocialComposeContext,
  setting: CaptionInput,
  { brief, model, withinMs }: ComposeBrief,
): Promise<ComposedTexts> {
  const channels = setting.rules.map(({ channelId }) => channelId);
  const faultsOf = ({ captions }: CaptionsReply) => {
    const content = { ...setting.content, ...textsOf(captions, channels) };
    // Placeholders of the embedded writer are for people to replace.
    return setting.rules
      .flatMap((rules) => textProblems(rules, content))
      .flatMap(({ code, message }) => (code === 'placeholders_left' ? [] : [message]));
  };
  const embedded = () => ({
    captions: Object.fromEntries(
      setting.rules.map((rules) => [rules.channelId, embeddedCaption(rules, setting.content, brief)]),
    ),
  });
  const { captions } = await ctx.services.writer.write(ctx, {
    kind: 'social_post',
    what: 'the post',
    form: replySchemaOf(channels),
    instructions: instructionsOf(setting),
    keepsFaulty: true,
    ...{ brief, model, faultsOf, embedded },
    ...(withinMs === undefined ? {} : { withinMs }),
  });
  return textsOf(captions, channels);
}
