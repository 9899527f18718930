// The parts that a declared resource gives to the list, the read and the deletion of its rows. Called by
// resource-operations.ts alone.
import type { Version } from '../contract/conditional.ts';
import type { OperationContext } from '../contract/context.ts';
import type { AuditName, Fields, Resource, ResourceRow } from './resource.ts';

type Of = Resource<string, Fields>;
type Row = ResourceRow<Fields>;

/** The resource of an operation, and the parts in which the operation may differ from it. */
export interface OfResource<F extends Fields> {
  readonly of: Resource<string, F>;
  /** (Default: the resource's scope for reads or for writes) */
  readonly scopes?: readonly string[];
}

/** A declaration that names its rows itself, or a resource that provides them. */
export type Declared<Spec> = Spec | { readonly of: Of };

/** The declaration with the parts of its resource, or unchanged if it has no resource. */
export function withResource<Spec extends object>(declared: Declared<Spec>, partsOf: (of: Of) => object): Spec {
  if (!('of' in declared)) return declared;
  const { of, ...rest } = declared;
  return { ...partsOf(of), ...rest } as unknown as Spec;
}

const oneOf = ({ rows, missing, some }: Of) => ({ rows, missing, one: some });

/** The action of an operation in the audit, and the kind of its target. */
export const auditOf = ({ name }: Pick<Of, 'name'>, action: 'create' | 'update' | 'delete'): AuditName => ({
  action: `${name}.${action}`,
  kind: name.slice(name.lastIndexOf('.') + 1),
});

/** The parts for a list. The computed fields of a page are loaded in one look-up. */
export const listedOf = ({ rows, item, some, show, scopes }: Of) => ({
  scopes: [scopes.read],
  rows,
  item,
  one: some,
  async load(ctx: OperationContext, page: readonly Row[]) {
    const shown = await show(ctx, page);
    return new Map(page.map((row, index) => [row, shown[index]]));
  },
  present: (row: Row, _: OperationContext, shown: ReadonlyMap<Row, object>) => shown.get(row),
});

/** The parts for the deletion of one row. */
export const deletedOf = (of: Of) => ({ ...oneOf(of), scopes: [of.scopes.write], audit: auditOf(of, 'delete') });

/** The parts for the read of one row. */
export const readOf = (of: Of) => ({
  ...oneOf(of),
  scopes: [of.scopes.read],
  item: of.item,
  present: async (row: Row, ctx: OperationContext) => (await of.show(ctx, [row]))[0],
  ...tagOf(of),
});

/** The ETag of answers, if the resource counts its changes. */
export const tagOf = ({ versionField }: Pick<Of, 'versionField'>) =>
  versionField === undefined
    ? {}
    : { entityTag: (output: unknown) => (output as Readonly<Record<string, Version>>)[versionField] as Version };
