// What of the composed operations a client sees: the areas of its URL, reads only, and the scopes of its key.
// Shared by tools, resources and prompts, so that none shows what another hides. Pure; made once an endpoint.
import type { Operation } from '../contract/operation.ts';
import type { Registry } from '../pipeline/core.ts';
import type { EndpointOptions } from './url-options.ts';

/** Scopes held; undefined for all of them. */
export type HeldScopes = ReadonlySet<string> | undefined;

/** Who sees which operation. */
export interface Visibility {
  /** The areas that have something to offer: the ids of their plugins. */
  readonly areas: ReadonlySet<string>;
  /** Whether the URL's options leave an operation in. */
  isOffered(operation: Operation, options: EndpointOptions): boolean;
  /** Whether a key may call it. */
  isAllowed(operation: Operation, scopes: HeldScopes): boolean;
}

/** Reads the areas off the registry. */
export function createVisibility(registry: Registry): Visibility {
  const areaOf = new Map(
    registry.plugins.flatMap(({ id, operations }) => operations.map((operation) => [operation.id, id] as const)),
  );
  const offering = [
    ...[...registry.tools.values()].map(({ id }) => id),
    ...registry.resources.map(({ operation }) => operation),
  ];
  return {
    areas: new Set(offering.map((id) => areaOf.get(id) ?? id)),
    isOffered(operation, { readOnly, toolsets }) {
      if (readOnly && operation.idempotency !== 'read') return false;
      return toolsets === undefined || toolsets.includes(areaOf.get(operation.id) ?? '');
    },
    isAllowed: (operation, scopes) =>
      scopes === undefined || operation.anyKey || operation.scopes.some((scope) => scopes.has(scope)),
  };
}
