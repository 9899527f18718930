// Which of the composed operations a client sees: by the areas in its URL, by reads only, and by the scopes of its key.
// Shared by tools, resources and prompts, so that all three hide the same. Pure; made once for each endpoint.
import type { Operation } from '../contract/operation.ts';
import type { Registry } from '../pipeline/core.ts';
import type { EndpointOptions } from './url-options.ts';

/** The key's scopes; undefined for all of them. */
export type HeldScopes = ReadonlySet<string> | undefined;

/** The visibility of operations. */
export interface Visibility {
  /** The areas with at least one tool, resource or prompt: ids of plugins. */
  readonly areas: ReadonlySet<string>;
  /** Whether the URL's options include an operation. */
  isOffered(operation: Operation, options: EndpointOptions): boolean;
  /** Whether a key may call it. */
  isAllowed(operation: Operation, scopes: HeldScopes): boolean;
}

/** Makes the visibility from the registry. */
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
