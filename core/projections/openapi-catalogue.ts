// The declarations of the whole service as x- fields at the root of the OpenAPI document: scopes with their implied
// scopes, presets, error codes. Called by openapi.ts; the reference page and other generators read it.
import type { Registry } from '../pipeline/core.ts';
import type { JsonSchema } from './schema-parts.ts';

const presets = ['read', 'send', 'author', 'full'] as const;

/** The x- fields in alphabetical order, independent of the order of plugins. */
export function catalogueOf({ scopes, errors }: Registry): JsonSchema {
  const declared = [...scopes.declarations].sort((a, b) => (a.scope < b.scope ? -1 : 1));
  const impliedScopes = (scope: string) => [...scopes.expand([scope])].filter((other) => other !== scope).sort();
  const codes = [...errors.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
  return {
    'x-scopes': Object.fromEntries(
      declared.map(({ scope, description }) => [scope, { description, implies: impliedScopes(scope) }]),
    ),
    'x-presets': Object.fromEntries(presets.map((name) => [name, scopes.preset(name).sort()])),
    'x-errors': Object.fromEntries(
      codes.map(({ code, status, type, description }) => [code, { status, type, description }]),
    ),
  };
}
