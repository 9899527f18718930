// Creates posts: for post_create, and for other plugins.
import type { OperationContext, TransactionContext } from '../../../core/index.ts';
import { validationFailed } from '../../../core/unstable.ts';
import { checkNamed } from '../content/accounts.ts';
import { mediaFaults, useMedia } from '../content/media.ts';
import type { SimulationScenario } from '../input.ts';
import { showPost } from '../present.ts';
import type { SocialPostContent } from '../schema.ts';
import { postRows, type SocialPostMode, type SocialPostRow } from '../tables.ts';
import { evaluateContent, priceOf } from './evaluate.ts';
import {
  type PublishOrScheduleResult,
  postInvalidError,
  publishOrSchedule,
  refuseUnwritten,
} from './publish-or-schedule.ts';
import { addTargets } from './targets.ts';

/** A post to create. Its fields are checked already. */
export interface NewSocialPost {
  readonly mode: SocialPostMode;
  readonly content: SocialPostContent;
  readonly plannedAt?: number | null;
  readonly assigneeUid?: string | null;
  readonly brief?: string | null;
  /** Shared by posts that are created together. (Default: the id of the post) */
  readonly groupId?: string;
  readonly creationId?: string | null;
  readonly scenario?: SimulationScenario;
  /** The time of the publication, in milliseconds since the epoch; null for now. (Default: the post is not published) */
  readonly publishAt?: number | null | undefined;
  /** What happens if a post to publish has problems: the call is refused, or the post stays a draft. (Default: refused) */
  readonly onProblems?: 'refused' | 'draft';
  /** Whether the texts are still missing, because a dry run does not call the composer. (Default: false) */
  readonly areTextsPending?: boolean;
}

/** A created post, and the error if it cannot be published as it is. */
interface CreatedPost {
  readonly post: SocialPostRow;
  readonly invalid: ReturnType<typeof postInvalidError>;
}

/**
 * Creates the post without publishing or scheduling it.
 * @throws account_not_found, account_ambiguous, asset_not_found; post_invalid if `mustBeValid`
 */
export async function storePost(
  ctx: TransactionContext,
  input: NewSocialPost,
  mustBeValid = false,
): Promise<CreatedPost> {
  const { content, mode, areTextsPending: textsToCome } = input;
  const { trx, now, sandbox } = ctx;
  const id = ctx.newId('soc');
  await useMedia(ctx, { id, content });
  const evaluated = await evaluateContent(ctx, content, [], { textsToCome });
  checkNamed(content, evaluated.accounts);
  const details = mediaFaults(content, evaluated.assets);
  if (details.length > 0) throw validationFailed(details);
  const refusal = postInvalidError(evaluated.problems);
  if (mustBeValid && refusal !== undefined) throw refusal;
  const isHold = mode === 'hold';
  const post: SocialPostRow = {
    id,
    sandbox,
    status: isHold || refusal !== undefined ? 'draft' : 'ready',
    mode,
    planning_kind: isHold ? 'hold' : 'post',
    group_id: input.groupId ?? id,
    content,
    problems: evaluated.problems,
    planned_at: input.plannedAt ?? null,
    scheduled_at: null,
    published_at: null,
    assignee_uid: input.assigneeUid ?? null,
    brief: input.brief ?? null,
    hold_id: null,
    held: 0,
    price: priceOf(evaluated, sandbox),
    charged: 0,
    creation_id: input.creationId ?? null,
    approval_id: null,
    scenario: sandbox ? (input.scenario ?? 'published') : null,
    figures_polled_at: null,
    deleted_at: null,
    created_at: now,
    updated_at: now,
  };
  await postRows.insert(trx, post);
  await addTargets(ctx, post, evaluated);
  ctx.emit('social.post.created', await showPost(ctx, post));
  return { post, invalid: refusal };
}

/**
 * Creates the post, and publishes or schedules it if `publishAt` is given.
 * @throws the errors of `storePost` and `publishOrSchedule`
 */
export async function createPost(ctx: OperationContext, input: NewSocialPost): Promise<PublishOrScheduleResult> {
  const { publishAt, areTextsPending: textsToCome } = input;
  const mustBeValid = publishAt !== undefined && input.onProblems !== 'draft';
  if (mustBeValid) refuseUnwritten(input.content);
  const { post, invalid: refusal } = await storePost(ctx, input, mustBeValid);
  if (publishAt === undefined || refusal !== undefined) return { post, decision: undefined };
  const publishOptions = { at: publishAt, scenario: input.scenario, areTextsPending: textsToCome };
  return publishOrSchedule(ctx, post, publishOptions, { from: ['ready'], field: 'scheduleAt' });
}
