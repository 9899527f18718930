// Finds faults in reports from adapters in plain JavaScript, for the log. In TypeScript, the compiler would have reported them.
// Called by the route for provider reports, and by ingest-mail.ts. Pure.
import { bounceClasses, bounceSubTypes } from '../port/bounce.ts';
import type { ReportedFact } from '../port/index.ts';

type UncheckedReport = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is UncheckedReport => typeof value === 'object' && value !== null;
const isText = (value: unknown): boolean => typeof value === 'string';

const classes: readonly unknown[] = bounceClasses;
const subTypes: readonly unknown[] = bounceSubTypes;

const isBounce = (value: unknown): boolean =>
  isRecord(value) &&
  classes.includes(value['class']) &&
  subTypes.includes(value['subType']) &&
  isText(value['diagnostic']) &&
  (value['smtpCode'] === undefined || Number.isInteger(value['smtpCode'])) &&
  (value['enhancedCode'] === undefined || isText(value['enhancedCode']));

/** The field that a kind of fact needs and lacks; undefined if nothing is missing. */
const needs: Readonly<Record<ReportedFact['kind'], (fact: UncheckedReport) => string | undefined>> = {
  delivered: () => undefined,
  complained: () => undefined,
  unsubscribed: () => undefined,
  delivery_delayed: ({ reason }) => (isText(reason) ? undefined : '`reason`, a text'),
  bounced: ({ bounce }) =>
    isBounce(bounce)
      ? undefined
      : `\`bounce\` with \`class\` (${bounceClasses.join(', ')}), \`subType\` (${bounceSubTypes.join(', ')}) and \`diagnostic\`, a text; \`smtpCode\` is a whole number, and \`enhancedCode\` a text`,
  opened: ({ client }) => (isRecord(client) ? undefined : '`client`, which may be {}'),
  clicked: ({ client, url }) => (isRecord(client) && isText(url) ? undefined : '`url`, and `client`, which may be {}'),
};

/** The fault of one report, as a sentence; undefined if it has none. */
export function reportFault(report: unknown): string | undefined {
  if (!isRecord(report)) return 'A report is not an object.';
  const { messageIds, returnPaths = [], id, at, fact } = report;
  if (!Array.isArray(messageIds) || !messageIds.every(isText)) return 'A report needs `messageIds`, a list of texts.';
  if (!Array.isArray(returnPaths) || !returnPaths.every(isText)) return '`returnPaths` must be a list of texts.';
  if (!isText(id)) return 'A report needs `id`, a text.';
  if (at !== undefined && typeof at !== 'number') return '`at` must be a number of milliseconds.';
  if (!isRecord(fact)) return 'A report needs `fact`.';
  const kind = String(fact['kind']);
  if (!Object.hasOwn(needs, kind))
    return `No report is of the kind ${kind.slice(0, 40)}: it is one of ${Object.keys(needs).join(', ')}.`;
  const missing = needs[kind as ReportedFact['kind']](fact);
  return missing === undefined ? undefined : `A report of the kind ${kind} needs ${missing}.`;
}
