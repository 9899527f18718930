// What the command line needs before it knows its command: declarations and errors, without the service. Imported by hosts/cli
// in place of index.ts, so that `--help`, `--version` and `init` start at once. Imports nothing that loads more.
export { CommandError } from './contract/command.ts';
export { isPostriderError } from './contract/errors.ts';
export { missingPackageName } from './contract/missing-package.ts';
export { isStorageError } from './contract/ports/storage.ts';
export { didYouMean } from './contract/suggestion.ts';
export { readContextOf } from './pipeline/read-context.ts';
export { release } from './projections/release.ts';
export { compatibilityOf } from './storage/compatibility.ts';
