// What is counted of a click: the dimensions and their values. Pure. Roll-ups keep sums by day, never a person.
import type { RecordedClick } from '../clicks/batch.ts';
import { dayOf } from '../clicks/salts.ts';
import { utmFields } from '../schema.ts';

/** The dimensions beside those of UTM values, which are `utm_source` and so on. */
export const dimensions = ['clicks', 'country', 'city', 'referrer', 'device', 'browser', 'platform', 'qr'] as const;

/** The link id under which a side's sum over all links is kept. */
export const allLinks = 'all';

/** The value where a visitor's client said nothing. */
export const unknown = 'unknown';
/** The referrer of a click without one. */
export const direct = 'direct';
/** Stands for the values beyond those that are kept apart. */
export const others = 'other';

/** A sum of clicks. */
export interface Sum {
  clicks: number;
  uniques: number;
  bots: number;
}

/** One row of a roll-up to be added. */
export interface RollupPart extends Sum {
  readonly linkId: string;
  readonly dimension: string;
  readonly day: string;
  readonly value: string;
}

function valuesOf(click: RecordedClick): (readonly [dimension: string, value: string])[] {
  const place = click.city === null ? undefined : `${click.city}, ${click.country ?? '?'}`;
  return [
    ['country', click.country ?? unknown],
    ...(place === undefined ? [] : [['city', place] as const]),
    ['referrer', click.referrer ?? direct],
    ['device', click.device ?? unknown],
    ['browser', click.browser ?? unknown],
    ['platform', click.platform ?? unknown],
    ['qr', click.qr ? 'qr' : 'link'],
    ...utmFields.flatMap((field) => {
      const value = click.utm[field];
      return value === undefined || value === '' ? [] : [[`utm_${field}`, value] as const];
    }),
  ];
}

/** So many referrers and cities of a link are kept apart on one day: clients may claim any. */
export const mostValues = 100;
const madeUp = ['referrer', 'city'] as const;
const isMadeUp: ReadonlySet<string> = new Set(madeUp);

/** A dimension of a link on one day. */
export interface ValueGroup {
  readonly linkId: string;
  readonly dimension: string;
  readonly day: string;
}

/** Values by group, as `groupOf` names them. */
export type KnownValues = ReadonlyMap<string, ReadonlySet<string>>;

export const groupOf = ({ linkId, dimension, day }: ValueGroup): string => `${linkId}\n${dimension}\n${day}\n`;

/** Values that no client made up: they do not count towards the limit. */
export const ours: ReadonlySet<string> = new Set([direct, others]);

/** The groups to which these clicks may add values that their visitors made up. */
export function madeUpGroups(clicks: readonly RecordedClick[]): ValueGroup[] {
  const groups = new Map<string, ValueGroup>();
  for (const click of clicks)
    for (const dimension of madeUp) {
      if (click.bot || click[dimension] === null) continue;
      const day = dayOf(click.at);
      for (const linkId of [click.linkId, allLinks]) {
        const group = { linkId, dimension, day };
        groups.set(groupOf(group), group);
      }
    }
  return [...groups.values()];
}

/** What is known before clicks are summed. */
export interface SumsBefore {
  /** Whether a click is its visitor's first of the day. */
  isFirst(click: RecordedClick): boolean;
  /** The values that the days of `madeUpGroups` have. */
  readonly known: KnownValues;
}

/** Sums clicks. Bots count in the dimension `clicks` alone. */
export function sumClicks(clicks: readonly RecordedClick[], { isFirst, known }: SumsBefore): RollupPart[] {
  const parts = new Map<string, RollupPart>();
  const added = new Map<string, number>();
  /** The value under which one that may be made up is counted. */
  const kept = (group: string, value: string): string => {
    if (ours.has(value) || parts.has(group + value) || known.get(group)?.has(value) === true) return value;
    const count = added.get(group) ?? 0;
    if ((known.get(group)?.size ?? 0) + count >= mostValues) return others;
    added.set(group, count + 1);
    return value;
  };
  const partOf = (linkId: string, dimension: string, day: string, given: string): RollupPart => {
    const group = groupOf({ linkId, dimension, day });
    const value = isMadeUp.has(dimension) ? kept(group, given) : given;
    const key = group + value;
    const before = parts.get(key);
    if (before !== undefined) return before;
    const part = { linkId, dimension, day, value, clicks: 0, uniques: 0, bots: 0 };
    parts.set(key, part);
    return part;
  };
  for (const click of clicks) {
    const day = dayOf(click.at);
    const first = !click.bot && isFirst(click) ? 1 : 0;
    const values = click.bot ? [] : valuesOf(click);
    for (const linkId of [click.linkId, allLinks]) {
      const total = partOf(linkId, 'clicks', day, '');
      if (click.bot) total.bots += 1;
      else total.clicks += 1;
      total.uniques += first;
      for (const [dimension, value] of values) {
        const part = partOf(linkId, dimension, day, value);
        part.clicks += 1;
        part.uniques += first;
      }
    }
  }
  return [...parts.values()];
}
