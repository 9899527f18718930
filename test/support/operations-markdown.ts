// docs/operations.md: every operation of the standard plugins, one table for each area. Called by reference-files.ts.
import type { OpenapiDocument } from '../../plugins/reference/document.ts';
import { codesOf, hintWords } from '../../plugins/reference/operation-section.ts';
import { listAreas, type OperationView, type ReferenceArea } from '../../plugins/reference/operations.ts';

const code = (text: string): string => `\`${text}\``;
const errorLink = (name: string): string => `[${code(name)}](errors.md#${name})`;

/** Codes that the operation itself returns, without the codes that every call can return */
const ownCodes = ({ spec }: OperationView): readonly string[] => spec['x-errors'] ?? [];

/** `alone` contains the ids of operations whose calls cannot join a transaction. */
function row(operation: OperationView, alone: ReadonlySet<string>): string {
  const { id, method, path, spec } = operation;
  const scopes = spec['x-scopes'] ?? [];
  const hints = spec['x-tool-hints'];
  const tool = spec['x-tool'];
  const cells = [
    `**${spec.summary}**<br>${code(id)}${alone.has(id) ? ', no `trx`' : ''}`,
    code(`${method} ${path}`),
    tool === undefined || hints === undefined ? '–' : `${code(tool)}<br>${hintWords(hints).join(', ')}`,
    scopes.length === 0 ? (spec.security?.length === 0 ? 'no key' : 'any key') : scopes.map(code).join(' or '),
    spec['x-idempotency'] ?? '–',
    ownCodes(operation).map(errorLink).join(', ') || '–',
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function areaTable({ title, operations }: ReferenceArea, alone: ReadonlySet<string>): string {
  return `## ${title}

| Operation | Route | Tool | Scope | Idempotency | Errors of its own |
|---|---|---|---|---|---|
${operations.map((operation) => row(operation, alone)).join('\n')}
`;
}

/** The codes that every operation can return. */
function commonCodes(document: OpenapiDocument, operations: readonly OperationView[]): string[] {
  const [first, ...otherOperations] = operations.filter(({ spec }) => spec['x-call'] !== undefined);
  if (first === undefined) return [];
  return codesOf(first, document).filter((name) =>
    otherOperations.every((operation) => codesOf(operation, document).includes(name)),
  );
}

/** The file's content. */
export function operationsMarkdown(document: OpenapiDocument, alone: ReadonlySet<string>): string {
  const areas = listAreas(document);
  const common = commonCodes(
    document,
    areas.flatMap(({ operations }) => operations),
  );
  return `<!-- Made by \`npm run docs\`. Do not edit. -->
# Operations

Every operation of the standard plugins: a REST route, a tool and a typed call. The page at \`/docs\` of a running service
shows them with fields and examples, together with those of your own plugins. In development it needs no key; in production, open it with
\`referencePlugin({ public: true })\` or \`referencePlugin({ authorize })\`. Look there for the names in an answer, which differ by area:
\`listId\`, \`runId\`, \`id\`.

- **no \`trx\`**: the typed call works outside a transaction first, and joins none of yours; every other call takes \`{ trx }\`; see
  [transactions](transactions.md#which-calls-join).
- **Scope**: a key needs one of the scopes named; see [keys and scopes](keys-and-scopes.md).
- **Idempotency**: *replay* answers a repeated Idempotency-Key with the first answer, *recorded* only writes it into the
  audit, *natural* is harmless to repeat, *read* changes nothing; see [idempotency](idempotency.md).
- **Errors of its own**: in addition, every operation can answer ${common.map(errorLink).join(', ')}. Operations that change
  something can also answer the errors about bodies and idempotency keys; see [errors](errors.md).

${areas.map((area) => areaTable(area, alone)).join('\n')}`;
}
