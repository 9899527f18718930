// The words of the console for plans of weeks. Pure.
import { type Html, type PillTone, pill } from '../../../core/unstable.ts';
import { type PlanRun, runStatus } from '../runs/schema.ts';

const statuses: Readonly<Record<PlanRun['status'], readonly [words: string, tone: PillTone]>> = {
  queued: ['Waiting', 'info'],
  planning: ['Planning', 'info'],
  awaiting_decision: ['Waits for a decision', 'wait'],
  applying: ['Making the posts', 'info'],
  completed: ['Done', 'good'],
  failed: ['Failed', 'bad'],
  rejected: ['Rejected', 'bad'],
  expired: ['Expired', 'plain'],
};

export const statusPill = ({ status }: Pick<PlanRun, 'status'>): Html => pill(...statuses[status]);
export const statusChoices = runStatus.options.map((status) => [status, statuses[status][0]] as const);

export const gateWords = { themes: 'Themes', slots: 'Slots', captions: 'Captions' } as const;

/** Whether the service is working on the run, so that the browser reloads the page. */
export const isWorking = ({ status }: Pick<PlanRun, 'status'>): boolean =>
  status === 'queued' || status === 'planning' || status === 'applying';
