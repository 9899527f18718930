// Posts are texts of the company, so an export contains no posts. An erasure removes the person's address from texts that are not
// public yet.
import {
  type AddressFinder,
  eraseIn,
  type PersonalData,
  type SweepContext,
  sweepRows,
  type WorkspaceHandle,
} from '../../core/index.ts';
import { socialPostKindId } from './present.ts';
import { movePost } from './states.ts';
import { postRows, type SocialPostRow, type SocialPostStatus, targetRows } from './tables.ts';

const rowsPerPage = 50;

/** The text of a post in these statuses is not changed: it is public, or is being published or deleted. */
const publicStatuses: ReadonlySet<SocialPostStatus> = new Set([
  'publishing',
  'published',
  'partially_published',
  'deleting',
]);

/** A post that waits for approval can be live on one channel already. */
const isPublic = async (handle: WorkspaceHandle, { id, status }: SocialPostRow): Promise<boolean> =>
  publicStatuses.has(status) ||
  (status === 'pending_approval' && (await targetRows.count(handle, { post_id: id, status: 'published' }, 1)) > 0);

/** The columns of a post without the address; undefined if the post does not mention it. */
function withoutAddress(
  { content, brief, problems }: SocialPostRow,
  finder: AddressFinder,
): Partial<SocialPostRow> | undefined {
  if (!finder.isIn(JSON.stringify([content, brief, problems]))) return undefined;
  return {
    content: eraseIn(finder, content),
    brief: brief === null ? null : finder.erase(brief),
    problems: eraseIn(finder, problems),
  };
}

async function sweepPosts({ read, write, signal }: SweepContext, finder: AddressFinder): Promise<void> {
  const foundRows: string[] = [];
  await read(async (handle) => {
    for await (const rows of postRows.each(handle, {}, rowsPerPage)) {
      signal.throwIfAborted();
      for (const row of rows)
        if (withoutAddress(row, finder) !== undefined && !(await isPublic(handle, row))) foundRows.push(row.id);
    }
  });
  for (const id of foundRows) {
    signal.throwIfAborted();
    await write(async (ctx) => {
      const post = await postRows.lock(ctx.trx, id);
      if (post === undefined || (await isPublic(ctx.trx, post))) return;
      const changes = withoutAddress(post, finder);
      if (changes === undefined) return;
      const row = await postRows.change(ctx.trx, post, { ...changes, updated_at: ctx.now });
      // The approval request is withdrawn, because the reviewers were asked about the earlier text.
      await ctx.contentChanged(socialPostKindId, [id]);
      if (row.status === 'pending_approval')
        await movePost(ctx, row, { to: 'ready', set: { approval_id: null, scheduled_at: null } });
    });
  }
}

/** Erases the address from errors of posts in every status: error messages come from networks, not from the company. */
const sweepErrors = (context: SweepContext, finder: AddressFinder): Promise<void> =>
  sweepRows(context, finder, {
    rows: targetRows,
    batch: rowsPerPage,
    textOf: ({ error }) => error?.message ?? '',
    changes: ({ error }) => ({ error: eraseIn(finder, error) }),
  });

export const personalData: PersonalData = {
  export: async () => ({}),
  erase: async () => 'done',
  async sweep(place, finder) {
    await sweepPosts(place, finder);
    await sweepErrors(place, finder);
  },
};
