// Loads template files from code, as `postrider templates push --publish` does: for a new workspace of a customer, and
// for tests.
import type { Pushed, TemplateCalls } from './push-folder.ts';

/** Options of loadTemplates. */
export interface LoadTemplatesOptions {
  /**
   * Loads only these templates. A layout that they use must be among them or already published. (Default: all of the
   * folder)
   */
  readonly keys?: readonly string[];
}

const faultsOf = ({ key, faults, approvalRequestId }: Pushed): readonly string[] => {
  if (approvalRequestId === undefined) return faults ?? [];
  return [
    `${key}: an approval policy holds it (${approvalRequestId}). Call loadTemplates with calls that name no member: service.as(workspaceId).`,
  ];
};

/**
 * Stores the templates of a folder, including layouts and languages, and publishes the changed ones. Themes that the
 * files name are ignored, because a theme belongs to one workspace. Needs the packages that compile templates. Returns
 * the keys of the templates.
 * @param calls the calls of a workspace: `service.as(workspaceId)`
 * @param folder relative to the working directory of the process
 * @throws Error that names each fault with its file and line
 */
export async function loadTemplates(
  calls: TemplateCalls,
  folder: string,
  { keys = [] }: LoadTemplatesOptions = {},
): Promise<readonly string[]> {
  const { pushFolder } = await import('./push-folder.ts');
  const pushed = await pushFolder(calls, folder, keys, {
    publish: true,
    allowBreaking: true,
    dryRun: false,
    withoutThemes: true,
  });
  const faults = pushed.flatMap(faultsOf);
  if (faults.length > 0) throw new Error(`Templates of ${folder} could not be loaded:\n${faults.join('\n')}`);
  return pushed.map(({ key }) => key);
}
