// Nodes, edges and triggers as text, for pictures and pages.

import { lettersOf, shortened } from '../../../core/unstable.ts';
import { isActivity, isCondition } from '../definition/filter-schema.ts';
import type { ActivityCondition, Definition, Filter, NodeOf, SequenceNode } from '../definition/schema.ts';
import { parseDuration } from '../definition/time-schemas.ts';

/** The two texts of a box in the picture. */
export interface BoxTexts {
  readonly title: string;
  readonly detail: string;
}

const units = [
  ['year', 'years'],
  ['month', 'months'],
  ['day', 'days'],
  ['hour', 'hours'],
  ['minute', 'minutes'],
  ['second', 'seconds'],
] as const;

/** Formats a duration, such as "2 days" or "1 hour 30 minutes". Returns the text itself if it is not a duration. */
export function durationWords(text: string): string {
  const parts = parseDuration(text);
  if (parts === undefined) return text;
  const seconds = Math.round(parts.ms / 1_000);
  const counts = [
    Math.floor(parts.months / 12),
    parts.months % 12,
    parts.days,
    Math.floor(seconds / 3_600),
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ];
  const countTexts = counts.flatMap((count, index) => {
    const [one, many] = units[index] ?? ['', ''];
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  return countTexts.length === 0 ? 'no time' : countTexts.join(' ');
}

const operatorWords: Readonly<Record<string, string>> = {
  eq: 'is',
  ne: 'is not',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  in: 'is one of',
  contains: 'contains',
  starts_with: 'starts with',
  within_days: 'in the last days:',
  older_than_days: 'older than days:',
};

/** An activity in words, such as: did order_paid 2 times since the run began. */
function activityWords({ did, since, atLeast = 1, where }: ActivityCondition): string {
  const times = atLeast === 1 ? '' : ` ${atLeast} times`;
  const period = since === 'run' ? ' since the run began' : ` in the last ${durationWords(since ?? '')}`;
  const condition = where === undefined ? '' : ` where ${filterWords(where)}`;
  return `did ${did}${times}${since === undefined ? '' : period}${condition}`;
}

/** A filter as one line, such as: contact.attributes.plan is "pro". */
export function filterWords(filter: Filter): string {
  if ('all' in filter) return filter.all.map((one) => filterWords(one)).join(' and ') || 'always';
  if ('any' in filter) return filter.any.map((one) => filterWords(one)).join(' or ') || 'never';
  if ('not' in filter) return `not (${filterWords(filter.not)})`;
  if (isActivity(filter)) return activityWords(filter);
  if (!isCondition(filter)) return 'always';
  const path = filter.path.replace(/^contact\.attributes\./, '');
  if (filter.op === 'exists') return filter.value === true ? `${path} exists` : `${path} is missing`;
  return `${path} ${operatorWords[filter.op]} ${JSON.stringify(filter.value)}`;
}

function delayWords(node: Extract<SequenceNode, { kind: 'delay' }>): BoxTexts {
  if (node.until !== undefined)
    return {
      title: `Wait until ${node.until.time}`,
      detail: node.until.weekdays?.join(', ') ?? 'the next day at that time',
    };
  if (node.relativeTo !== undefined) {
    const { path, offset } = node.relativeTo;
    const direction = offset.startsWith('-') ? 'before' : 'after';
    return { title: `Wait until ${durationWords(offset)} ${direction}`, detail: path };
  }
  return { title: `Wait ${durationWords(node.for ?? 'PT0S')}`, detail: '' };
}

/** The time from which a wait counts events, in words; empty for the default. */
function sinceWords({ since, ofNode }: NodeOf<'wait_for_event'>): string {
  if (ofNode !== undefined) return `, about ${ofNode}`;
  if (since === 'run') return ', since the run began';
  return since === 'node' ? ', from when the run is at this node' : '';
}

export function nodeWords(node: SequenceNode): BoxTexts {
  switch (node.kind) {
    case 'delay':
      return delayWords(node);
    case 'wait_for_event':
      return { title: `Wait for ${node.type}`, detail: `at most ${durationWords(node.timeout)}${sinceWords(node)}` };
    case 'branch':
      return { title: 'Branch', detail: node.conditions.map(({ filter }) => filterWords(filter)).join(' / ') };
    case 'split':
      return { title: 'Split', detail: node.weights.map((weight) => `${weight} %`).join(' / ') };
    case 'send_email':
      return { title: 'Send email', detail: node.templateKey };
    case 'send_sms':
      return { title: 'Send SMS', detail: node.templateKey };
    case 'social_event':
      return { title: 'Social post', detail: node.eventKey };
    case 'webhook':
      return { title: 'Call webhook', detail: node.webhookId };
    case 'update_contact':
      return { title: 'Update contact', detail: Object.keys(node.attributes).join(', ') };
    case 'add_to_list':
      return { title: 'Add to list', detail: node.listId };
    case 'remove_from_list':
      return { title: 'Remove from list', detail: node.listId };
    case 'enroll':
      return { title: 'Enrol in', detail: node.sequenceKey };
    case 'goal':
      return { title: 'Goal', detail: node.type ?? filterWords(node.filter ?? {}) };
    default:
      return { title: 'Exit', detail: node.reason ?? '' };
  }
}

export function triggerWords({ trigger }: Pick<Definition, 'trigger'>): BoxTexts {
  switch (trigger.kind) {
    case 'event':
      return { title: `When ${trigger.type}`, detail: trigger.filter === undefined ? '' : filterWords(trigger.filter) };
    case 'list_joined':
      return { title: 'When a list is joined', detail: trigger.listId };
    case 'segment_entered':
      return {
        title: 'When a segment is entered',
        detail: `${trigger.segmentId}${trigger.includeCurrent === true ? ', and for those inside' : ''}`,
      };
    case 'segment_left':
      return { title: 'When a segment is left', detail: trigger.segmentId };
    case 'form_submitted':
      return { title: 'When a form is confirmed', detail: trigger.formId ?? trigger.pageId };
    default:
      return { title: 'When enrolled', detail: '' };
  }
}

/** The label of an edge; empty for `next`. */
export function edgeWords(when: string, from: SequenceNode | undefined): string {
  const [kind, index = ''] = when.split(':');
  if (kind === 'next') return '';
  if (kind === 'split' && from?.kind === 'split') return `${from.weights[Number(index)] ?? ''} %`;
  const condition = kind === 'branch' && from?.kind === 'branch' ? from.conditions[Number(index)] : undefined;
  return condition === undefined ? when : filterWords(condition.filter);
}

/** Shortens a text to at most `max` characters. */
export const shortenTo = (text: string, max: number): string =>
  shortened(text.replace(/\s+/g, ' '), max, { at: 'letter' });

/** A generous estimate of a character's width in px, at 12 px font size. */
function widthOf(character: string): number {
  if (/[\p{Lu}\p{N}_@%&]/u.test(character)) return 8.4;
  if (
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u.test(character)
  )
    return 13;
  return /[mw]/.test(character) ? 10 : 6.4;
}

/** Shortens a text to at most `maxPx` pixels wide, by estimate. */
export function shortenToWidth(text: string, maxPx: number): string {
  const characters = lettersOf(text.replace(/\s+/g, ' '));
  let width = 0;
  const end = characters.findIndex((character) => {
    width += widthOf(character);
    return width > maxPx;
  });
  return end < 0 ? characters.join('') : `${characters.slice(0, Math.max(0, end - 1)).join('')}…`;
}
