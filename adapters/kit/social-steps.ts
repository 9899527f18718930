// Reads the recorded steps of a publication, and compares texts and times for the adapters of networks. Called by these adapters.
// Pure.
import type { ProbeResult, PublishSteps, RecordedStep } from '../../plugins/social/port/index.ts';
import { type ReportFields, textOf } from './report-fields.ts';

/** The network's result of a step; undefined while it is not known. */
export const resultOf = (steps: PublishSteps, name: string): ReportFields | undefined =>
  steps.find(name)?.result ?? undefined;

/** A text of a step's result; empty if there is none. */
export const resultText = (steps: PublishSteps, name: string, field: string): string =>
  textOf(resultOf(steps, name)?.[field]);

/**
 * The step with an unknown outcome. If there are several, the last one, because an upload of an earlier attempt may have stayed
 * open before it.
 */
export const unfinishedStep = (steps: PublishSteps): RecordedStep | undefined =>
  steps.done.findLast(({ result }) => result === null);

/** Whether two texts are the same apart from line ends and outer white space, which networks change. */
export function isSameText(one: string, other: string): boolean {
  const normalised = (text: string): string => text.normalize('NFC').replaceAll('\r\n', '\n').trim();
  return normalised(one) === normalised(other);
}

/** The maximum time by which a network's clock may be behind the service's. */
const skewMs = 120_000;

/** Whether an object that the network created at `at` may belong to a publication that began at `startedAt`. */
export function isSince(at: unknown, startedAt: number): boolean {
  // Graph writes +0000, which is not valid in ISO 8601; Pinterest writes UTC times without a zone.
  const text = textOf(at).replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
  const createdAt = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
  return createdAt >= startedAt - skewMs;
}

/** How long a request whose response was lost may still be running. Until then, a missing object may still appear. */
const settleMs = 30_000;

/** The note of a step that makes something visible. */
export const attemptNote = (now: number, note: ReportFields = {}): ReportFields => ({ ...note, at: now });

/** Whether the request of the step may still be running at the network. */
export function isSettling({ note }: RecordedStep, now: number): boolean {
  const at = note['at'];
  return typeof at === 'number' && now - at < settleMs;
}

/** The result of a probe that found nothing. */
export const absentOrUnclear = (step: RecordedStep, now: number): ProbeResult =>
  isSettling(step, now)
    ? { outcome: 'unclear', reason: 'The request was made a moment ago: its post may still appear.' }
    : { outcome: 'absent' };
