// Lets approval policies hold pages: defines the content that visitors would see.
import type { ContentJson, ContentKind, PublishableContent, WorkspaceHandle } from '../../core/index.ts';
import { workingCopy } from './content.ts';
import { pageKindId } from './content-kind-id.ts';
import { type PagePublication, publishedVersion } from './publishing/publish.ts';
import { findHead } from './store.ts';
import { type PageRow, pageRows } from './tables.ts';

type PublishedParts = Pick<PagePublication, 'content' | 'slug'>;

const publishedPartsOf = ({ content, slug }: PublishedParts, version?: number): ContentJson => ({
  ...{ ...content, slug },
  ...(version === undefined ? {} : { version }),
});

/** The content that a publish makes public, and the content that is public now. */
export async function publicationContent(
  handle: WorkspaceHandle,
  page: PageRow,
  publication: PublishedParts,
  version?: number,
): Promise<PublishableContent> {
  const current = await publishedVersion(handle, page.id);
  return {
    name: publication.content.title,
    content: publishedPartsOf(publication, version),
    before:
      current === undefined
        ? null
        : publishedPartsOf({ content: current.content, slug: page.published_slug ?? current.slug }),
  };
}

/** The content kind with which approval policies hold pages. */
export const pageContentKind: ContentKind = {
  kind: pageKindId,
  targetKind: 'page',
  async read({ trx }, targetId) {
    const page = await pageRows.find(trx, targetId);
    return page === undefined
      ? undefined
      : publicationContent(trx, page, { content: workingCopy(page), slug: page.slug });
  },
  idOf: async ({ trx }, slug) => (await findHead(trx, slug))?.id,
};
