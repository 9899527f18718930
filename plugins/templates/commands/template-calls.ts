// The typed calls on a workspace's templates that the commands use.
import type { Api } from '../../../core/index.ts';

/** The template operations of `context.calls()`. */
export type TemplateCalls = Pick<Api['templates'], 'templates'>;

/** The keys of all templates that are not archived, in order. */
export async function listKeys({ templates }: TemplateCalls): Promise<string[]> {
  const keys: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await templates.list({ limit: 100, ...(cursor ? { cursor } : {}) });
    keys.push(...page.data.map(({ key }) => key));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return keys.sort();
}
