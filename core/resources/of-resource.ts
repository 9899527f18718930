// The parts that the list, the read and the deletion of rows take from a declared resource. Called by
// resource-list.ts and resource-operations.ts.

import type { OperationContext } from '../contract/context/context.ts';
import type { Version } from '../contract/http/conditional.ts';
import type { AuditName, Fields, Resource, ResourceRow } from './resource.ts';

type AnyResource = Resource<string, Fields>;
type Row = ResourceRow<Fields>;

/** The resource of an operation, and the parts in which the operation may differ from it. */
export interface OfResource<F extends Fields> {
  readonly resource: Resource<string, F>;
  /** (Default: the resource's scope for reads or for writes) */
  readonly scopes?: readonly string[];
}

/** A declaration that names its rows itself, or a resource that provides them. */
export type Declared<Spec> = Spec | { readonly resource: AnyResource; readonly http: string };

/** The declaration with the parts of its resource, or unchanged if it has no resource. */
export function withResource<Spec extends object>(
  declared: Declared<Spec>,
  partsOf: (resource: AnyResource, http: string) => object,
): Spec {
  if (!('resource' in declared)) return declared;
  const { resource, ...otherParts } = declared;
  return { ...partsOf(resource, otherParts.http), ...otherParts } as unknown as Spec;
}

const rowPartsOf = ({ rows, notFoundError, createExample }: AnyResource) => ({
  rows,
  notFoundError,
  exampleRow: createExample,
});

/** The action of an operation in the audit, and the kind of its target. */
export const auditOf = ({ name }: Pick<AnyResource, 'name'>, action: 'create' | 'update' | 'delete'): AuditName => ({
  action: `${name}.${action}`,
  kind: name.slice(name.lastIndexOf('.') + 1),
});

const verbs = { read: 'Read', create: 'Create', update: 'Change', delete: 'Delete' } as const;

/** The usual summary of an operation on one row: `Change a note`. */
export function summaryOf({ name }: Pick<AnyResource, 'name'>, verb: keyof typeof verbs): string {
  const noun = name.slice(name.lastIndexOf('.') + 1).replaceAll('_', ' ');
  return `${verbs[verb]} ${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** The parts for a list. The computed fields of a page are loaded in one look-up. */
export const listPartsOf = ({ rows, item, createExample, show, scopes }: AnyResource, http: string) => ({
  summary: `List ${http.slice(http.lastIndexOf('/') + 1).replaceAll('-', ' ')}`,
  scopes: [scopes.read],
  rows,
  item,
  exampleRow: createExample,
  async load(ctx: OperationContext, page: readonly Row[]) {
    const presented = await show(ctx, page);
    return new Map(page.map((row, index) => [row, presented[index]]));
  },
  present: (row: Row, _: OperationContext, presented: ReadonlyMap<Row, object>) => presented.get(row),
});

/** The parts for the deletion of one row. */
export const deletePartsOf = (resource: AnyResource) => ({
  summary: summaryOf(resource, 'delete'),
  ...rowPartsOf(resource),
  scopes: [resource.scopes.write],
  audit: auditOf(resource, 'delete'),
});

/** The parts for the read of one row. */
export const readPartsOf = (resource: AnyResource) => ({
  summary: summaryOf(resource, 'read'),
  ...rowPartsOf(resource),
  scopes: [resource.scopes.read],
  item: resource.item,
  present: async (row: Row, ctx: OperationContext) => (await resource.show(ctx, [row]))[0],
  ...tagOf(resource),
});

/** The ETag of answers, if the resource counts its changes. */
export const tagOf = ({ versionField }: Pick<AnyResource, 'versionField'>) =>
  versionField === undefined
    ? {}
    : { entityTag: (output: unknown) => (output as Readonly<Record<string, Version>>)[versionField] as Version };
