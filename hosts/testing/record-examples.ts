// Records the examples of operations. Each operation is called on a separate service, and its request and response are stored
// with ids that are the same in every recording. For scripts that write a plugin's examples.gen.ts.
import type { OperationExample, OperationExamples } from '../../core/contract/declaration/example.ts';
import type { Operation } from '../../core/contract/declaration/operation.ts';
import { callExample, type ExampleSource, operationsOf, type StagedExample, stageExample } from './stage-example.ts';

const isFilled = (part: object | undefined): boolean => part !== undefined && Object.keys(part).length > 0;

/** A text of more than `maxText` characters is cut to `shortenedText` characters and an ellipsis. */
const [maxText, shortenedText] = [300, 160];

/** The value with shortened texts, because a whole rendered mail would hide the other parts of the example. */
export function shorten<T>(value: T): T {
  const walk = (inner: unknown): unknown => {
    if (typeof inner === 'string') return inner.length > maxText ? `${inner.slice(0, shortenedText)}…` : inner;
    if (Array.isArray(inner)) return inner.map(walk);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, member]) => [name, walk(member)]));
  };
  return walk(value) as T;
}

/** The cost that a dry run's headers report. */
function costOf({ previewResponse: rehearsal }: StagedExample): Pick<OperationExample, 'credits'> {
  const credits = Number(rehearsal.headers['Dry-Run-Credits'] ?? 0);
  return credits === 0 ? {} : { credits };
}

/** Records one operation. @throws if the call is refused */
export async function recordExample(source: ExampleSource, operation: Operation): Promise<OperationExample> {
  const staged = await stageExample(source, operation);
  const { test, request, ids } = staged;
  try {
    const headers = { 'idempotency-key': source.idempotencyKey };
    const { status, body: answer } = await callExample(test, operation, request, headers);
    if (status !== operation.status)
      throw new Error(`The example of ${operation.id} is answered ${status}: ${JSON.stringify(answer)}`);
    const { params, query, body } = request;
    return ids.replace({
      ...(isFilled(params) ? { params } : {}),
      ...(isFilled(query) ? { query } : {}),
      ...(body === undefined ? {} : { body }),
      answer: shorten(answer),
      ...costOf(staged),
    } as OperationExample);
  } finally {
    await test.close();
  }
}

/** Records every composed operation for which `isWanted` returns true, in alphabetical order of their ids. */
export async function recordExamples(
  source: ExampleSource,
  isWanted: (operation: Operation) => boolean = () => true,
): Promise<OperationExamples> {
  const operations = (await operationsOf(source)).filter(isWanted).sort((a, b) => (a.id < b.id ? -1 : 1));
  const recorded: [string, OperationExample][] = [];
  for (const operation of operations) recorded.push([operation.id, await recordExample(source, operation)]);
  return Object.fromEntries(recorded);
}
