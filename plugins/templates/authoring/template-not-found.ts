// The error for a key that no template has, with the most similar key. Called wherever a template is looked up.
import { defineStatement, type WorkspaceHandle } from '../../../core/index.ts';
import { didYouMean } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';

/** The keys that are compared with the given key, at most 200. */
const someKeys = defineStatement((db) =>
  db.selectFrom('templates').select('key').where('status', '!=', 'archived').orderBy('key').limit(200),
);

/**
 * Returns template_not_found, to be thrown.
 * @param advice a sentence with a leading space (Default: none)
 */
export async function templateNotFound(handle: WorkspaceHandle, key: string, advice = ''): Promise<Error> {
  const rows = await handle.all(someKeys, {});
  return errors.template_not_found({
    key,
    hint:
      didYouMean(
        key,
        rows.map((row) => row.key),
      ) + advice,
  });
}
