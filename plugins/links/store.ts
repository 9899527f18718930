// SQL of links that the resource kit does not cover: the look-up of a visitor's link, and the frequency of UTM values.
import {
  contains,
  containsAnyCase,
  defineStatement,
  type RowConditions,
  type WorkspaceHandle,
} from '../../core/index.ts';
import { type Utm, type UtmField, utmFields } from './schema.ts';
import { utmRows } from './tables.ts';

/** The link of a domain and slug, in any workspace. For an unscoped handle. */
export const linkBySlug = defineStatement((db, p: { domain: string; slug: string; slug_owner: string }) =>
  db
    .selectFrom('links')
    .selectAll()
    .where('domain', '=', p.domain)
    .where('slug', '=', p.slug)
    .where('slug_owner', '=', p.slug_owner),
);

/** The workspace that owns a short domain. For an unscoped handle. */
export const ownerOfDomain = defineStatement((db, p: { domain: string }) =>
  db.selectFrom('link_domains').select('workspace_id').where('domain', '=', p.domain),
);

/** Counts the values that are new to a link. Values that links no longer use stay suggestions. */
export async function countUtm(trx: WorkspaceHandle, utm: Utm, before: Utm, now: number): Promise<void> {
  for (const field of utmFields) {
    const value = utm[field];
    if (value === undefined || value === '' || value === before[field]) continue;
    utmRows.deferAdd(trx, { name: `${field}:${value}`, field, value, uses: 1, created_at: now }, ['name'], ['uses']);
  }
}

/** A UTM value and the number of links that have used it. */
export interface UtmUse {
  readonly field: UtmField;
  readonly value: string;
  readonly uses: number;
}

/** The most frequent values of a field. */
export async function topUtm(handle: WorkspaceHandle, field: UtmField, limit: number): Promise<UtmUse[]> {
  const rows = await handle.db
    .selectFrom('link_utm_values')
    .select(['value', 'uses'])
    .where('field', '=', field)
    .orderBy('uses', 'desc')
    .orderBy('value', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ value, uses }) => ({ field, value, uses: Number(uses) }));
}

/** The filters of a list of links apart from equal values. */
export interface LinkFilters {
  readonly includeArchived: boolean;
  readonly search?: string | undefined;
  readonly tag?: string | undefined;
}

/** The conditions of these filters. */
export const linkConditions =
  ({ includeArchived, search, tag }: LinkFilters): RowConditions =>
  (columns) => {
    const searchedColumns = ['slug', 'label', 'destination_url'] as const;
    return [
      ...(includeArchived ? [] : [columns('archived_at', 'is', null)]),
      ...(search === undefined
        ? []
        : [columns.or(searchedColumns.map((column) => containsAnyCase(columns.ref(column), search)))]),
      ...(tag === undefined ? [] : [contains(columns.ref('tags'), JSON.stringify(tag))]),
    ];
  };
