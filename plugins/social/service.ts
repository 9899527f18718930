// `ctx.services.social`: lets other plugins create posts inside their own transactions.
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
import { type SocialTextContext, writeTexts } from './compose/write-texts.ts';
import { checkNamed, chooseAccounts, type UnavailableAccount, unavailableAmong } from './content/accounts.ts';
import {
  type ChannelText,
  channelTexts,
  connectedChannels,
  readContent,
  type UncheckedContent,
} from './content/read.ts';
import type { SimulationScenario } from './input.ts';
import { createPost, type NewSocialPost, storePost } from './post/create-post.ts';
import { type EvaluatedContent, evaluateContent } from './post/evaluate.ts';
import { type PlannedPost, postsBetween } from './post/planned-posts.ts';
import {
  checkMayPublish,
  checkScenario,
  checkTime,
  type PublishOrScheduleOptions,
  type PublishOrScheduleResult,
} from './post/publish-or-schedule.ts';
import { resumePost } from './post/resume-post.ts';
import { hasSettledStatus, type SettledPostStatus, settledStatuses } from './post/settled-status.ts';
import { showPost } from './present.ts';
import type { SocialPost } from './resources.ts';
import type { SocialPostContent } from './schema.ts';
import { postRows, type SocialPostRow } from './tables.ts';

export type { UnavailableAccount } from './content/accounts.ts';
export type { ChannelText } from './content/read.ts';

/** Reads, checks, creates and shows posts for other plugins. */
export interface SocialService {
  /** Builds content from its fields, with the same checks as `social.post_create`. @throws validation_failed */
  content(ctx: Pick<OperationContext, 'services' | 'refuse'>, fields: UncheckedContent): SocialPostContent;
  /**
   * Has the composer write the texts of the content from a brief, outside any transaction. If there is no model, the texts have
   * placeholders. Charges nothing: the caller charges `socialRules.prices.compose` for each channel.
   * @throws compose_failed, provider_timeout
   */
  write(context: SocialTextContext, content: SocialPostContent, brief: string): Promise<ComposedTexts>;
  /** The text that each channel shows. */
  texts(content: SocialPostContent): ChannelText[];
  /** The channels with a connected account. */
  connected(handle: WorkspaceHandle): Promise<ReadonlySet<string>>;
  /** Checks the accounts of the content. @throws account_not_found if a named account does not exist, account_ambiguous */
  checkAccounts(handle: WorkspaceHandle, content: SocialPostContent): Promise<void>;
  /** The accounts of the content that were removed or are no longer connected. @throws account_ambiguous */
  unavailableAccounts(handle: WorkspaceHandle, content: SocialPostContent): Promise<readonly UnavailableAccount[]>;
  /** The current accounts, problems and price of the content. @throws account_ambiguous */
  evaluate(ctx: ReadContext, content: SocialPostContent): Promise<EvaluatedContent>;
  /**
   * Checks a call that publishes or schedules posts, before it creates anything: its scope, plan and time, and that a scenario is
   * given only in the sandbox. @throws insufficient_scope, plan_required, schedule_at_invalid, sandbox_only
   */
  checkPublishOrSchedule(ctx: OperationContext, publishOptions: PublishOrScheduleOptions): void;
  /** @throws sandbox_only if a scenario is given on the live side */
  checkScenario(ctx: OperationContext, scenario: SimulationScenario): void;
  /**
   * Creates a post, and publishes or schedules it if `publishAt` is given. The calling operation declares `contentKind:
   * 'social_post'`.
   */
  create(ctx: OperationContext, input: NewSocialPost): Promise<PublishOrScheduleResult>;
  /**
   * Creates a post without publishing it: a draft if it has problems, otherwise a ready post. Jobs can call it too.
   * @throws account_not_found, account_ambiguous, asset_not_found, validation_failed
   */
  createDraft(ctx: TransactionContext, input: NewSocialPost): Promise<SocialPostRow>;
  /** Continues a held call after its approval: publishes or schedules the post that the call had created. */
  resume(ctx: OperationContext, going: PublishOrScheduleOptions): Promise<PublishOrScheduleResult>;
  /** The posts of a time span with their times in the plan, earliest first. Deleted posts are left out. */
  plannedBetween(handle: WorkspaceHandle, span: TimeSpan): Promise<readonly PlannedPost[]>;
  find(handle: WorkspaceHandle, postId: string): Promise<SocialPostRow | undefined>;
  /**
   * The settled statuses of posts, by id. A post in `deleting` keeps a published or failed status until the networks have deleted
   * it.
   */
  settledStatuses(handle: WorkspaceHandle, ids: readonly string[]): Promise<ReadonlyMap<string, SettledPostStatus>>;
  /**
   * A list condition: the column contains the id of a post with this settled status. Posts that no longer exist count as deleted.
   */
  hasSettledStatus(column: string, settledStatus: SettledPostStatus): RowConditions;
  show(ctx: ReadContext, row: SocialPostRow): Promise<SocialPost>;
}

/** Creates the service. It has no state. */
export const createSocialService = (context: ServiceContext): SocialService => ({
  content: readContent,
  write: (textContext, content, brief) => writeTexts({ ...textContext, services: context.services }, content, brief),
  texts: (content) => channelTexts(context.services.socialChannels, content),
  connected: connectedChannels,
  checkAccounts: async (handle, content) => checkNamed(content, await chooseAccounts(handle, content)),
  unavailableAccounts: async (handle, content) =>
    unavailableAmong(
      content,
      await chooseAccounts(handle, content),
      (channelId) => context.services.socialChannels.rulesOf(channelId)?.name ?? channelId,
    ),
  evaluate: (ctx, content) => evaluateContent(ctx, content),
  checkPublishOrSchedule(ctx, { at, scenario }) {
    checkMayPublish(ctx);
    checkScenario(ctx, scenario);
    if (at !== null) checkTime(ctx.now, at, 'scheduleAt');
  },
  checkScenario,
  create: createPost,
  createDraft: async (ctx, input) => (await storePost(ctx, input)).post,
  resume: resumePost,
  plannedBetween: postsBetween,
  find: (handle, postId) => postRows.find(handle, postId),
  settledStatuses: async (handle, ids) => settledStatuses(handle, await postRows.findIn(handle, 'id', ids)),
  hasSettledStatus: hasSettledStatus,
  show: (ctx, row) => showPost(ctx, row),
});
