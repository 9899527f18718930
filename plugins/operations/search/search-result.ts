// The result of a search: the matching operations that the caller may call, with as many schemas as a model can read at once.
import type { CataloguedOperation, PrepareContext } from '../../../core/index.ts';

/** The maximum size of all schemas in a result, in characters of JSON. Later operations come without their schema. */
const schemaBudget = 6_000;

interface SearchSettings {
  readonly limit: number;
  readonly schemas: 'input' | 'full';
}

/** The scopes that the caller lacks; undefined if it cannot get them. */
function missingScopes(
  { actor, holds }: PrepareContext,
  { scopes }: CataloguedOperation,
): readonly string[] | undefined {
  if (scopes.length === 0 || scopes.some((scope) => holds(scope))) return [];
  return actor.canStepUp === true ? scopes : undefined;
}

function presentOperation(
  operation: CataloguedOperation,
  lackedScopes: readonly string[],
  schemas: SearchSettings['schemas'],
  budget: number,
) {
  const input = operation.inputSchema();
  const size = JSON.stringify(input).length;
  const hasSchema = schemas === 'full' || size <= budget;
  return {
    size: hasSchema ? size : 0,
    found: {
      id: operation.id,
      tool: operation.tool ?? null,
      method: operation.method,
      path: operation.path,
      summary: operation.summary,
      description: operation.description ?? null,
      note: operation.note ?? null,
      scopes: [...operation.scopes],
      missing_scopes: [...lackedScopes],
      input_schema: hasSchema ? { ...input } : null,
      output_schema: schemas === 'full' ? operation.outputSchema() : null,
    },
  };
}

/** The answer for these operations, the best first. Agents get tools only. */
export function searchResultOf(
  ctx: PrepareContext,
  operations: readonly CataloguedOperation[],
  { limit, schemas }: SearchSettings,
) {
  const data: ReturnType<typeof presentOperation>['found'][] = [];
  let remaining = Number.POSITIVE_INFINITY;
  for (const operation of operations) {
    if (data.length === limit) break;
    if (ctx.actor.kind === 'mcp' && operation.tool === undefined) continue;
    const missing = missingScopes(ctx, operation);
    if (missing === undefined) continue;
    const { size, found } = presentOperation(operation, missing, schemas, remaining);
    // The best result always contains its arguments.
    remaining = Math.max(0, (remaining === Number.POSITIVE_INFINITY ? schemaBudget : remaining) - size);
    data.push(found);
  }
  const isShortened = data.some((found) => found.input_schema === null);
  return {
    data,
    note: isShortened
      ? 'Some results have no input_schema, to keep the answer short: search for the exact name of one, with limit 1.'
      : null,
  };
}
