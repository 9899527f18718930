// Prepares composing: finds the model and the brand, and checks the credit balance.
import { coreErrors, type PrepareContext, type ServiceContext } from '../../../core/index.ts';
import { creditPools, creditsExhausted } from '../../../core/unstable.ts';
import type { ApprovalsService } from '../../approvals/index.ts';
import type { BrandStyle, BrandsService } from '../../brand/index.ts';
import { refusePlaceholders } from '../../kit/placeholders.ts';
import type { WritingContext } from '../../templates/index.ts';
import type { CreatePostBody } from '../input.ts';
import type { ChannelRules } from '../port/index.ts';
import { evaluateContent, priceOf } from '../post/evaluate.ts';
import { socialPostKindId } from '../present.ts';
import type { SocialPostContent } from '../schema.ts';
import { type ComposedTexts, composeTexts, noTexts, textsWithoutModel } from './compose.ts';

/** The price of composing for these channels. */
export const composePrice = ({ services }: ServiceContext, channels: readonly string[]): number =>
  services.socialRules.prices.compose * channels.length;

/** The model for the caller's name of a composer. @throws validation_failed */
function modelOf(
  { services }: PrepareContext,
  name: CreatePostBody['composer'],
  models: readonly string[] | undefined,
): string | undefined {
  if (name === undefined) return undefined;
  const model = services.socialRules.composers[name] ?? name;
  if (models === undefined || models.includes(model)) return model;
  const message = `This service has no composer ${name}. Leave it out, or map it in the program: socialPlugin({ composers }).`;
  throw coreErrors.validation_failed(
    { summary: `composer: ${message}` },
    { details: [{ path: 'composer', code: 'unknown', message }] },
  );
}

/** @throws credits_exhausted, leash_exceeded */
async function checkBalance(ctx: PrepareContext, price: number): Promise<void> {
  if (ctx.sandbox) return;
  await ctx.checkLeash(price);
  const { month, granted } = await ctx.read(({ trx }) => creditPools(trx, ctx.workspace, ctx.now));
  if (month + granted < price) throw creditsExhausted(ctx.workspace, price, month + granted, ctx.now);
}

/**
 * The minimum price of publishing. Publishing can cost more, because composed texts may contain URLs. If the post will wait for
 * an approval, or has problems already, the result is 0.
 */
async function minPublishPrice(ctx: PrepareContext, content: SocialPostContent): Promise<number> {
  const approvals: ApprovalsService | undefined = ctx.services.approvals;
  return ctx.read(async (read) => {
    if ((await approvals?.holds(read.trx, socialPostKindId, ctx.actor)) === true) return 0;
    const evaluated = await evaluateContent(read, content, [], { textsToCome: true });
    return evaluated.problems.length > 0 ? 0 : priceOf(evaluated, ctx.sandbox);
  });
}

const rulesOf = ({ services }: ServiceContext, { channels }: SocialPostContent): ChannelRules[] =>
  channels.flatMap((channelId) => services.socialChannels.rulesOf(channelId) ?? []);

/** The context in which texts are written: the context of `prepare` or of a job. */
export type SocialTextContext = WritingContext & Pick<PrepareContext, 'read' | 'workspace'>;

/**
 * Has the composer write the texts of the content. If there is no model, the texts have placeholders.
 * @throws compose_failed, provider_timeout
 */
export async function writeTexts(
  context: SocialTextContext & ServiceContext,
  content: SocialPostContent,
  brief: string,
  model?: string,
): Promise<ComposedTexts> {
  const brands: BrandsService | undefined = context.services.brands;
  const brand: BrandStyle | undefined = await context.read(async ({ trx }) => brands?.style(trx));
  const { defaultFrom, name } = context.workspace;
  const product = [brand?.name ?? '', defaultFrom.name, name].find((one) => one !== '') ?? '';
  const captionInput = { product, voice: brand?.voice, rules: rulesOf(context, content), content };
  if (await context.services.writer.withoutModel(context)) return textsWithoutModel(captionInput, brief);
  return composeTexts(context, captionInput, { brief, model });
}

/** The texts of a post, composed from its brief. A dry run does not call the composer. */
export async function composedTexts(
  ctx: PrepareContext,
  body: Pick<CreatePostBody, 'brief' | 'composer'>,
  content: SocialPostContent,
  willBePublished: boolean,
): Promise<ComposedTexts> {
  const composer = await ctx.ports.composer.of(ctx.workspace.id);
  const model = modelOf(ctx, body.composer, composer.models);
  // Texts without a model contain placeholders, so a post that would be published is refused before anything is stored or charged.
  const placeholderTexts =
    composer.withoutModel === true ? await writeTexts(ctx, content, body.brief ?? '') : undefined;
  if (willBePublished) refusePlaceholders('The post', placeholderTexts);
  const publishing = willBePublished ? await minPublishPrice(ctx, content) : 0;
  await checkBalance(ctx, composePrice(ctx, content.channels) + publishing);
  if (placeholderTexts !== undefined) return placeholderTexts;
  return ctx.dryRun ? noTexts : writeTexts(ctx, content, body.brief ?? '', model);
}
