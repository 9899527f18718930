// Makes the workspace, the sandbox key and the template, or finds those of the last start again.
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { isPostriderError } from 'postrider';
import { receipt } from './receipt.ts';
import type { QuickstartService } from './service.ts';

/** What is kept between two starts. The key opens a sandbox on this machine only; the database has its hash alone. */
interface Remembered {
  readonly workspaceId: string;
  readonly key: string;
}

/** What the quickstart works with. */
export interface Furniture extends Remembered {
  readonly workspaceName: string;
  /** The template's key, variables for a command line, and variables that fill everything. */
  readonly template: string;
  readonly shortExample: Record<string, unknown>;
  readonly fullExample: Record<string, unknown>;
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function recall(file: string): Promise<Partial<Remembered>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Partial<Remembered>;
  } catch (error) {
    if (isMissing(error)) return {};
    throw new Error(`${file} cannot be read. Delete it to start afresh.`, { cause: error });
  }
}

async function remember(file: string, remembered: Remembered): Promise<void> {
  await writeFile(file, `${JSON.stringify(remembered, null, 2)}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
}

/** The workspace of the last start, unless the database was deleted in between. */
async function findWorkspace(service: QuickstartService, id: string | undefined) {
  if (id === undefined) return undefined;
  try {
    return await service.workspaces.read(id);
  } catch (error) {
    if (isPostriderError(error, 'workspace_not_found')) return undefined;
    throw error;
  }
}

async function works(service: QuickstartService, key: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${key}` };
  const { status } = await service.dispatch({ method: 'GET', url: '/v1/workspace', headers, body: undefined });
  if (status !== 200 && status !== 401) throw new Error(`The key of the last start was answered ${status}.`);
  return status === 200;
}

/** A template that is there stays as it is: you may have edited it. */
async function publishTemplate(service: QuickstartService, workspaceId: string) {
  const { templates } = service.as(workspaceId, { actor: 'quickstart' });
  const { key } = receipt;
  try {
    await templates.create(receipt);
  } catch (error) {
    if (!isPostriderError(error, 'key_taken')) throw error;
  }
  const found = await templates.read({ key });
  return found.version > 0 ? found : templates.publish({ key });
}

/** Brings a migrated service into the state that the quickstart shows. */
export async function furnish(service: QuickstartService, file: string): Promise<Furniture> {
  const last = await recall(file);
  const workspace =
    (await findWorkspace(service, last.workspaceId)) ??
    (await service.workspaces.create({
      name: 'Northwind Supply',
      defaultFrom: { email: 'receipts@northwind.example', name: 'Northwind Supply' },
    }));
  const kept = last.key !== undefined && (await works(service, last.key)) ? last.key : undefined;
  const issue = () =>
    service.keys.create({ workspaceId: workspace.id, name: 'Quickstart', mode: 'test', preset: 'full' });
  const key = kept ?? (await issue()).secret;
  await remember(file, { workspaceId: workspace.id, key });
  const template = await publishTemplate(service, workspace.id);
  const [shortExample = {}, fullExample = shortExample] = (template.variables['examples'] ?? []) as Record<
    string,
    unknown
  >[];
  return {
    workspaceId: workspace.id,
    workspaceName: workspace.name,
    key,
    template: template.key,
    shortExample,
    fullExample,
  };
}
