import {
  column,
  defineTable,
  type RowOf,
  type StoredRow,
  type TableDeclaration,
  type TenantRows,
  tenantRows,
} from '../../core/index.ts';
import type { QuietHours } from '../../core/unstable.ts';
import type { SmsClass } from './kit/kit.ts';
import type { SmsPublic, SmsTimelineDetails } from './schema.ts';

export type SmsStatus = SmsPublic['status'];

export const smsMessages = defineTable(
  'sms_messages',
  {
    id: column.id('sms'),
    sandbox: column.flag(),
    status: column.word<SmsStatus>(),
    template_key: column.key(),
    class: column.word<SmsClass>(),
    /** E.164. */
    to_number: column.address(),
    /** The number without its last three digits, for the limit against toll fraud. */
    number_range: column.address(),
    /** The text as the API shows it, without secrets. The sent text is in the contents. */
    body: column.text(),
    segments: column.integer(),
    provider: column.word<string>(),
    /** The sender, if known. Inbound messages name it. */
    sender: column.key().nullable(),
    provider_message_id: column.key().nullable(),
    consent_id: column.id('cns').nullable(),
    api_key_id: column.id('key').nullable(),
    why_not_sent: column.text().nullable(),
    /**
     * The time at which the hand-over began. For class authentication, it is stored before the hand-over, so that a crash does not lead to
     * a second one.
     */
    handed_over_at: column.time().nullable(),
    scheduled_at: column.time().nullable(),
    created_at: column.time(),
  },
  {
    sides: true,
    personal: {
      columns: { to_number: 'address', number_range: 'raw_address', body: 'text', why_not_sent: 'mentions' },
      // Erasing fails a message that has not gone out yet, and sets its status accordingly.
      rows: 'plugin',
    },
  },
);

/** The sealed text. Erased some days after the final state. */
export const smsContents = defineTable(
  'sms_contents',
  { sms_id: column.id('sms'), sealed: column.bytes(), finished_at: column.time().nullable() },
  { sides: true, key: 'sms_id' },
);

export const smsEvents = defineTable(
  'sms_events',
  {
    id: column.id('evt'),
    sms_id: column.id('sms'),
    type: column.word<string>(),
    ts: column.time(),
    details: column.json<SmsTimelineDetails>(),
  },
  // Provider texts may contain the number, in various spellings. The plugin finds them.
  { sides: true, personal: { columns: { details: 'mentions' }, rows: 'plugin' } },
);

/** The ledger of consents. Rows are added and never changed. A revocation is a row, too. */
export const smsConsents = defineTable(
  'sms_consents',
  {
    id: column.id('cns'),
    to_number: column.address(),
    /** Numbers the rows of a phone number from 1, so that their order is known even within one millisecond. */
    position: column.integer(),
    /** The place where the consent was given: a form, a call, a keyword. */
    source: column.text(200),
    /** The text that the person agreed to, verbatim. */
    wording: column.text(2_000),
    /** Null applies to every class. */
    class: column.word<SmsClass>().nullable(),
    granted_at: column.time().nullable(),
    revoked_at: column.time().nullable(),
    created_at: column.time(),
  },
  { sides: true, personal: { columns: { to_number: 'address' } } },
);

/** Numbers that do not get SMS. */
export const smsSuppressions = defineTable(
  'sms_suppressions',
  {
    /** E.164, or the pseudonym if the person was erased. */
    to_number: column.address(),
    reason: column.word<'stop' | 'provider'>(),
    sms_id: column.id('sms').nullable(),
    created_at: column.time(),
  },
  // The number is unique, and its pseudonym may already exist. The plugin handles that.
  { sides: true, key: 'to_number', personal: { columns: { to_number: 'address' }, rows: 'plugin' } },
);

/** The settings that the program configured for a workspace: one row. */
export const smsSettings = defineTable(
  'sms_settings',
  {
    id: column.id('sst'),
    sender: column.key().nullable(),
    countries: column.json<readonly string[]>().nullable(),
    quiet_hours: column.json<QuietHours | 'none'>().nullable(),
    link_domains: column.json<readonly string[]>(),
    /** The installed reserved keys; null for all. */
    templates: column.json<readonly string[]>().nullable(),
    help_text: column.text(480).nullable(),
    updated_at: column.time(),
  },
  { key: 'id' },
);

/** The workspace's own texts for reserved keys. */
export const smsWordings = defineTable(
  'sms_wordings',
  {
    template_key: column.key(),
    name: column.text(100),
    body: column.text(),
    /** JSON Schema; null to use the kit's schema. */
    variables: column.json<Readonly<Record<string, unknown>>>().nullable(),
    updated_at: column.time(),
  },
  { key: 'template_key' },
);

export interface SmsRow extends RowOf<typeof smsMessages> {}
export interface SmsContentRow extends RowOf<typeof smsContents> {}
export interface SmsEventRow extends RowOf<typeof smsEvents> {}
export interface ConsentRow extends RowOf<typeof smsConsents> {}
export interface SmsSuppressionRow extends RowOf<typeof smsSuppressions> {}
export interface SmsSettingsRow extends RowOf<typeof smsSettings> {}
export interface SmsWordingRow extends RowOf<typeof smsWordings> {}

declare module '../../core/contract/open.ts' {
  interface Tables {
    sms_messages: StoredRow<typeof smsMessages>;
    sms_contents: StoredRow<typeof smsContents>;
    sms_events: StoredRow<typeof smsEvents>;
    sms_consents: StoredRow<typeof smsConsents>;
    sms_suppressions: StoredRow<typeof smsSuppressions>;
    sms_settings: StoredRow<typeof smsSettings>;
    sms_wordings: StoredRow<typeof smsWordings>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  sms_messages: smsMessages,
  sms_contents: smsContents,
  sms_events: smsEvents,
  sms_consents: smsConsents,
  sms_suppressions: smsSuppressions,
  sms_settings: smsSettings,
  sms_wordings: smsWordings,
};

export const smsRows: TenantRows<SmsRow> = tenantRows(smsMessages);
export const contentRows: TenantRows<SmsContentRow> = tenantRows(smsContents, { time: 'finished_at' });
export const eventRows: TenantRows<SmsEventRow> = tenantRows(smsEvents, { time: 'ts' });
export const consentRows: TenantRows<ConsentRow> = tenantRows(smsConsents);
export const suppressionRows: TenantRows<SmsSuppressionRow> = tenantRows(smsSuppressions);
export const settingsRows: TenantRows<SmsSettingsRow> = tenantRows(smsSettings, { time: 'updated_at' });
export const wordingRows: TenantRows<SmsWordingRow> = tenantRows(smsWordings, { time: 'updated_at' });
