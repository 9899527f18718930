// The words of the console for blog posts. Pure.
import { type Html, type PillTone, pill } from '../../../core/unstable.ts';
import { type PostSummary, postStatus } from '../schema.ts';

const statuses: Readonly<Record<PostSummary['status'], readonly [words: string, tone: PillTone]>> = {
  draft: ['Draft', 'wait'],
  published: ['Published', 'good'],
  unpublished: ['Unpublished', 'plain'],
};

export const statusPill = ({ status }: Pick<PostSummary, 'status'>): Html => pill(...statuses[status]);

export const statusChoices = postStatus.options.map((status) => [status, statuses[status][0]] as const);
