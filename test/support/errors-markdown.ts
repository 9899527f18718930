// docs/errors.md: every error code with its remedy and the operations that return it. Called by reference-files.ts.
import type { OpenapiDocument } from '../../plugins/reference/document.ts';
import { solutionOf } from '../../plugins/reference/error-solution.ts';
import { codesOf } from '../../plugins/reference/operation-section.ts';
import { listOperations } from '../../plugins/reference/operations.ts';
import { statusText } from '../../plugins/reference/statuses.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** If this number of operations or more return a code, they are counted, not named. */
const maxExamples = 6;

/** The file's content. */
export function errorsMarkdown(document: OpenapiDocument): string {
  const operations = listOperations(document);
  const users = new Map<string, string[]>();
  for (const operation of operations)
    for (const code of codesOf(operation, document)) users.set(code, [...(users.get(code) ?? []), operation.id]);
  const codes = Object.entries(document['x-errors']);
  const statuses = [...new Set(codes.map(([, { status }]) => status))].sort((a, b) => a - b);
  const answeredBy = (code: string): string => {
    const ids = users.get(code) ?? [];
    if (ids.length === 0) return 'not by an operation';
    return ids.length > maxExamples ? `${ids.length} operations` : ids.map((id) => `\`${id}\``).join(', ');
  };
  const tables = statuses.map((status) => {
    const rows = codes
      .filter(([, info]) => info.status === status)
      .map(([code, info]) => {
        const { meaning, solution: wayOut } = solutionOf(info);
        return `| <a id="${code}"></a>\`${code}\` | ${cell(meaning)} | ${cell(wayOut)} | ${answeredBy(code)} |`;
      });
    return `## ${status} ${statusText(status)}

| Code | Meaning | What to do | Returned by |
|---|---|---|---|
${rows.join('\n')}
`;
  });
  return `<!-- Made by \`npm run docs\`. Do not edit. -->
# Errors

Every refusal has the same form, over REST, over MCP and as a thrown \`PostriderError\`:
\`{ "error": { type, code, message, request_id, retry_after_seconds?, details? } }\`. Let your program decide by \`code\`: the wording of
\`message\` may change. [Operations](operations.md) lists the codes that each operation adds.

${tables.join('\n')}`;
}
