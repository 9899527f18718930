// The imports that the architecture allows to each file: our own files (areas.ts), packages, and modules of Node.
// Called by the guard of layers. Reads only imports. Examples and tests are not restricted.
import { allowedImports, areaOf, isIndexAbove, mayImport, type SourceArea, vendorOf } from './areas.ts';
import { importGraph } from './cycles.ts';
import { type Import, importsOf, resolveImport, type SelfNames } from './imports.ts';
import type { Fault, SourceText } from './sources.ts';

/** The packages in package.json that matter to users. */
export interface PackageDependencies {
  /** Always installed. */
  dependencies: ReadonlySet<string>;
  /** Installed by users who need them: optional and peer dependencies. */
  optional: ReadonlySet<string>;
}

/** A package that only certain places may import. */
interface PackageRule {
  packages: RegExp;
  allowed: (path: string, used: Import) => boolean;
  rule: string;
}

const restrictedPackages: readonly PackageRule[] = [
  {
    packages: /^awilix$/,
    allowed: (path) => path.startsWith('core/kernel/'),
    rule: 'awilix is imported in core/kernel only',
  },
  {
    packages: /^@modelcontextprotocol\//,
    allowed: (path) => path.startsWith('core/mcp/') || path.startsWith('hosts/testing/'),
    rule: 'the MCP SDK is imported in core/mcp only',
  },
  {
    packages: /^kysely$/,
    allowed: (path, { typeOnly }) =>
      typeOnly ||
      /^(core\/storage\/|hosts\/testing\/|adapters\/storage\/|plugins\/[^/]+\/(store\.ts$|store\/))/.test(path),
    rule: "values of kysely are imported in core/storage, adapters/storage and a plugin's store.ts only (write import type)",
  },
  {
    packages: /^(linkify-it|tldts)$/,
    allowed: (path) => path === 'core/contract/values/text-links.ts',
    rule: 'links in texts are found by core/contract/values/text-links.ts only',
  },
  {
    packages: /^isbot$/,
    allowed: (path) => path === 'core/contract/http/visitor-programs.ts',
    rule: 'programs and people are distinguished by core/contract/http/visitor-programs.ts only',
  },
  {
    packages: /^node-cron$/,
    allowed: (path) => path.startsWith('core/jobs/'),
    rule: 'node-cron is imported in core/jobs only',
  },
  {
    packages: /^express$/,
    allowed: (path) => path.startsWith('hosts/express/'),
    rule: 'express is imported in hosts/express only',
  },
  {
    packages: /^fastify$/,
    allowed: (path) => path.startsWith('hosts/fastify/'),
    rule: 'fastify is imported in hosts/fastify only',
  },
];

const contractPackages = ['zod', 'kysely', 'isbot', 'linkify-it', 'tldts'];
const readsAndWrites =
  /^(fs|fs\/promises|net|tls|http|https|http2|dgram|dns|dns\/promises|child_process|worker_threads|cluster)$/;

/** Every breach of layering in `files`. */
export function layerFaults(
  files: readonly SourceText[],
  manifest: PackageDependencies,
  selfNames: SelfNames,
): Fault[] {
  const vendors = vendorPackages(files, manifest, selfNames);
  const faults = files.flatMap((file) => {
    const area = areaOf(file.path);
    if (area.name === 'outside') return [];
    if (area.name === 'unknown') {
      const rule = 'This folder is not in the architecture: move the file, or name the folder in test/guards/areas.ts.';
      return [{ path: file.path, rule }];
    }
    return importsOf(file).flatMap((used) => {
      const brokenRules = ownFileRules(file.path, area, used, selfNames);
      const rules = brokenRules ?? packageRules(file.path, area, used, manifest, vendors, selfNames);
      return rules.map((rule) => ({ path: file.path, line: used.line, rule: `imports ${used.specifier}: ${rule}.` }));
    });
  });
  return [...faults, ...dependencyFaults(files, selfNames)];
}

