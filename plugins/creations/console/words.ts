// The words of the console for creations and their items. Pure.
import { type Html, type PillTone, pill } from '../../../core/unstable.ts';
import { type CreationDetail, type CreationSummary, creationStatus } from '../schema.ts';

type Item = CreationDetail['items'][number];

const statuses: Readonly<Record<CreationSummary['status'], readonly [words: string, tone: PillTone]>> = {
  drafting_strategy: ['Drafting', 'info'],
  awaiting_approval: ['Waiting for approval', 'wait'],
  rejected: ['Rejected', 'bad'],
  building: ['Building', 'info'],
  ready: ['Ready', 'good'],
  partially_ready: ['Partly ready', 'wait'],
  failed: ['Failed', 'bad'],
  live: ['Live', 'good'],
  completed: ['Done', 'plain'],
  canceled: ['Canceled', 'plain'],
};

const itemStatuses: Readonly<Record<Item['status'], readonly [words: string, tone: PillTone]>> = {
  planned: ['Planned', 'wait'],
  building: ['Building', 'info'],
  built: ['Built', 'good'],
  failed: ['Failed', 'bad'],
  skipped: ['Skipped', 'plain'],
};

export const kindWords: Readonly<Record<Item['kind'], string>> = {
  social_post: 'Social post',
  email_template: 'Email template',
  planned_email: 'Planned email',
  page: 'Page',
  blog_post: 'Blog post',
  link: 'Link',
  sequence: 'Sequence',
};

export const statusPill = ({ status }: Pick<CreationSummary, 'status'>): Html => pill(...statuses[status]);
export const itemPill = ({ status }: Pick<Item, 'status'>): Html => pill(...itemStatuses[status]);
export const statusChoices = creationStatus.options.map((status) => [status, statuses[status][0]] as const);

/** Whether the service is working on the creation, so that the browser reloads the page. */
export const isWorking = ({ status }: Pick<CreationSummary, 'status'>): boolean =>
  status === 'drafting_strategy' || status === 'building';
