// `ctx.services.social`: what other plugins do with posts. They make them inside their own transaction.
import type {
  OperationContext,
  ReadContext,
  RowConditions,
  ServiceContext,
  TimeSpan,
  TransactionContext,
  WorkspaceHandle,
} from '../../core/index.ts';
import type { ComposedTexts } from './compose/compose.ts';
import { type TextPlace, writeTexts } from './compose/prepare.ts';
import { checkNamed, chooseAccounts, type GoneAccount, goneAmong } from './content/accounts.ts';
import {
  type ChannelText,
  channelTexts,
  connectedChannels,
  readContent,
  type UncheckedContent,
} from './content/read.ts';
import type { SimulationScenario } from './input.ts';
import { createPost, type NewPost, storePost } from './post/create.ts';
import { checkMayPublish, checkScenario, checkTime, type Going, type Gone } from './post/going.ts';
import { type PlacedPost, postsBetween } from './post/planned.ts';
import { resumePost } from './post/resume.ts';
import { inStanding, type PostStanding, standings } from './post/standing.ts';
import { type Weighed, weighContent } from './post/weigh.ts';
import { showPost } from './present.ts';
import type { SocialPost } from './resources.ts';
import type { PostContent } from './schema.ts';
import { type PostRow, postRows } from './tables.ts';

export type { GoneAccount } from './content/accounts.ts';
export type { ChannelText } from './content/read.ts';

/** The service. */
export interface SocialService {
  /** A content from its fields, which are checked as those of `social.post_create`. @throws validation_failed */
  content(ctx: Pick<OperationContext, 'services' | 'refuse'>, given: UncheckedContent): PostContent;
  /**
   * Has the composer write the texts of a content from a brief, outside any transaction; without a model they are as much of the brief
   * as fits. It costs nothing here: who calls it charges `socialRules.prices.compose` a channel.
   * @throws compose_failed, provider_timeout
   */
  write(place: TextPlace, content: PostContent, brief: string): Promise<ComposedTexts>;
  /** What each channel shows of a content. */
  texts(content: PostContent): ChannelText[];
  /** The channels with a connected account. */
  connected(handle: WorkspaceHandle): Promise<ReadonlySet<string>>;
  /** The accounts that its channels have now. @throws account_not_found for one that it names, account_ambiguous */
  checkAccounts(handle: WorkspaceHandle, content: PostContent): Promise<void>;
  /** The accounts of a content to which nothing can go any more: removed ones, and ones that are not connected. @throws account_ambiguous */
  gone(handle: WorkspaceHandle, content: PostContent): Promise<readonly GoneAccount[]>;
  /** Its accounts, problems and price as they are now. @throws account_ambiguous */
  weigh(ctx: ReadContext, content: PostContent): Promise<Weighed>;
  /**
   * What calls that let posts go out are refused for before anything is made: scope, plan, time, and a scenario on the live
   * side. @throws insufficient_scope, plan_required, schedule_at_invalid, sandbox_only
   */
  checkGoing(ctx: OperationContext, going: Going): void;
  /** @throws sandbox_only for a scenario on the live side */
  checkScenario(ctx: OperationContext, scenario: SimulationScenario): void;
  /** Makes a post and lets it go out where that is asked for; the operation has the context `social_post`. */
  create(ctx: OperationContext, given: NewPost): Promise<Gone>;
  /**
   * Makes a post that stays where it is: a draft where it has problems, else ready. For jobs, too.
   * @throws account_not_found, account_ambiguous, asset_not_found, validation_failed
   */
  createDraft(effects: TransactionContext, given: NewPost): Promise<PostRow>;
  /** Lets the post go out that the call made before it was held, once people have approved. */
  resume(ctx: OperationContext, going: Going): Promise<Gone>;
  /** The posts of a span of time with their places in the plan, in that order. Deleted ones have none. */
  plannedBetween(handle: WorkspaceHandle, span: TimeSpan): Promise<readonly PlacedPost[]>;
  find(handle: WorkspaceHandle, postId: string): Promise<PostRow | undefined>;
  /** How the posts stand, by id; one that the networks are asked to delete, as long as they show it. */
  standings(handle: WorkspaceHandle, ids: readonly string[]): Promise<ReadonlyMap<string, PostStanding>>;
  /** A condition of lists: the column names a post that stands so. Posts that are gone count as deleted. */
  inStanding(column: string, standing: PostStanding): RowConditions;
  show(ctx: ReadContext, row: PostRow): Promise<SocialPost>;
}

/** Makes the service, which has no state. */
export const createSocialService = (context: ServiceContext): SocialService => ({
  content: readContent,
  write: (place, content, brief) => writeTexts({ ...place, services: context.services }, content, brief),
  texts: (content) => channelTexts(context.services.socialChannels, content),
  connected: connectedChannels,
  checkAccounts: async (handle, content) => checkNamed(content, await chooseAccounts(handle, content)),
  gone: async (handle, content) =>
    goneAmong(
      content,
      await chooseAccounts(handle, content),
      (channelId) => context.services.socialChannels.rulesOf(channelId)?.name ?? channelId,
    ),
  weigh: (ctx, content) => weighContent(ctx, content),
  checkGoing(ctx, { at, scenario }) {
    checkMayPublish(ctx);
    checkScenario(ctx, scenario);
    if (at !== null) checkTime(ctx.now, at, 'scheduleAt');
  },
  checkScenario,
  create: createPost,
  createDraft: async (effects, given) => (await storePost(effects, given)).post,
  resume: resumePost,
  plannedBetween: postsBetween,
  find: (handle, postId) => postRows.find(handle, postId),
  standings: async (handle, ids) => standings(handle, await postRows.findIn(handle, 'id', ids)),
  inStanding,
  show: (ctx, row) => showPost(ctx, row),
});
