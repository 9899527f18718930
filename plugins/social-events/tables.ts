// The tables of runs, their variables, and the deduplication keys of events. Rows belong to the side of the API key that
// triggered the event.
import {
  column,
  defineTable,
  type RowOf,
  type StoredRow,
  type TableDeclaration,
  type TenantRows,
  tenantRows,
} from '../../core/index.ts';
import type { RunCaption } from './schema.ts';

export type SocialEventMode = 'preview' | 'draft' | 'publish';

export const socialEventRuns = defineTable(
  'social_event_runs',
  {
    id: column.id('sev'),
    sandbox: column.flag(),
    event_key: column.key(),
    outcome: column.word<SocialEventMode>(),
    /** The captions as they were when the event was triggered. */
    captions: column.json<readonly RunCaption[]>(),
    /** Null for previews. */
    post_id: column.id('soc').nullable(),
    dedupe_key: column.text(200).nullable(),
    created_at: column.time(),
  },
  { sides: true },
);

/** The variables of runs, which are kept for a shorter time than the runs. */
export const socialEventVariables = defineTable(
  'social_event_variables',
  {
    run_id: column.id('sev'),
    variables: column.json<Readonly<Record<string, unknown>>>(),
    created_at: column.time(),
  },
  { sides: true, key: 'run_id' },
);

export const socialEventKeys = defineTable(
  'social_event_keys',
  {
    /** SHA-256 of the dedupeKey, in hexadecimal. */
    key_hash: column.key(),
    run_id: column.id('sev'),
    expires_at: column.time(),
  },
  { sides: true, key: 'key_hash' },
);

export interface SocialEventRunRow extends RowOf<typeof socialEventRuns> {}

declare module '../../core/contract/open.ts' {
  interface Tables {
    social_event_runs: StoredRow<typeof socialEventRuns>;
    social_event_variables: StoredRow<typeof socialEventVariables>;
    social_event_keys: StoredRow<typeof socialEventKeys>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  social_event_runs: socialEventRuns,
  social_event_variables: socialEventVariables,
  social_event_keys: socialEventKeys,
};

export const runRows: TenantRows<SocialEventRunRow> = tenantRows(socialEventRuns);
export const variableRows: TenantRows<RowOf<typeof socialEventVariables>> = tenantRows(socialEventVariables);
export const keyRows: TenantRows<RowOf<typeof socialEventKeys>> = tenantRows(socialEventKeys, { time: 'expires_at' });
