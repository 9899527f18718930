// The tables of creations and their items. Each creation belongs to one side of a workspace.
import {
  type Actor,
  column,
  defineTable,
  type RowOf,
  type StoredRow,
  type TableDeclaration,
  type TenantRows,
  tenantRows,
  timestamps,
} from '../../core/index.ts';

export type CreationStatus =
  | 'drafting_strategy'
  | 'awaiting_approval'
  | 'rejected'
  | 'building'
  | 'ready'
  | 'partially_ready'
  | 'failed'
  | 'live'
  | 'completed'
  | 'canceled';

export type ItemKind = 'social_post' | 'email_template' | 'planned_email' | 'page' | 'blog_post' | 'link' | 'sequence';
export type ItemStatus = 'planned' | 'building' | 'built' | 'failed' | 'skipped';

/** The texts of a strategy. Its items are rows of their own. */
export interface StrategyTexts {
  readonly summary: string;
  readonly messages: readonly string[];
  readonly channels: readonly { readonly channel: string; readonly purpose: string }[];
}

export const creations = defineTable(
  'creations',
  {
    id: column.id('cre'),
    sandbox: column.flag(),
    name: column.text(200),
    status: column.word<CreationStatus>(),
    brief: column.text(8_000),
    objective: column.text(2_000).nullable(),
    icp_id: column.id('icp').nullable(),
    channels: column.json<readonly string[]>(),
    starts_at: column.time().nullable(),
    ends_at: column.time().nullable(),
    strategy: column.json<StrategyTexts>().nullable(),
    utm_campaign: column.key(),
    revision: column.integer(),
    /** The comment of the last rejection, for the next draft of the strategy. */
    comment: column.text(2_000).nullable(),
    error: column.text().nullable(),
    charged: column.integer(),
    /** The caller who requested the creation. Approval requests are made on behalf of this caller. */
    spawned_by: column.json<Actor>(),
    /**
     * Whether short links may be created: whether the caller who requested the creation had `links:write`; after the approval, whether the caller
     * who approved it had. A caller with this scope who builds an item again also sets it.
     */
    may_link: column.flag(),
    /** The latest time at which the creation is completed; null before it is ready. */
    completes_at: column.time().nullable(),
    /** The time at which the creation was rejected or canceled. */
    ended_at: column.time().nullable(),
    ...timestamps,
  },
  {
    sides: true,
    // These are texts of the company, so an export does not contain them. An address in them is removed when the person is erased.
    personal: {
      columns: {
        name: 'mentions',
        brief: 'mentions',
        objective: 'mentions',
        comment: 'mentions',
        strategy: 'mentions',
      },
      searched: true,
      onChange: { timeColumn: 'updated_at' },
    },
  },
);

export const creationItems = defineTable(
  'creation_items',
  {
    id: column.id('itm'),
    sandbox: column.flag(),
    creation_id: column.id('cre'),
    position: column.integer(),
    kind: column.word<ItemKind>(),
    channel: column.key().nullable(),
    purpose: column.text(500),
    /** The destination of a link. */
    url: column.text(2_048).nullable(),
    at: column.time().nullable(),
    status: column.word<ItemStatus>(),
    target_kind: column.key().nullable(),
    target_id: column.key().nullable(),
    price: column.integer(),
    hold_id: column.id().nullable(),
    error: column.text().nullable(),
    /** The ids of items that must be built before this item. */
    depends_on: column.json<readonly string[]>(),
    ...timestamps,
  },
  {
    sides: true,
    personal: {
      columns: { purpose: 'mentions', url: 'mentions', error: 'mentions' },
      searched: true,
      onChange: { timeColumn: 'updated_at' },
    },
  },
);

export interface CreationRow extends RowOf<typeof creations> {}
export interface ItemRow extends RowOf<typeof creationItems> {}

declare module '../../core/contract/open.ts' {
  interface Tables {
    creations: StoredRow<typeof creations>;
    creation_items: StoredRow<typeof creationItems>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = { creations, creation_items: creationItems };
export const creationRows: TenantRows<CreationRow> = tenantRows(creations);
export const itemRows: TenantRows<ItemRow> = tenantRows(creationItems);
