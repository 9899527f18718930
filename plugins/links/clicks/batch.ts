// The storage format of clicks: one row for each batch, in which each text appears once. Pure.
import type { Utm } from '../schema.ts';

/** One request to a short link, as it is counted. It names no person. */
export interface RecordedClick {
  readonly linkId: string;
  /** Link and hash of the visitor. */
  readonly visitor: string;
  readonly at: number;
  readonly bot: boolean;
  readonly qr: boolean;
  readonly country: string | null;
  readonly city: string | null;
  readonly device: string | null;
  readonly platform: string | null;
  readonly browser: string | null;
  readonly referrer: string | null;
  readonly utm: Utm;
}

/** The index that stands for null. */
const nullIndex = -1;
const botFlag = 1;
const qrFlag = 2;

/** The contents of the column `clicks` of a batch. */
export interface StoredClicks {
  readonly texts: readonly string[];
  /**
   * Link, visitor, time, flags, country, city, device, platform, browser, referrer, UTM values. All are indexes of texts except
   * time and flags.
   */
  readonly clicks: readonly (readonly number[])[];
}

/** Packs clicks into a batch. */
export function packClicks(clicks: readonly RecordedClick[]): StoredClicks {
  const texts: string[] = [];
  const indexByKey = new Map<string, number>();
  const indexOf = (text: string | null): number => {
    if (text === null) return nullIndex;
    const earlierIndex = indexByKey.get(text);
    if (earlierIndex !== undefined) return earlierIndex;
    indexByKey.set(text, texts.length);
    return texts.push(text) - 1;
  };
  const utms = new Map<Utm, string>();
  const utmText = (utm: Utm): string => {
    const earlierText = utms.get(utm);
    if (earlierText !== undefined) return earlierText;
    const text = JSON.stringify(utm);
    utms.set(utm, text);
    return text;
  };
  const packed = clicks.map((click) => [
    indexOf(click.linkId),
    indexOf(click.visitor),
    click.at,
    (click.bot ? botFlag : 0) | (click.qr ? qrFlag : 0),
    indexOf(click.country),
    indexOf(click.city),
    indexOf(click.device),
    indexOf(click.platform),
    indexOf(click.browser),
    indexOf(click.referrer),
    indexOf(utmText(click.utm)),
  ]);
  return { texts, clicks: packed };
}

/** The clicks of a batch, in their order. */
export function unpackClicks({ texts, clicks }: StoredClicks): RecordedClick[] {
  const utms = new Map<number, Utm>();
  const utmOf = (index: number): Utm => {
    const earlierUtm = utms.get(index);
    if (earlierUtm !== undefined) return earlierUtm;
    const utm: Utm = JSON.parse(texts[index] ?? '{}');
    utms.set(index, utm);
    return utm;
  };
  const textOf = (index = nullIndex): string | null => texts[index] ?? null;
  return clicks.map((click) => {
    const [link, visitor, at = 0, flags = 0, country, city, device, platform, browser, referrer, utm = nullIndex] =
      click;
    return {
      linkId: textOf(link) ?? '',
      visitor: textOf(visitor) ?? '',
      at,
      bot: (flags & botFlag) !== 0,
      qr: (flags & qrFlag) !== 0,
      country: textOf(country),
      city: textOf(city),
      device: textOf(device),
      platform: textOf(platform),
      browser: textOf(browser),
      referrer: textOf(referrer),
      utm: utmOf(utm),
    };
  });
}
