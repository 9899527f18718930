// The kinds of conditions about what contacts did: custom events, with their number, time and data, and what happened to mail.
import { isDid, isSend, type SendLeaf } from '../../filter-schema.ts';
import { dataFields, whereOf, whereValues, withDataRow } from './data.ts';
import {
  type Choices,
  ConditionFault,
  type ConditionField,
  type ConditionKind,
  negatedIf,
  type Values,
  withoutNot,
} from './kinds.ts';
import { choiceField } from './memberships.ts';

const units: Choices = [
  ['days', 'days'],
  ['hours', 'hours'],
  ['months', 'months'],
];

const sinceFields: readonly ConditionField[] = [
  { name: 'since', label: 'In the last (empty: ever)' },
  { name: 'unit', label: 'Unit', choices: units },
];

/** The duration that the fields contain; undefined if there is no limit. @throws ConditionFault */
function sinceOf({ since = '', unit }: Values): string | undefined {
  const count = since.trim();
  if (count === '') return undefined;
  if (!/^\d{1,6}$/.test(count)) throw new ConditionFault(`Write a whole number instead of “${count}”.`);
  if (unit === 'hours') return `PT${count}H`;
  return unit === 'months' ? `P${count}M` : `P${count}D`;
}

/** The fields for a duration; undefined if the fields cannot express it. */
function sinceValues(since: string | undefined): Values | undefined {
  if (since === undefined) return {};
  const [, hours] = /^PT(\d{1,6})H$/.exec(since) ?? [];
  if (hours !== undefined) return { since: hours, unit: 'hours' };
  const [, count, letter] = /^P(\d{1,6})([DM])$/.exec(since) ?? [];
  return count === undefined ? undefined : { since: count, unit: letter === 'M' ? 'months' : 'days' };
}

function atLeastOf({ atLeast = '' }: Values): number | undefined {
  const count = atLeast.trim();
  if (count === '') return undefined;
  if (!/^\d{1,7}$/.test(count)) throw new ConditionFault(`Write a whole number instead of “${count}”.`);
  return Number(count);
}

const did: ConditionKind = {
  group: 'What they did',
  title: 'Event of your product',
  initial: { op: 'did' },
  fields: (values, { events }) => [
    {
      name: 'op',
      label: 'Comparison',
      choices: [
        ['did', 'did'],
        ['not', 'did not do'],
      ],
    },
    { name: 'event', label: 'Event', proposals: events },
    { name: 'atLeast', label: 'Times at least (empty: once)' },
    ...sinceFields,
    ...dataFields(values),
  ],
  more: { words: 'Add data', extend: withDataRow },
  toFilter(values) {
    const event = (values['event'] ?? '').trim();
    if (event === '') throw new ConditionFault('Write the name of the event.');
    const [since, atLeast, where] = [sinceOf(values), atLeastOf(values), whereOf(values)];
    return negatedIf(values['op'] === 'not', {
      did: event,
      ...(since === undefined ? {} : { since }),
      ...(atLeast === undefined ? {} : { atLeast }),
      ...(where === undefined ? {} : { where }),
    });
  },
  fromFilter(filter) {
    const { inner, isNegated } = withoutNot(filter);
    if (!isDid(inner)) return undefined;
    const [since, data] = [sinceValues(inner.since), whereValues(inner.where)];
    if (since === undefined || data === undefined) return undefined;
    const { did: event, atLeast } = inner;
    const times = atLeast === undefined ? {} : { atLeast: String(atLeast) };
    return { op: isNegated ? 'not' : 'did', event, ...times, ...since, ...data };
  },
};

/** The outcomes of mail, each with the words for it and for its opposite. */
const outcomes: readonly (readonly [SendLeaf['was'], string, string])[] = [
  ['opened', 'opened mail', 'opened no mail'],
  ['clicked', 'clicked in mail', 'clicked in no mail'],
  ['delivered', 'received mail', 'received no mail'],
  ['sent', 'was sent mail', 'was sent no mail'],
  ['bounced', 'had mail that bounced', 'had no mail that bounced'],
];

const outcomeChoices: Choices = [
  ...outcomes.map(([was, words]) => [was, words] as const),
  ...outcomes.map(([was, , words]) => [`not_${was}`, words] as const),
];

const categories: Choices = [
  ['', 'Any'],
  ['marketing', 'Marketing'],
  ['transactional', 'Transactional'],
  ['system', 'Of the service'],
];

const categoryOf = (text: string | undefined): SendLeaf['send']['category'] =>
  text === 'marketing' || text === 'transactional' || text === 'system' ? text : undefined;

const mail: ConditionKind = {
  group: 'What they did',
  title: 'Mail',
  initial: { op: 'opened' },
  fields: ({ template, broadcast }, { templates, broadcasts }) => [
    { name: 'op', label: 'Comparison', choices: outcomeChoices },
    choiceField('template', 'Template', templates, { current: template, none: 'Any' }),
    choiceField('broadcast', 'Broadcast', broadcasts, { current: broadcast, none: 'Any' }),
    { name: 'category', label: 'Kind of mail', choices: categories },
    ...sinceFields,
  ],
  toFilter(values) {
    const { op = '', template = '', broadcast = '' } = values;
    const outcome = outcomes.find(([was]) => was === op.replace(/^not_/, ''));
    if (outcome === undefined) throw new ConditionFault('Choose what happened to the mail.');
    const [since, category] = [sinceOf(values), categoryOf(values['category'])];
    const send = {
      ...(template === '' ? {} : { templateKey: template }),
      ...(broadcast === '' ? {} : { broadcastId: broadcast }),
      ...(category === undefined ? {} : { category }),
    };
    const leaf: SendLeaf = { send, was: outcome[0], ...(since === undefined ? {} : { since }) };
    return negatedIf(op.startsWith('not_'), leaf);
  },
  fromFilter(filter) {
    const { inner, isNegated } = withoutNot(filter);
    if (!isSend(inner)) return undefined;
    const since = sinceValues(inner.since);
    if (since === undefined) return undefined;
    const { templateKey: template = '', broadcastId: broadcast = '', category = '' } = inner.send;
    return { op: `${isNegated ? 'not_' : ''}${inner.was}`, template, broadcast, category, ...since };
  },
};

export const activityKinds: Readonly<Record<string, ConditionKind>> = { did, mail };
