// Which of the composed operations a client sees: filtered by the areas in its URL, by reads only, and by the scopes of its
// key. Shared by tools, resources and prompts, so that all three hide the same operations. Pure; made once for each endpoint.
import type { Operation } from '../contract/operation.ts';
import type { ToolOrder } from '../contract/resource.ts';
import type { Registry } from '../pipeline/core.ts';
import { mayCall } from '../pipeline/scopes.ts';
import type { EndpointOptions } from './url-options.ts';

/** The key's scopes; undefined for all scopes. */
export type HeldScopes = ReadonlySet<string> | undefined;

/** The visibility of operations. */
export interface Visibility {
  /** The areas with at least one tool, resource or prompt: ids of plugins. */
  readonly areas: ReadonlySet<string>;
  /** Whether the URL's options include an operation. */
  isOffered(operation: Operation, options: EndpointOptions): boolean;
  /** Whether a key may call the operation. */
  isAllowed(operation: Operation, scopes: HeldScopes): boolean;
}

/** Makes the visibility from the registry. */
export function createVisibility(registry: Registry): Visibility {
  const areaOf = new Map(
    registry.plugins.flatMap(({ id, operations }) => operations.map((operation) => [operation.id, id] as const)),
  );
  const operationsOf = (orders: readonly ToolOrder[]): Set<string> =>
    new Set(orders.flatMap(({ tools }) => tools.flatMap((name) => registry.tools.get(name)?.id ?? [])));
  /** Tools of other areas that the work of an area needs, such as create_brand for the first page. */
  const borrowed = new Map(registry.plugins.map(({ id, toolOrders }) => [id, operationsOf(toolOrders)]));
  const everywhere = operationsOf(
    registry.plugins.flatMap(({ toolOrders }) => toolOrders.filter(({ everyToolset }) => everyToolset)),
  );
  const offering = [
    ...[...registry.tools.values()].map(({ id }) => id),
    ...registry.resources.map(({ operation }) => operation),
  ];
  return {
    areas: new Set(offering.map((id) => areaOf.get(id) ?? id)),
    isOffered(operation, { readOnly, toolsets }) {
      if (readOnly && operation.idempotency !== 'read') return false;
      if (toolsets === undefined || toolsets.includes(areaOf.get(operation.id) ?? '')) return true;
      return everywhere.has(operation.id) || toolsets.some((area) => borrowed.get(area)?.has(operation.id));
    },
    isAllowed: (operation, scopes) => scopes === undefined || mayCall(operation, scopes),
  };
}
