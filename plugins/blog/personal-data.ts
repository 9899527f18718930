// Personal data of posts. Posts are texts of the company, so they are not exported, but an erased person's address is
// removed from them.
import { type AddressFinder, eraseIn, type PersonalData, sweepRows } from '../../core/index.ts';
import { workingHash } from './content.ts';
import { type BlogPostRow, postRows } from './tables.ts';

function postWithout(finder: AddressFinder, row: BlogPostRow): Partial<BlogPostRow> {
  const { title, excerpt, body, html, beginning, seo, tags, published, published_body, published_html } = row;
  const texts = { title, excerpt, body, html, beginning, seo, tags, published, published_body, published_html };
  const changes = eraseIn(finder, texts);
  const content_hash = workingHash({ ...row, ...changes });
  // If the published hash equalled the hash of the working copy, it still does after the change.
  return {
    ...changes,
    content_hash,
    ...(row.published_hash === row.content_hash ? { published_hash: content_hash } : {}),
  };
}

export const personalData: PersonalData = {
  export: async () => ({}),
  erase: async () => 'done',
  sweep: (place, finder) =>
    sweepRows(place, finder, {
      rows: postRows,
      batch: 20,
      changes: (row, now) => ({ ...postWithout(finder, row), updated_at: now }),
    }),
};
