// The dimensions by which clicks are counted, and their values. Pure. Roll-ups store sums by day, never a person.
import type { RecordedClick } from '../clicks/batch.ts';
import { dayOf } from '../clicks/salts.ts';
import { utmFields } from '../schema.ts';

/** The dimensions apart from the UTM dimensions, which are `utm_source` and so on. */
export const dimensions = ['clicks', 'country', 'city', 'referrer', 'device', 'browser', 'platform', 'qr'] as const;

/** The link id of a side's sum over all links. */
export const allLinks = 'all';

/** The value if the visitor's client sent no value. */
export const unknownValue = 'unknown';
/** The value for a click without a referrer. */
export const directReferrer = 'direct';
/** The value that replaces all values beyond the limit. */
export const otherValue = 'other';

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

const utmDimensions = utmFields.map((field) => [field, `utm_${field}`] as const);

/**
 * The maximum number of referrers and cities that are counted separately for a link and a day, because clients may send any
 * value.
 */
export const maxValues = 100;
const visitorDimensions = ['referrer', 'city'] as const;
const visitorDimensionSet: ReadonlySet<string> = new Set(visitorDimensions);

/** A dimension of a link on one day. */
export interface ValueGroup {
  readonly linkId: string;
  readonly dimension: string;
  readonly day: string;
}

/** Values by group, as `groupOf` names them. */
export type KnownValues = ReadonlyMap<string, ReadonlySet<string>>;

export const groupOf = ({ linkId, dimension, day }: ValueGroup): string => `${linkId}\n${dimension}\n${day}\n`;

/** Values that the service sets itself. They do not count towards the limit. */
export const serviceValues: ReadonlySet<string> = new Set([directReferrer, otherValue]);

/** The groups to which these clicks may add values that clients can make up. */
export function visitorValueGroups(clicks: readonly RecordedClick[]): ValueGroup[] {
  const groups = new Map<string, ValueGroup>();
  for (const click of clicks)
    for (const dimension of visitorDimensions) {
      if (click.bot || click[dimension] === null) continue;
      const day = dayOf(click.at);
      for (const linkId of [click.linkId, allLinks]) {
        const group = { linkId, dimension, day };
        groups.set(groupOf(group), group);
      }
    }
  return [...groups.values()];
}

/** The stored data that summing clicks needs. */
export interface SumsBefore {
  /** Whether a click is its visitor's first of the day. */
  isFirst(click: RecordedClick): boolean;
  /** The stored values of the groups that `visitorValueGroups` returns. */
  readonly known: KnownValues;
}

/**
 * The sums of one link, or of all links, on one day. Clicks come in thousands, so the sums are nested maps: no key text
 * is built for each click.
 */
class DaySums {
  readonly #linkId: string;
  readonly #day: string;
  readonly #known: KnownValues;
  readonly #parts = new Map<string, Map<string, RollupPart>>();
  /** For each dimension, the number of values of visitors that these clicks added on this day. */
  readonly #added = new Map<string, number>();

  constructor(linkId: string, day: string, known: KnownValues) {
    this.#linkId = linkId;
    this.#day = day;
    this.#known = known;
  }

  add(click: RecordedClick, first: number): void {
    const total = this.#partOf('clicks', '');
    total.uniques += first;
    if (click.bot) {
      total.bots += 1;
      return;
    }
    total.clicks += 1;
    this.#count('country', click.country ?? unknownValue, first);
    if (click.city !== null) this.#count('city', `${click.city}, ${click.country ?? '?'}`, first);
    this.#count('referrer', click.referrer ?? directReferrer, first);
    this.#count('device', click.device ?? unknownValue, first);
    this.#count('browser', click.browser ?? unknownValue, first);
    this.#count('platform', click.platform ?? unknownValue, first);
    this.#count('qr', click.qr ? 'qr' : 'link', first);
    for (const [field, dimension] of utmDimensions) {
      const value = click.utm[field];
      if (value !== undefined && value !== '') this.#count(dimension, value, first);
    }
  }

  *parts(): Generator<RollupPart> {
    for (const values of this.#parts.values()) yield* values.values();
  }

  #count(dimension: string, value: string, first: number): void {
    const part = this.#partOf(dimension, value);
    part.clicks += 1;
    part.uniques += first;
  }

  #partOf(dimension: string, input: string): RollupPart {
    let values = this.#parts.get(dimension);
    if (values === undefined) {
      values = new Map();
      this.#parts.set(dimension, values);
    }
    const value =
      values.has(input) || !visitorDimensionSet.has(dimension) ? input : this.#limitedValue(dimension, input);
    let part = values.get(value);
    if (part === undefined) {
      part = { linkId: this.#linkId, dimension, day: this.#day, value, clicks: 0, uniques: 0, bots: 0 };
      values.set(value, part);
    }
    return part;
  }

  /** The value under which a visitor's value is counted: itself or, beyond the limit, `other`. */
  #limitedValue(dimension: string, value: string): string {
    if (serviceValues.has(value)) return value;
    const knownValues = this.#known.get(groupOf({ linkId: this.#linkId, dimension, day: this.#day }));
    if (knownValues?.has(value) === true) return value;
    const added = this.#added.get(dimension) ?? 0;
    if ((knownValues?.size ?? 0) + added >= maxValues) return otherValue;
    this.#added.set(dimension, added + 1);
    return value;
  }
}

/** Sums clicks. Bots count only in the dimension `clicks`. */
export function sumClicks(clicks: readonly RecordedClick[], { isFirst, known }: SumsBefore): RollupPart[] {
  const sums = new Map<string, Map<string, DaySums>>();
  const sumsOf = (linkId: string, day: string): DaySums => {
    let days = sums.get(linkId);
    if (days === undefined) {
      days = new Map();
      sums.set(linkId, days);
    }
    let dayValues = days.get(day);
    if (dayValues === undefined) {
      dayValues = new DaySums(linkId, day, known);
      days.set(day, dayValues);
    }
    return dayValues;
  };
  for (const click of clicks) {
    const day = dayOf(click.at);
    const first = !click.bot && isFirst(click) ? 1 : 0;
    sumsOf(click.linkId, day).add(click, first);
    sumsOf(allLinks, day).add(click, first);
  }
  return [...sums.values()].flatMap((days) => [...days.values()].flatMap((found) => [...found.parts()]));
}
