// Finds faults in reports from adapters in plain JavaScript, for the log. In TypeScript, the compiler would have reported them.
// Called by the route for provider reports. Pure.
import type { ReportedFact } from '../port/index.ts';

type Given = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Given => typeof value === 'object' && value !== null;
const isText = (value: unknown): boolean => typeof value === 'string';

const classes: readonly unknown[] = ['hard', 'soft', 'undetermined'];

/** The field that a kind of fact needs and lacks; undefined if nothing is missing. */
const needs: Readonly<Record<ReportedFact['kind'], (fact: Given) => string | undefined>> = {
  delivered: () => undefined,
  complained: () => undefined,
  unsubscribed: () => undefined,
  delivery_delayed: ({ reason }) => (isText(reason) ? undefined : '`reason`, a text'),
  bounced: ({ bounce }) =>
    isRecord(bounce) && classes.includes(bounce['class']) && isText(bounce['subType']) && isText(bounce['diagnostic'])
      ? undefined
      : '`bounce` with `class` (hard, soft or undetermined), `subType` and `diagnostic`',
  opened: ({ client }) => (isRecord(client) ? undefined : '`client`, which may be {}'),
  clicked: ({ client, url }) => (isRecord(client) && isText(url) ? undefined : '`url`, and `client`, which may be {}'),
};

/** The fault of one report, as a sentence; undefined if it has none. */
export function reportFault(report: unknown): string | undefined {
  if (!isRecord(report)) return 'A report is no object.';
  const { messageIds, id, fact } = report;
  if (!Array.isArray(messageIds) || !messageIds.every(isText)) return 'A report needs `messageIds`, a list of texts.';
  if (!isText(id)) return 'A report needs `id`, a text.';
  if (!isRecord(fact)) return 'A report needs `fact`.';
  const kind = String(fact['kind']);
  if (!Object.hasOwn(needs, kind))
    return `No report is of the kind ${kind.slice(0, 40)}: it is one of ${Object.keys(needs).join(', ')}.`;
  const missing = needs[kind as ReportedFact['kind']](fact);
  return missing === undefined ? undefined : `A report of the kind ${kind} needs ${missing}.`;
}
