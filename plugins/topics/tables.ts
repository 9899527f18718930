import {
  column,
  defineTable,
  type RowOf,
  type StoredRow,
  type TableDeclaration,
  type TenantRows,
  tenantRows,
} from '../../core/index.ts';

/** The state of an address without a preference. */
export type TopicDefault = 'subscribed' | 'unsubscribed';

/** Who or what set a preference. `page` and `one_click`: the person, by a link in a mail. */
export type PreferenceSource = 'page' | 'one_click' | 'api' | 'form' | 'import';

/** The topics of a workspace. Both sides share them. */
export const topics = defineTable(
  'topics',
  {
    key: column.key(),
    name: column.text(),
    description: column.text(),
    default_state: column.word<TopicDefault>(),
    visibility: column.word<'public' | 'private'>(),
    position: column.integer(),
    version: column.integer(),
    created_at: column.time(),
    updated_at: column.time(),
  },
  { key: 'key' },
);

/** The preferences of addresses, one row for each address and topic. Each row belongs to one side of the workspace. */
export const topicPreferences = defineTable(
  'topic_preferences',
  {
    /** The normalised address, or its pseudonym if the person was erased. */
    email: column.address(),
    topic_key: column.key(),
    subscribed: column.flag(),
    source: column.word<PreferenceSource>(),
    consent_note: column.text(500).nullable(),
    at: column.time(),
  },
  {
    sides: true,
    // An address has several preferences.
    key: 'email',
    // The opt-outs of a person stay, under a pseudonym that may already have a row.
    personal: { columns: { email: 'address', consent_note: 'text' }, rows: 'plugin' },
  },
);

export interface TopicRow extends RowOf<typeof topics> {}
export interface PreferenceRow extends RowOf<typeof topicPreferences> {}

export const topicRows: TenantRows<TopicRow> = tenantRows(topics);
export const preferenceRows: TenantRows<PreferenceRow> = tenantRows(topicPreferences, { time: 'at' });

declare module '../../core/contract/open.ts' {
  interface Tables {
    topics: StoredRow<typeof topics>;
    topic_preferences: StoredRow<typeof topicPreferences>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = { topics, topic_preferences: topicPreferences };
