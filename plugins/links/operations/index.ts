import { archiveLink } from './archive-link.ts';
import { createLinkOperation } from './create-link.ts';
import { listLinks } from './list-links.ts';
import { readAnalytics } from './read-analytics.ts';
import { readLink } from './read-link.ts';
import { suggestUtm } from './suggest-utm.ts';
import { updateLink } from './update-link.ts';

export const operations = [
  listLinks,
  suggestUtm,
  readAnalytics,
  readLink,
  createLinkOperation,
  updateLink,
  archiveLink,
] as const;
