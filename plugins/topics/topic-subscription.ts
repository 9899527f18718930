// Decides whether an address is subscribed to a topic: by its preference, otherwise by the topic's default. Pure.
import type { PreferenceRow, PreferenceSource, TopicRow } from './tables.ts';

/** Whether an address is subscribed to a topic, and why. */
export interface TopicSubscription {
  readonly subscribed: boolean;
  /** Who or what set the preference. Null: the topic's default counts. */
  readonly source: PreferenceSource | null;
  /** When the preference was set, in milliseconds. Null: the topic's default counts. */
  readonly at: number | null;
}

export const subscriptionOf = (
  { default_state: defaultState }: Pick<TopicRow, 'default_state'>,
  row: Pick<PreferenceRow, 'subscribed' | 'source' | 'at'> | undefined,
): TopicSubscription =>
  row === undefined
    ? { subscribed: defaultState === 'subscribed', source: null, at: null }
    : { subscribed: row.subscribed, source: row.source, at: row.at };