/** The rules that an import of our own file breaks, or undefined for other imports. */
function ownFileRules(path: string, area: SourceArea, used: Import, selfNames: SelfNames): string[] | undefined {
  const target = resolveImport(path, used.specifier, selfNames);
  if (target.kind !== 'ours') return undefined;
  if (area.name === 'outside' || area.name === 'unknown') return [];
  if (target.bySelfName) return ['our own code imports its files by relative paths, so that a build loads each once'];
  const rules: string[] = [];
  if (!mayImport(area, target.path, used.typeOnly)) rules.push(allowedImports[area.name]);
  else if (isIndexAbove(path, target.path) && area.name !== 'testing') {
    rules.push('a file never imports an index above itself');
  }
  return rules;
}

function packageRules(
  path: string,
  area: SourceArea,
  used: Import,
  { dependencies, optional }: PackageDependencies,
  vendors: ReadonlyMap<string, readonly string[]>,
  selfNames: SelfNames,
): string[] {
  const target = resolveImport(path, used.specifier, selfNames);
  if (target.kind === 'ours') return [];
  // These imports are bundled at build time: an installed postrider never loads the packages.
  if (area.name === 'browser' || area.name === 'page-browser') return [];
  const { kind, name } = target;
  if (kind === 'builtin') {
    const pure = area.name === 'contract' || area.owner === 'projections';
    return pure && !used.typeOnly && readsAndWrites.test(name) ? ['the contract and the projections do no I/O'] : [];
  }
  if (!dependencies.has(name) && !optional.has(name)) {
    return [`${name} is missing from the dependencies and peerDependencies of package.json`];
  }
  const packageRule = restrictedPackages.find(({ packages }) => packages.test(name));
  if (packageRule !== undefined) {
    if (!packageRule.allowed(path, used)) return [packageRule.rule];
  } else if (optional.has(name) && area.name !== 'testing') {
    const brokenRule = vendorRule(path, area, used, vendors.get(name));
    if (brokenRule !== undefined) return [brokenRule];
  }
  if (area.name === 'contract' && !contractPackages.includes(name))
    return ['the contract imports no package but zod, and those named in layers.ts'];
  return [];
}

/** A vendor's package may be imported statically in its adapter's file, and only at first use anywhere else. */
function vendorRule(
  path: string,
  area: SourceArea,
  used: Import,
  owners: readonly string[] | undefined,
): string | undefined {
  if (
    owners !== undefined &&
    !(area.name === 'adapter' && owners.some((owner) => vendorOf(owner) === vendorOf(path)))
  ) {
    return `the package belongs to ${owners.join(', ')} and is imported nowhere else`;
  }
  if (area.name === 'adapter' || area.name === 'host' || used.typeOnly || used.dynamic) return undefined;
  return 'a package that a user may leave out is loaded with await import() when it is first used';
}

/** Optional package → the adapters that import it statically. */
function vendorPackages(files: readonly SourceText[], { optional }: PackageDependencies, selfNames: SelfNames) {
  const owners = new Map<string, string[]>();
  for (const file of files) {
    if (areaOf(file.path).name !== 'adapter') continue;
    for (const used of importsOf(file)) {
      const target = resolveImport(file.path, used.specifier, selfNames);
      if (target.kind !== 'package' || !optional.has(target.name) || used.typeOnly || used.dynamic) continue;
      owners.set(target.name, [...(owners.get(target.name) ?? []), file.path]);
    }
  }
  return owners;
}

/** Published as postrider/webhooks: these files load only Node's own modules. */
const dependencyFree = ['plugins/webhook-receiver.ts', 'core/webhooks/verify.ts'];

function dependencyFaults(files: readonly SourceText[], selfNames: SelfNames): Fault[] {
  const graph = importGraph(files, selfNames);
  const loadedPaths = new Set(dependencyFree.filter((path) => graph.has(path)));
  for (const path of loadedPaths) for (const target of graph.get(path) ?? []) loadedPaths.add(target);
  return files
    .filter(({ path }) => loadedPaths.has(path))
    .flatMap((file) =>
      importsOf(file)
        .filter(
          ({ specifier, typeOnly }) => !typeOnly && resolveImport(file.path, specifier, selfNames).kind === 'package',
        )
        .map(({ specifier, line }) => ({
          path: file.path,
          line,
          rule: `imports ${specifier}: postrider/webhooks and all that it loads need no package.`,
        })),
    );
}
