// The declarations and errors that the command line needs before it loads a command, without the service. Imported by
// hosts/cli in place of index.ts, so that `--help`, `--version` and `init` start at once. Its imports load nothing else.
export { CommandError } from './contract/declaration/command.ts';
export { isPostriderError } from './contract/errors/errors.ts';
export { missingPackageName } from './contract/errors/missing-package.ts';
export { didYouMean } from './contract/errors/suggestion.ts';
export { isStorageError } from './contract/ports/storage.ts';
export { readContextOf } from './pipeline/read-context.ts';
export { release } from './projections/release.ts';
export { compatibilityOf } from './storage/compatibility.ts';
