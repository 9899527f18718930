// The states of sequences, runs and steps, formatted for display. Pure.
import { chip, type Html, html } from '../../../core/unstable.ts';
import type { SequenceHead, SequenceRunRow, SequenceStepRow } from '../tables.ts';

const sequenceTones: Partial<Record<SequenceHead['status'], 'good' | 'slow'>> = { published: 'good', paused: 'slow' };
const runTones: Partial<Record<SequenceRunRow['status'], 'good' | 'slow' | 'bad'>> = {
  active: 'good',
  failed: 'bad',
};

/** The state of a sequence, and whether it has unpublished changes. */
export const statusOf = ({ status, draft }: Pick<SequenceHead, 'status' | 'draft'>): Html =>
  html`${chip(status, sequenceTones[status])}${draft && status !== 'draft' ? html` <span class="hush">with changes</span>` : null}`;

export const runStatus = ({ status }: Pick<SequenceRunRow, 'status'>): Html => chip(status, runTones[status]);

/** A goal ends a run in the middle of a step. That is the intended end, so the step is not shown as skipped. */
export const stepStatus = ({ status, reason }: Pick<SequenceStepRow, 'status' | 'reason'>): Html => {
  if (status === 'skipped' && reason === 'goal') return chip('ended by the goal', 'good');
  return chip(status, status === 'failed' ? 'bad' : status === 'skipped' ? 'slow' : 'plain');
};
