// Reads the record of a publication, and what adapters of networks do alike with texts. Called by these adapters. Pure.
import type { ProbeAnswer, PublishSteps, RecordedStep } from '../../plugins/social/port/index.ts';
import { type Fields, textOf } from './report-fields.ts';

/** What the network answered to a step; undefined while that is not known. */
export const resultOf = (steps: PublishSteps, name: string): Fields | undefined =>
  steps.find(name)?.result ?? undefined;

/** A text of a step's result; empty where there is none. */
export const resultText = (steps: PublishSteps, name: string, field: string): string =>
  textOf(resultOf(steps, name)?.[field]);

/** The step whose outcome is not known: the last one, since an upload of an earlier try may have stayed open before it. */
export const stepUnderWay = (steps: PublishSteps): RecordedStep | undefined =>
  steps.done.findLast(({ result }) => result === null);

/** Texts are the same where they differ in line ends and outer spaces only, which networks change. */
export function isSameText(one: string, other: string): boolean {
  const plain = (text: string): string => text.normalize('NFC').replaceAll('\r\n', '\n').trim();
  return plain(one) === plain(other);
}

/** How far the clock of a network may be behind ours. */
const skewMs = 120_000;

/** Whether something that the network made at `at` can be of a publication that began at `startedAt`. */
export function isSince(at: unknown, startedAt: number): boolean {
  // Graph writes +0000, which is no ISO 8601; Pinterest writes no zone and means UTC.
  const text = textOf(at).replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
  const made = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
  return made >= startedAt - skewMs;
}

/** A request whose answer was lost may be at work for this long: until then, what is not there may still come. */
const settleMs = 30_000;

/** The note of a step that makes something visible. */
export const attemptAt = (now: number, note: Fields = {}): Fields => ({ ...note, at: now });

/** Whether what the step asked for may still be under way at the network. */
export function isSettling({ note }: RecordedStep, now: number): boolean {
  const at = note['at'];
  return typeof at === 'number' && now - at < settleMs;
}

/** The answer of a probe that found nothing. */
export const absentAfter = (step: RecordedStep, now: number): ProbeAnswer =>
  isSettling(step, now)
    ? { outcome: 'unclear', reason: 'The request was made a moment ago: its post may still appear.' }
    : { outcome: 'absent' };
