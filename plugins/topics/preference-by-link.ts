// Recognises the preferences that a person set by a link in a mail. Pure.
import type { PreferenceRow, PreferenceSource } from './tables.ts';

/** Whether preferences with this source were set by the person, with a link in a mail. */
export const isPreferenceByLink = (source: PreferenceSource | undefined): boolean =>
  source === 'page' || source === 'one_click';

/** Whether the person opted out, by a link in a mail. */
export const isOptOutByLink = ({ subscribed, source }: Pick<PreferenceRow, 'subscribed' | 'source'>): boolean =>
  !subscribed && isPreferenceByLink(source);
