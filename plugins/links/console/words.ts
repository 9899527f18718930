// The words of the console for short links and their clicks.
import { type Html, type PillTone, pill } from '../../../core/unstable.ts';
import type { CardKey } from '../rollups/card.ts';
import type { LinkResource } from '../schema.ts';

/** The name of the link for people. */
export const nameOf = ({ label, slug }: Pick<LinkResource, 'label' | 'slug'>): string => label ?? slug;

/** The short URL without its scheme. */
export const shortOf = ({ redirectUrl }: Pick<LinkResource, 'redirectUrl'>): string =>
  redirectUrl.replace(/^https?:\/\//, '');

const statuses: Readonly<Record<LinkResource['status'], readonly [words: string, tone: PillTone]>> = {
  active: ['Active', 'good'],
  scheduled: ['Scheduled', 'wait'],
  expired: ['Expired', 'bad'],
  archived: ['Archived', 'plain'],
  disabled: ['Disabled', 'bad'],
};

export const statusPill = ({ status }: Pick<LinkResource, 'status'>): Html => pill(...statuses[status]);

/** The cards with a list of values, and the heading of the values. */
export const valueCards = {
  countries: ['Countries', 'Country'],
  cities: ['Cities', 'City'],
  referrers: ['Referrers', 'Site'],
  devices: ['Devices', 'Device'],
  browsers: ['Browsers', 'Browser'],
  platforms: ['Platforms', 'Platform'],
  utm: ['UTM', 'Value'],
  qr: ['QR code or link', 'Way'],
} as const satisfies Readonly<Record<Exclude<CardKey, 'overview' | 'timeseries'>, readonly [string, string]>>;
