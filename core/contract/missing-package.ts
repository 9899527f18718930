// What is said where an optional package is not there. Used by everything that loads one at its first use: plugins, adapters, the
// tool endpoint, the command line. Imports nothing: threads load it, too.

const missingCodes: ReadonlySet<unknown> = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

/** What runtimes and bundlers write where they give no code. The first group is the package's name. */
const missingTexts: readonly RegExp[] = [
  // Node.js, Bun, webpack; Turbopack puts it into a sentence of its own.
  /\bCannot find (?:package|module) ["']([^"']+)["']/,
  // Vite, for an optional peer dependency.
  /^Could not resolve "([^"]+)" imported by "/,
  // Rollup, for a require that it left in.
  /^Could not dynamically require "([^"]+)"/,
  // sharp, whose native part is a package of its own, which bundles and copied folders lack.
  /^Could not load the "(sharp)" module using the /,
];

interface Failure {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
}

/** The error and its causes. Bun's ResolveMessage is no Error. */
function* causesOf(error: unknown): Generator<Failure> {
  for (let cause = error, depth = 0; typeof cause === 'object' && cause !== null && depth < 10; depth += 1) {
    yield cause;
    cause = (cause as Failure).cause;
  }
}

function namedIn({ message }: Failure): string | undefined {
  if (typeof message !== 'string') return undefined;
  for (const text of missingTexts) {
    const name = text.exec(message)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Whether the error of an import, or one of its causes, says that there is no such package. */
export function isMissingPackage(error: unknown): boolean {
  for (const cause of causesOf(error)) if (missingCodes.has(cause.code) || namedIn(cause) !== undefined) return true;
  return false;
}

/** The name of the package that the error, or one of its causes, says is missing; undefined where that is a file. */
export function missingPackageName(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    const name = namedIn(cause);
    // A path, on Windows too, or the URL of a file.
    if (name !== undefined && !/^(?:[./\\]|[A-Za-z]:|file:)/.test(name)) return /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0];
  }
  return undefined;
}

/**
 * The module of an optional package. `load` is the import, written out: bundlers find packages by it.
 * @param missing the error in place of that of the import where the package is missing
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
 * @param purpose after the name: `which scales pictures`
 * @param packages all that the feature needs (Default: the missing one alone)
 */
export const packageMissing = (name: string, purpose: string, packages: readonly string[] = [name]): string =>
  `The package ${name}, ${purpose}, is not installed on the server, or was left out of its bundle: npm install ${packages.join(' ')}`;
