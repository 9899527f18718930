// Error messages for missing optional packages. Used by all code that loads such a package at its first use: plugins, adapters,
// the MCP endpoint, the command line. Imports nothing, because threads load it too.

const missingCodes: ReadonlySet<unknown> = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

/** The messages of runtimes and bundlers whose errors have no code. The first group is the package's name. */
const missingTexts: readonly RegExp[] = [
  // Node.js, Bun, webpack. Turbopack puts this text into a longer sentence.
  /\bCannot find (?:package|module) ["']([^"']+)["']/,
  // Vite, for an optional peer dependency.
  /^Could not resolve "([^"]+)" imported by "/,
  // Rollup, for a require that it did not replace.
  /^Could not dynamically require "([^"]+)"/,
  // sharp, whose native part is a separate package that bundles and copied folders often lack.
  /^Could not load the "(sharp)" module using the /,
];

interface Failure {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
}

/** The error and its causes. Bun's ResolveMessage is not an Error. */
function* causesOf(error: unknown): Generator<Failure> {
  for (let cause = error, depth = 0; typeof cause === 'object' && cause !== null && depth < 10; depth += 1) {
    yield cause;
    cause = (cause as Failure).cause;
  }
}

function packageNameIn({ message }: Failure): string | undefined {
  if (typeof message !== 'string') return undefined;
  for (const text of missingTexts) {
    const name = text.exec(message)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Whether the error of an import, or one of its causes, means that the package is missing. */
export function isMissingPackage(error: unknown): boolean {
  for (const cause of causesOf(error))
    if (missingCodes.has(cause.code) || packageNameIn(cause) !== undefined) return true;
  return false;
}

/** The name of the missing package, from the error or one of its causes; undefined if a file is missing instead of a package. */
export function missingPackageName(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    const name = packageNameIn(cause);
    // Ignore paths (also Windows paths) and file URLs.
    if (name !== undefined && !/^(?:[./\\]|[A-Za-z]:|file:)/.test(name)) return /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0];
  }
  return undefined;
}

/**
 * Loads the module of an optional package. `load` must contain a literal import, so that bundlers find the package.
 * @param missing makes the error that is thrown instead if the package is missing
 */
export async function loadOptional<T>(load: () => Promise<T>, missing: (cause: unknown) => Error): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw isMissingPackage(cause) ? missing(cause) : cause;
  }
}

/**
 * A sentence for the operator: `The package sharp, which scales pictures, is not installed on the server, …`.
 * @param purpose the text after the name: `which scales pictures`
 * @param packages all packages that the feature needs (Default: only the missing package)
 */
export const missingPackageMessage = (name: string, purpose: string, packages: readonly string[] = [name]): string =>
  `The package ${name}, ${purpose}, is not installed on the server, or was left out of its bundle: npm install ${packages.join(' ')}`;
