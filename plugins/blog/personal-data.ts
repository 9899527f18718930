// Personal data of posts. Posts are texts of the company, so they are not exported, but an erased person's address is
// removed from them.
import { type AddressFinder, eraseIn, type PersonalData, type SweepContext, sweepRows } from '../../core/index.ts';
import { workingHash } from './content.ts';
import { setPublicTags } from './store.ts';
import { type BlogPostHead, type BlogPostRow, postRows, summaryRows, tagRows } from './tables.ts';

function erasedPostFields(finder: AddressFinder, row: BlogPostRow): Partial<BlogPostRow> {
  const { title, excerpt, body, html, beginning, seo, tags, published, published_body, published_html } = row;
  const texts = { title, excerpt, body, html, beginning, seo, tags, published, published_body, published_html };
  const changes = eraseIn(finder, texts);
  const content_hash = workingHash({ ...row, ...changes });
  // If the published hash equals the hash of the working copy, the two must still be equal after the change.
  return {
    ...changes,
    content_hash,
    ...(row.published_hash === row.content_hash ? { published_hash: content_hash } : {}),
  };
}

const publicTags = ({ published }: Pick<BlogPostHead, 'published'>): readonly string[] => published?.tags ?? [];

/** Renames the pages of tags that contain an email address, because a finder does not recognise it inside the URL of a page. */
async function sweepTagPages({ read, write, signal }: SweepContext, finder: AddressFinder): Promise<void> {
  const found: string[] = [];
  await read(async (handle) => {
    for await (const some of summaryRows.each(handle, { status: 'published' })) {
      signal.throwIfAborted();
      for (const post of some) if (publicTags(post).some((tag) => finder.isIn(tag))) found.push(post.id);
    }
  });
  for (const id of found)
    await write(async (ctx) => {
      const post = await postRows.lock(ctx.trx, id);
      if (post?.status === 'published') await setPublicTags(ctx, post, eraseIn(finder, publicTags(post)));
    });
}

export const personalData: PersonalData = {
  export: async () => ({}),
  erase: async () => 'done',
  async sweep(place, finder) {
    // Before the posts, which name the pages of their tags.
    await sweepTagPages(place, finder);
    await sweepRows(place, finder, { rows: tagRows, changes: ({ tag }) => ({ tag: finder.erase(tag) }) });
    await sweepRows(place, finder, {
      rows: postRows,
      batch: 20,
      changes: (row, now) => ({ ...erasedPostFields(finder, row), updated_at: now }),
    });
  },
};
