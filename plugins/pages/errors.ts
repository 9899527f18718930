import { defineErrors, notFound } from '../../core/index.ts';

export const errors = defineErrors({
  page_not_found: notFound(
    'page',
    'GET /v1/pages',
    'The workspace has no page with this id or slug. GET /v1/pages lists its pages.',
  ),
  page_version_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The page has no such version, or it is no longer kept. The latest 50 versions are kept.',
    message: (details: { id: string; version: number }) =>
      `The page ${details.id} has no version ${details.version}. GET /v1/pages/${details.id}/versions lists those that are kept.`,
  },
  brand_required: {
    status: 409,
    type: 'conflict_error',
    description:
      'The workspace has no brand yet, and the content takes its style from a brand. POST /v1/brand creates one.',
    message: () => 'The workspace has no brand yet. Create one with POST /v1/brand: its name is enough.',
  },
  retired_editor: {
    status: 409,
    type: 'conflict_error',
    description:
      'The page is imported HTML, which has no sections and cannot be composed. Create a new page, and give it the slug once this one is deleted.',
    message: (details: { id: string }) =>
      `The page ${details.id} is imported HTML: it has no sections and cannot be composed. Create a new page in its place.`,
  },
});
