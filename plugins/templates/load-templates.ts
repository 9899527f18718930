// Template files from code, as `postrider templates push --publish` does it: for a new workspace of a customer, and for tests.
import type { Pushed, TemplateCalls } from './workshop/push-folder.ts';

/** What to load. */
export interface LoadTemplatesOptions {
  /** Only these templates; a layout that they use must be among them or published before. (Default: all of the folder) */
  readonly keys?: readonly string[];
}

const faultsOf = ({ key, faults, waitsFor }: Pushed): readonly string[] => {
  if (waitsFor === undefined) return faults ?? [];
  return [`${key}: an approval policy holds it (${waitsFor}). Load templates without a member.`];
};

/**
 * Stores the templates of a folder, layouts and languages included, and publishes those that changed, without the themes that they name:
 * a theme belongs to one workspace. Needs the packages that compile templates. Answers their keys.
 * @param calls those of a workspace: `service.as(workspaceId)`
 * @param folder seen from the folder in which the process runs
 * @throws Error that names each fault with its file and line
 */
export async function loadTemplates(
  calls: TemplateCalls,
  folder: string,
  { keys = [] }: LoadTemplatesOptions = {},
): Promise<readonly string[]> {
  const { pushFolder } = await import('./workshop/push-folder.ts');
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
