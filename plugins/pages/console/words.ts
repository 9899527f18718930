// The words of the console for pages. Pure.
import { type Html, type PillTone, pill } from '../../../core/unstable.ts';
import { composeStatus, type PageResource, pageStatus } from '../schema.ts';

const statuses: Readonly<Record<PageResource['status'], readonly [words: string, tone: PillTone]>> = {
  draft: ['Draft', 'wait'],
  published: ['Published', 'good'],
  unpublished: ['Unpublished', 'plain'],
};

const builds: Readonly<Record<PageResource['composeStatus'], readonly [words: string, tone: PillTone]>> = {
  queued: ['Building', 'info'],
  building: ['Building', 'info'],
  ready: ['Ready', 'good'],
  failed: ['Failed', 'bad'],
};

/** What visitors see. */
export const statusPill = ({ status }: Pick<PageResource, 'status'>): Html => pill(...statuses[status]);

/** The state of the last build. */
export const buildPill = (page: Pick<PageResource, 'composeStatus'>): Html => pill(...builds[page.composeStatus]);

export const isBuilding = (page: Pick<PageResource, 'composeStatus'>): boolean =>
  page.composeStatus === 'queued' || page.composeStatus === 'building';

export const statusChoices = pageStatus.options.map((status) => [status, statuses[status][0]] as const);

export const buildChoices = composeStatus.options.map(
  (status) =>
    [status, status === 'queued' ? 'First build' : status === 'building' ? 'New build' : builds[status][0]] as const,
);
