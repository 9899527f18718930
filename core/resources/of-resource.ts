// The parts that a declared resource gives to the list, the read and the deletion of its rows. Called by
// resource-list.ts and resource-operations.ts.

import type { OperationContext } from '../contract/context/context.ts';
import type { Version } from '../contract/http/conditional.ts';
import type { AuditName, Fields, Resource, ResourceRow } from './resource.ts';

type Of = Resource<string, Fields>;
type Row = ResourceRow<Fields>;

/** The resource of an operation, and the parts in which the operation may differ from it. */
export interface OfResource<F extends Fields> {
  readonly resource: Resource<string, F>;
  /** (Default: the resource's scope for reads or for writes) */
  readonly scopes?: readonly string[];
}

/** A declaration that names its rows itself, or a resource that provides them. */
export type Declared<Spec> = Spec | { readonly resource: Of; readonly http: string };

/** The declaration with the parts of its resource, or unchanged if it has no resource. */
export function withResource<Spec extends object>(
  declared: Declared<Spec>,
  partsOf: (of: Of, http: string) => object,
): Spec {
  if (!('resource' in declared)) return declared;
  const { resource, ...rest } = declared;
  return { ...partsOf(resource, rest.http), ...rest } as unknown as Spec;
}

const oneOf = ({ rows, notFoundError, createExample }: Of) => ({ rows, notFoundError, exampleRow: createExample });

/** The action of an operation in the audit, and the kind of its target. */
export const auditOf = ({ name }: Pick<Of, 'name'>, action: 'create' | 'update' | 'delete'): AuditName => ({
  action: `${name}.${action}`,
  kind: name.slice(name.lastIndexOf('.') + 1),
});

const verbs = { read: 'Read', create: 'Create', update: 'Change', delete: 'Delete' } as const;

/** The usual summary of an operation on one row: `Change a note`. */
export function summaryOf({ name }: Pick<Of, 'name'>, verb: keyof typeof verbs): string {
  const noun = name.slice(name.lastIndexOf('.') + 1).replaceAll('_', ' ');
  return `${verbs[verb]} ${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** The parts for a list. The computed fields of a page are loaded in one look-up. */
export const listedOf = ({ rows, item, createExample, show, scopes }: Of, http: string) => ({
  summary: `List ${http.slice(http.lastIndexOf('/') + 1).replaceAll('-', ' ')}`,
  scopes: [scopes.read],
  rows,
  item,
  exampleRow: createExample,
  async load(ctx: OperationContext, page: readonly Row[]) {
    const shown = await show(ctx, page);
    return new Map(page.map((row, index) => [row, shown[index]]));
  },
  present: (row: Row, _: OperationContext, shown: ReadonlyMap<Row, object>) => shown.get(row),
});

/** The parts for the deletion of one row. */
export const deletedOf = (of: Of) => ({
  summary: summaryOf(of, 'delete'),
  ...oneOf(of),
  scopes: [of.scopes.write],
  audit: auditOf(of, 'delete'),
});

/** The parts for the read of one row. */
export const readOf = (of: Of) => ({
  summary: summaryOf(of, 'read'),
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
