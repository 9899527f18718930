// The result of a search: the matching operations that the caller may call, with as many schemas as a model can read at once.
import type { CataloguedOperation, PrepareContext } from '../../../core/index.ts';

/** Schemas are left out of later results beyond this many characters of JSON. */
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

function present(
  operation: CataloguedOperation,
  missing: readonly string[],
  schemas: SearchSettings['schemas'],
  left: number,
) {
  const input = operation.inputSchema();
  const size = JSON.stringify(input).length;
  const isShown = schemas === 'full' || size <= left;
  return {
    size: isShown ? size : 0,
    found: {
      id: operation.id,
      tool: operation.tool ?? null,
      method: operation.method,
      path: operation.path,
      summary: operation.summary,
      description: operation.description ?? null,
      note: operation.note ?? null,
      scopes: [...operation.scopes],
      missing_scopes: [...missing],
      input_schema: isShown ? { ...input } : null,
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
  const data: ReturnType<typeof present>['found'][] = [];
  let left = Number.POSITIVE_INFINITY;
  for (const operation of operations) {
    if (data.length === limit) break;
    if (ctx.actor.kind === 'mcp' && operation.tool === undefined) continue;
    const missing = missingScopes(ctx, operation);
    if (missing === undefined) continue;
    const { size, found } = present(operation, missing, schemas, left);
    // The best result always has its arguments.
    left = Math.max(0, (left === Number.POSITIVE_INFINITY ? schemaBudget : left) - size);
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
