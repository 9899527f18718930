/** Removes the preferences of a deleted topic. */
export const removePreferencesKind = 'topics.remove_preferences';
