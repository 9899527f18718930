// The headers and link parameters of the mails of a broadcast. Pure.
import { createHash } from 'node:crypto';
import { parseAddress, type WorkspaceContext } from '../../core/index.ts';
import type { LinkParameters } from '../email/index.ts';
import type { BroadcastRow } from './broadcasts.ts';
import { frozenOf } from './frozen.ts';

/** The longest label of a domain (RFC 1035, section 2.3.4). */
const longestLabel = 63;
const digestLength = 8;

/** A label of a List-Id: letters, digits and hyphens (RFC 2919, section 2). A digest distinguishes long names with the same beginning. */
function labelOf(text: string): string {
  const label = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (label.length <= longestLabel) return label;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, digestLength);
  return `${label.slice(0, longestLabel - digestLength - 1)}-${digest}`;
}

/** The headers that belong to the broadcast: a List-Id, made from its topic, otherwise from its first list. */
export function headersOf({ workspace }: WorkspaceContext, row: BroadcastRow): Record<string, string> {
  const { topic_key: topic, from, audience } = row;
  const include = frozenOf(row)?.audience.include ?? audience?.include ?? [];
  const [list] = include.flatMap((part) => ('listId' in part ? [part.listId] : []));
  const name = topic ?? list;
  const sender = from?.email ?? workspace.defaultFrom.email;
  // parseAddress returns the domain in lower-case ASCII.
  const domain = parseAddress(sender)?.domain ?? '';
  return name === undefined ? {} : { 'List-Id': `<${labelOf(name)}.${labelOf(workspace.id)}.${domain}>` };
}

/** The parameters of the links: medium and campaign unless the broadcast names others. */
export function utmOf({ utm, name }: BroadcastRow): LinkParameters {
  const linkParameters = { medium: 'email', campaign: name, ...utm };
  return Object.fromEntries(
    Object.entries(linkParameters).flatMap(([parameter, value]) =>
      value === undefined ? [] : [[`utm_${parameter}`, value]],
    ),
  );
}
