// The operations of the plugin, in the order of the reference.
import { composePage } from './compose-page.ts';
import { createPageOperation } from './create-page.ts';
import { deletePage } from './delete-page.ts';
import { listPages } from './list-pages.ts';
import { listSubmissions } from './list-submissions.ts';
import { listVersions } from './list-versions.ts';
import { publishPage } from './publish-page.ts';
import { readPage } from './read-page.ts';
import { unpublishPage } from './unpublish-page.ts';
import { updatePage } from './update-page.ts';

export const operations = [
  listPages,
  readPage,
  createPageOperation,
  composePage,
  publishPage,
  unpublishPage,
  updatePage,
  deletePage,
  listVersions,
  listSubmissions,
] as const;
