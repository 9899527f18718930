// Posts are texts of the company, so an export has none of them; an address that a post mentions goes when the person is erased.
import type { AddressFinder, PersonalData } from '../../core/index.ts';
import { workingHash } from './content.ts';
import type { PostRow } from './tables.ts';
import { postRows } from './tables.ts';

const batch = 20;

const erased = <T>(finder: AddressFinder, value: T): T => JSON.parse(finder.eraseJson(JSON.stringify(value))) as T;

function postWithout(finder: AddressFinder, row: PostRow): Partial<PostRow> {
  const { title, excerpt, body, html, beginning, seo, tags, published, published_body, published_html } = row;
  const texts = { title, excerpt, body, html, beginning, seo, tags, published, published_body, published_html };
  const changes = erased(finder, texts);
  const content_hash = workingHash({ ...row, ...changes });
  // What was published stays what the working copy is, where it was.
  return {
    ...changes,
    content_hash,
    ...(row.published_hash === row.content_hash ? { published_hash: content_hash } : {}),
  };
}

export const personalData: PersonalData = {
  export: async () => ({}),
  erase: async () => 'done',
  async sweep({ read, write, signal }, finder) {
    const found: string[] = [];
    await read(async (handle) => {
      for await (const some of postRows.each(handle, {}, batch)) {
        signal.throwIfAborted();
        for (const row of some) if (finder.isIn(JSON.stringify(row))) found.push(row.id);
      }
    });
    for (const id of found) {
      signal.throwIfAborted();
      await write(async ({ trx, now }) => {
        const row = await postRows.lock(trx, id);
        if (row !== undefined) await postRows.change(trx, row, { ...postWithout(finder, row), updated_at: now });
      });
    }
  },
};
