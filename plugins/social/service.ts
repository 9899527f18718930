// `ctx.services.social`: the posts API for other plugins, which create posts inside their own transaction.
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

/** Reads, checks, creates and shows posts for other plugins. */
export interface SocialService {
  /** Builds content from its fields, with the same checks as `social.post_create`. @throws validation_failed */
  content(ctx: Pick<OperationContext, 'services' | 'refuse'>, given: UncheckedContent): PostContent;
  /**
   * Has the composer write the texts of the content from a brief, outside any transaction. If there is no model, the texts are as much
   * of the brief as fits. Charges nothing: the caller charges `socialRules.prices.compose` for each channel.
   * @throws compose_failed, provider_timeout
   */
  write(place: TextPlace, content: PostContent, brief: string): Promise<ComposedTexts>;
  /** The text that each channel shows. */
  texts(content: PostContent): ChannelText[];
  /** The channels with a connected account. */
  connected(handle: WorkspaceHandle): Promise<ReadonlySet<string>>;
  /** Checks the accounts of the content. @throws account_not_found if a named account does not exist, account_ambiguous */
  checkAccounts(handle: WorkspaceHandle, content: PostContent): Promise<void>;
  /** The accounts of the content that were removed or are no longer connected. @throws account_ambiguous */
  gone(handle: WorkspaceHandle, content: PostContent): Promise<readonly GoneAccount[]>;
  /** The present accounts, problems and price of the content. @throws account_ambiguous */
  weigh(ctx: ReadContext, content: PostContent): Promise<Weighed>;
  /**
   * Checks a call that lets posts go out, before it creates anything: its scope, plan and time, and that a scenario is given only in
   * the sandbox. @throws insufficient_scope, plan_required, schedule_at_invalid, sandbox_only
   */
  checkGoing(ctx: OperationContext, going: Going): void;
  /** @throws sandbox_only if a scenario is given on the live side */
  checkScenario(ctx: OperationContext, scenario: SimulationScenario): void;
  /** Creates a post, and lets it go out if `goesOut` is given. The calling operation declares `surface: 'social_post'`. */
  create(ctx: OperationContext, given: NewPost): Promise<Gone>;
  /**
   * Creates a post that does not go out: a draft if it has problems, otherwise a ready post. Jobs can call it too.
   * @throws account_not_found, account_ambiguous, asset_not_found, validation_failed
   */
  createDraft(effects: TransactionContext, given: NewPost): Promise<PostRow>;
  /** After the approval of a held call: lets the post go out that the call created before it was held. */
  resume(ctx: OperationContext, going: Going): Promise<Gone>;
  /** The posts of a time span with their times in the plan, earliest first. Deleted posts are left out. */
  plannedBetween(handle: WorkspaceHandle, span: TimeSpan): Promise<readonly PlacedPost[]>;
  find(handle: WorkspaceHandle, postId: string): Promise<PostRow | undefined>;
  /** The standing of posts, by id. A post in `deleting` keeps a published or failed standing until the networks have deleted it. */
  standings(handle: WorkspaceHandle, ids: readonly string[]): Promise<ReadonlyMap<string, PostStanding>>;
  /** A list condition: the column contains the id of a post with this standing. Posts that no longer exist count as deleted. */
  inStanding(column: string, standing: PostStanding): RowConditions;
  show(ctx: ReadContext, row: PostRow): Promise<SocialPost>;
}

/** The service has no state. */
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
