// `ctx.ports.operations`: the composed operations as data. Made by container.ts; the schemas are those of the tools.

import type { CataloguedOperation, OperationsPort } from '../contract/context/operation-catalogue.ts';
import type { Operation } from '../contract/declaration/operation.ts';
import type { Plugin } from '../contract/declaration/plugin.ts';
import type { Registry } from '../pipeline/core.ts';
import { flatInput } from '../projections/flat.ts';
import { jsonSchemaOf } from '../projections/json-schema.ts';
import { plainSchema } from '../projections/plain-schema.ts';

/** The plugin's words for a term belong to each of its operations whose name or summary contains the term. */
function searchWordsOf({ searchWords }: Plugin, operation: Operation): readonly string[] {
  const operationText = `${operation.id} ${operation.tool?.name ?? ''} ${operation.summary}`.toLowerCase();
  const ofPlugin = Object.entries(searchWords).flatMap(([term, words]) => (operationText.includes(term) ? words : []));
  return [...operation.searchWords, ...ofPlugin];
}

const toCatalogued = (plugin: Plugin, operation: Operation): CataloguedOperation => ({
  id: operation.id,
  plugin: plugin.id,
  summary: operation.summary,
  description: operation.description,
  method: operation.method,
  path: operation.path,
  tool: operation.tool?.name,
  isEveryday: operation.tool?.inCoreToolset === true,
  note: operation.tool?.note,
  scopes: operation.anyKey ? [] : operation.scopes,
  liveOnly: operation.liveOnly,
  searchWords: searchWordsOf(plugin, operation),
  inputSchema: () => plainSchema(flatInput(operation).defined),
  outputSchema: () => plainSchema(jsonSchemaOf(operation.output, 'output')),
});

/** Makes the catalogue; its list is made once. */
export function createOperationCatalogue({ plugins }: Pick<Registry, 'plugins'>): OperationsPort {
  let catalogue: readonly CataloguedOperation[] | undefined;
  return {
    list() {
      catalogue ??= plugins.flatMap((plugin) => plugin.operations.map((operation) => toCatalogued(plugin, operation)));
      return catalogue;
    },
  };
}
