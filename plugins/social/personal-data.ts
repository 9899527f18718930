// Posts are texts of the company, so an export has none of them. A text that is not public yet may mention an address: it goes
// when the person is erased.
import type { AddressFinder, PersonalData, SweepPlace } from '../../core/index.ts';
import { surfaceKind } from './present.ts';
import { movePost } from './states.ts';
import type { PostRow, PostStatus } from './tables.ts';
import { postRows } from './tables.ts';

const batch = 50;

/** What is public, or on its way, stays as people read it. */
const isPublic: ReadonlySet<PostStatus> = new Set(['publishing', 'published', 'partially_published', 'deleting']);

/** The changed columns of a post that mentions an address. */
function erased({ content, brief, problems }: PostRow, finder: AddressFinder): Partial<PostRow> | undefined {
  const texts = JSON.stringify([content, brief, problems]);
  if (!finder.isIn(texts)) return undefined;
  return {
    content: JSON.parse(finder.eraseJson(JSON.stringify(content))) as PostRow['content'],
    brief: brief === null ? null : finder.erase(brief),
  };
}

async function sweep({ read, write, signal }: SweepPlace, finder: AddressFinder): Promise<void> {
  const found: string[] = [];
  await read(async (handle) => {
    for await (const rows of postRows.each(handle, {}, batch)) {
      signal.throwIfAborted();
      for (const row of rows) if (!isPublic.has(row.status) && erased(row, finder) !== undefined) found.push(row.id);
    }
  });
  for (const id of found) {
    signal.throwIfAborted();
    await write(async (effects) => {
      const post = await postRows.lock(effects.trx, id);
      const changes = post === undefined || isPublic.has(post.status) ? undefined : erased(post, finder);
      if (post === undefined || changes === undefined) return;
      const row = await postRows.change(effects.trx, post, { ...changes, updated_at: effects.now });
      // What people were asked about is another text now.
      await effects.contentChanged(surfaceKind, [id]);
      if (row.status === 'pending_approval')
        await movePost(effects, row, { to: 'ready', set: { approval_id: null, scheduled_at: null } });
    });
  }
}

export const personalData: PersonalData = {
  export: async () => ({}),
  erase: async () => 'done',
  sweep,
};
