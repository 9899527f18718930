// The typed calls on a workspace's templates that the commands use.
import type { TemplateCalls } from '../folder/push-folder.ts';

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
