// Topics of marketing mail, and the preferences of addresses for them.
import './events.ts';

export { topicsPlugin } from './plugin.ts';
export type { NewPreferences, SetPreferences } from './preferences.ts';
export type { TopicChoice, TopicRecord, TopicsService } from './service.ts';
export type { PreferenceSource } from './tables.ts';
export type { TopicSubscription } from './topic-subscription.ts';
