// Creates posts: for post_create, and for other plugins.
import type { OperationContext, TransactionContext } from '../../../core/index.ts';
import { validationFailed } from '../../../core/unstable.ts';
import { checkNamed } from '../content/accounts.ts';
import { mediaFaults, useMedia } from '../content/media.ts';
import type { SimulationScenario } from '../input.ts';
import { showPost } from '../present.ts';
import type { PostContent } from '../schema.ts';
import { type PostMode, type PostRow, postRows } from '../tables.ts';
import { type Gone, goOut, postInvalid } from './going.ts';
import { addTargets } from './targets.ts';
import { priceOf, weighContent } from './weigh.ts';

/** A post to create. Its fields are checked already. */
export interface NewPost {
  readonly mode: PostMode;
  readonly content: PostContent;
  readonly plannedAt?: number | null;
  readonly assigneeUid?: string | null;
  readonly brief?: string | null;
  /** Shared by posts that are created together. (Default: the id of the post) */
  readonly groupId?: string;
  readonly creationId?: string | null;
  readonly scenario?: SimulationScenario;
  /** When the post goes out, in milliseconds since the epoch; null for now. (Default: it does not go out) */
  readonly goesOut?: number | null | undefined;
  /** What happens to a post that is to go out and has problems. (Default: refused) */
  readonly withProblems?: 'refused' | 'draft';
  /** Set in a dry run: the composer was not called, so the texts are missing. (Default: false) */
  readonly textsToCome?: boolean;
}

/** A created post, and the error if it cannot go out as it is. */
interface Made {
  readonly post: PostRow;
  readonly invalid: ReturnType<typeof postInvalid>;
}

/**
 * Creates the post without letting it go out.
 * @throws account_not_found, account_ambiguous, asset_not_found; post_invalid if `mustBeValid`
 */
export async function storePost(ctx: TransactionContext, given: NewPost, mustBeValid = false): Promise<Made> {
  const { content, mode, textsToCome } = given;
  const { trx, now, sandbox } = ctx;
  const id = ctx.newId('soc');
  await useMedia(ctx, { id, content });
  const weighed = await weighContent(ctx, content, [], { textsToCome });
  checkNamed(content, weighed.accounts);
  const details = mediaFaults(content, weighed.assets);
  if (details.length > 0) throw validationFailed(details);
  const invalid = postInvalid(weighed.problems);
  if (mustBeValid && invalid !== undefined) throw invalid;
  const isHold = mode === 'hold';
  const post: PostRow = {
    id,
    sandbox,
    status: isHold || invalid !== undefined ? 'draft' : 'ready',
    mode,
    planning_kind: isHold ? 'hold' : 'post',
    group_id: given.groupId ?? id,
    content,
    problems: weighed.problems,
    planned_at: given.plannedAt ?? null,
    scheduled_at: null,
    published_at: null,
    assignee_uid: given.assigneeUid ?? null,
    brief: given.brief ?? null,
    hold_id: null,
    held: 0,
    price: priceOf(weighed, sandbox),
    charged: 0,
    creation_id: given.creationId ?? null,
    approval_id: null,
    scenario: sandbox ? (given.scenario ?? 'published') : null,
    figures_polled_at: null,
    deleted_at: null,
    created_at: now,
    updated_at: now,
  };
  await postRows.insert(trx, post);
  await addTargets(ctx, post, weighed);
  ctx.emit('social.post.created', await showPost(ctx, post));
  return { post, invalid };
}

/**
 * Creates the post, and lets it go out if `goesOut` is given.
 * @throws the errors of `storePost` and `goOut`
 */
export async function createPost(ctx: OperationContext, given: NewPost): Promise<Gone> {
  const { goesOut, textsToCome } = given;
  const mustBeValid = goesOut !== undefined && given.withProblems !== 'draft';
  const { post, invalid } = await storePost(ctx, given, mustBeValid);
  if (goesOut === undefined || invalid !== undefined) return { post, decision: undefined };
  const going = { at: goesOut, scenario: given.scenario, textsToCome };
  return goOut(ctx, post, going, { from: ['ready'], field: 'scheduleAt' });
}
