// Pages as a surface for approval policies: the content that visitors would see.
import type { Surface, SurfaceContent, SurfaceJson, WorkspaceHandle } from '../../core/index.ts';
import { workingCopy } from './content.ts';
import { type Publication, publishedVersion } from './publishing/publish.ts';
import { findHead } from './store.ts';
import { surfaceKind } from './surface-kind.ts';
import { type PageRow, pageRows } from './tables.ts';

type Shown = Pick<Publication, 'content' | 'slug'>;

const shownOf = ({ content, slug }: Shown, version?: number): SurfaceJson => ({
  ...{ ...content, slug },
  ...(version === undefined ? {} : { version }),
});

/** The content that a publish makes public, and the content that is public now. */
export async function publicationContent(
  handle: WorkspaceHandle,
  page: PageRow,
  publication: Shown,
  version?: number,
): Promise<SurfaceContent> {
  const before = await publishedVersion(handle, page.id);
  return {
    name: publication.content.title,
    content: shownOf(publication, version),
    before:
      before === undefined ? null : shownOf({ content: before.content, slug: page.published_slug ?? before.slug }),
  };
}

/** The surface that lets approval policies hold pages. */
export const pageSurface: Surface = {
  kind: surfaceKind,
  targetKind: 'page',
  async read({ trx }, targetId) {
    const page = await pageRows.find(trx, targetId);
    return page === undefined
      ? undefined
      : publicationContent(trx, page, { content: workingCopy(page), slug: page.slug });
  },
  idOf: async ({ trx }, slug) => (await findHead(trx, slug))?.id,
};
