// The content of a page's working copy as one value, its hash, and the ids of the resources in it. Pure.
import { contentHash } from '../../core/unstable.ts';
import type { Section } from './sections/schema.ts';
import type { PageContent, PageRow, SectionSummary } from './tables.ts';

/** The content of the working copy. */
export const workingCopy = ({ title, cta_label: ctaLabel, metadata, sections, html }: PageRow): PageContent => ({
  ...{ title, ctaLabel, metadata, sections },
  ...(html === null ? {} : { html }),
});

/** The parts of a content that can have placeholders, as PATCH /v1/pages/{idOrSlug} names them. */
export const placeholderContent = ({ title, ctaLabel, metadata, sections }: PageContent) => ({
  ...{ title, ctaLabel, metadata, sections },
});

/** The hash of a content together with its slug. */
export const hashOf = (content: PageContent, slug: string): string => contentHash({ ...content, slug });

/** The hash of the working copy together with its slug. */
export const workingHash = (row: PageRow): string => hashOf(workingCopy(row), row.slug);

/** Sections without their content. */
export const summaryOf = (sections: readonly Section[]): SectionSummary[] =>
  sections.map(({ id, kind, heading }) => ({ id, kind, heading: heading ?? null }));

/** The assets that sections show, each with its path among the sections. */
export const imagesIn = (sections: readonly Section[]): { readonly path: string; readonly assetId: string }[] =>
  sections.flatMap(({ imageAssetId, items = [] }, index) => [
    ...(imageAssetId === undefined ? [] : [{ path: `${index}.imageAssetId`, assetId: imageAssetId }]),
    ...items.flatMap((item, at) =>
      item.imageAssetId === undefined
        ? []
        : [{ path: `${index}.items.${at}.imageAssetId`, assetId: item.imageAssetId }],
    ),
  ]);

/** The ids of the lists in forms. */
export const listsIn = (sections: readonly Section[]): string[] => [
  ...new Set(sections.flatMap(({ form }) => (form?.listId === undefined ? [] : [form.listId]))),
];
