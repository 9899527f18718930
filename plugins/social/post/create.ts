// Makes a post: for post_create, and for other plugins that turn something into posts.
import type { OperationContext } from '../../../core/index.ts';
import { checkNamed } from '../content/accounts.ts';
import { mediaFaults, useMedia } from '../content/media.ts';
import type { SimulationScenario } from '../input.ts';
import { showPost } from '../present.ts';
import type { PostContent } from '../schema.ts';
import type { PostMode, PostRow } from '../tables.ts';
import { postRows } from '../tables.ts';
import type { Gone } from './going.ts';
import { goOut, postInvalid } from './going.ts';
import { addTargets } from './targets.ts';
import { priceOf, weighContent } from './weigh.ts';

/** A post to make. Its fields are checked already. */
export interface NewPost {
  readonly mode: PostMode;
  readonly content: PostContent;
  readonly plannedAt?: number | null;
  readonly assigneeUid?: string | null;
  readonly brief?: string | null;
  /** What made several posts at once. (Default: the post itself) */
  readonly groupId?: string;
  readonly creationId?: string | null;
  readonly scenario?: SimulationScenario;
  /** When it goes out, in milliseconds; null for now. (Default: it does not) */
  readonly goesOut?: number | null | undefined;
  /** What becomes of a post that is to go out and has problems. (Default: refused) */
  readonly withProblems?: 'refused' | 'draft';
  /** The composer was not asked, so that texts are missing: of a dry run. (Default: false) */
  readonly textsToCome?: boolean;
}

/**
 * Makes the post and lets it go out where that is asked for.
 * @throws account_not_found, account_ambiguous, asset_not_found, post_invalid, and what `goOut` throws
 */
export async function createPost(ctx: OperationContext, given: NewPost): Promise<Gone> {
  const { content, mode, goesOut, textsToCome } = given;
  const id = ctx.newId('soc');
  await useMedia(ctx, ctx, { id, content });
  const weighed = await weighContent(ctx, ctx.trx, content, [], { textsToCome });
  checkNamed(content, weighed.accounts);
  ctx.refuse(mediaFaults(content, weighed.assets));
  const invalid = postInvalid(weighed.problems);
  if (goesOut !== undefined && invalid !== undefined && given.withProblems !== 'draft') throw invalid;
  const isHold = mode === 'hold';
  const row: PostRow = {
    id,
    sandbox: ctx.sandbox,
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
    price: priceOf(weighed, ctx.sandbox),
    charged: 0,
    creation_id: given.creationId ?? null,
    approval_id: null,
    scenario: ctx.sandbox ? (given.scenario ?? 'published') : null,
    figures_polled_at: null,
    deleted_at: null,
    created_at: ctx.now,
    updated_at: ctx.now,
  };
  await postRows.insert(ctx.trx, row);
  await addTargets(ctx, row, weighed);
  ctx.emit('social.post.created', await showPost(ctx, ctx.trx, row));
  if (goesOut === undefined || invalid !== undefined) return { post: row, decision: undefined };
  const going = { at: goesOut, scenario: given.scenario, textsToCome };
  return goOut(ctx, row, going, { from: ['ready'], field: 'scheduleAt' });
}
