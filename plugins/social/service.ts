// `ctx.services.social`: what other plugins do with posts. They make them inside their own transaction.
import type { OperationContext, ServiceSurface, WorkspaceHandle } from '../../core/index.ts';
import { mergeContent, noContent } from './content/merge.ts';
import type { GivenContent } from './input.ts';
import type { NewPost } from './post/create.ts';
import { createPost } from './post/create.ts';
import type { Gone } from './post/going.ts';
import { checkMayPublish } from './post/going.ts';
import type { Weighed } from './post/weigh.ts';
import { weighContent } from './post/weigh.ts';
import { showPost } from './present.ts';
import type { SocialPost } from './resources.ts';
import type { PostContent } from './schema.ts';
import type { PostRow } from './tables.ts';
import { postRows } from './tables.ts';

/** The service. */
export interface SocialService {
  /** A content from its fields, which were checked before. */
  content(given: GivenContent): PostContent;
  /** Its accounts, problems and price as they are now. @throws account_ambiguous */
  weigh(handle: WorkspaceHandle, content: PostContent): Promise<Weighed>;
  /** The scope and the plan of calls that publish. @throws insufficient_scope, plan_required */
  checkMayPublish(ctx: OperationContext): void;
  /** Makes a post and lets it go out where that is asked for; the operation has the surface `social_post`. */
  create(ctx: OperationContext, given: NewPost): Promise<Gone>;
  find(handle: WorkspaceHandle, postId: string): Promise<PostRow | undefined>;
  show(handle: WorkspaceHandle, row: PostRow): Promise<SocialPost>;
}

/** Makes the service, which has no state. */
export const createSocialService = (surface: ServiceSurface): SocialService => ({
  content: (given) => mergeContent(noContent, given),
  weigh: (handle, content) => weighContent(surface, handle, content),
  checkMayPublish,
  create: createPost,
  find: (handle, postId) => postRows.find(handle, postId),
  show: (handle, row) => showPost(surface, handle, row),
});
