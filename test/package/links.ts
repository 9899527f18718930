// Installs packages from a folder into which npm has installed them, with hard links, which take no space and little time. Used
// by tarball.ts.
import { existsSync } from 'node:fs';
import { link, mkdir, readdir, readFile, readlink, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

async function linkTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await linkTree(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else await link(source, target);
  }
}

/** The packages that npm installs with a package. */
function neededBy({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: Manifest): string[] {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** The folders of packages nested inside a package, at any depth. */
async function nestedIn(folder: string): Promise<string[]> {
  const modules = join(folder, 'node_modules');
  if (!existsSync(modules)) return [];
  const names = (await readdir(modules)).filter((name) => !name.startsWith('.'));
  const folders = await Promise.all(
    names.map(async (name) =>
      name.startsWith('@')
        ? (await readdir(join(modules, name))).map((inner) => join(modules, name, inner))
        : [join(modules, name)],
    ),
  );
  const ownFolders = folders.flat();
  return [...ownFolders, ...(await Promise.all(ownFolders.map(nestedIn))).flat()];
}

/** Installs the stock's package `name` into `project` as `as`, with all packages that it needs from the top of the stock. */
export async function linkPackage(stock: string, project: string, name: string, as = name): Promise<void> {
  const from = join(stock, 'node_modules', name);
  const to = join(project, 'node_modules', as);
  // The stock lacks optional packages of other systems.
  if (existsSync(to) || !existsSync(from)) return;
  await linkTree(from, to);
  const inside = await nestedIn(from);
  const manifests = await Promise.all(
    [from, ...inside].map(
      async (folder) => JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest,
    ),
  );
  const [ownManifest] = manifests;
  const bin = typeof ownManifest?.bin === 'string' ? { [basename(as)]: ownManifest.bin } : (ownManifest?.bin ?? {});
  for (const [program, path] of Object.entries(bin)) {
    const target = join(project, 'node_modules/.bin', program);
    await mkdir(dirname(target), { recursive: true });
    await symlink(relative(dirname(target), join(to, path)), target);
  }
  for (const neededNames of new Set(manifests.flatMap(neededBy))) await linkPackage(stock, project, neededNames);
}
