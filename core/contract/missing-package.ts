// What is said where an optional package is not there. Used by everything that loads one at its first use: plugins, adapters, the
// tool endpoint.

/** Whether the error of an import says that there is no such package. A bundler may have made a require of the import. */
export function isMissingPackage(cause: unknown): boolean {
  const code = (cause as { readonly code?: unknown } | null)?.code;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}

/**
 * A sentence for the operator: `The package sharp, which scales pictures, is not installed on the server, …`.
 * @param purpose after the name: `which scales pictures`
 * @param packages all that the feature needs (Default: the missing one alone)
 */
export const packageMissing = (name: string, purpose: string, packages: readonly string[] = [name]): string =>
  `The package ${name}, ${purpose}, is not installed on the server, or was left out of its bundle: npm install ${packages.join(' ')}`;
