#!/usr/bin/env node
// The program `postrider`. Ends the process with the exit code, even if a config or an adapter left a handle open.
import module from 'node:module';
import { isNewEnough, minNode } from './node-version.ts';

/** Available in Node since 22.1. */
const { enableCompileCache } = module as { enableCompileCache?: () => unknown };

async function main(): Promise<number> {
  if (!isNewEnough(process.versions.node)) {
    process.stderr.write(`error Postrider needs Node ${minNode} or later; this is ${process.versions.node}.\n`);
    return 1;
  }
  enableCompileCache?.();
  const { runCommandLine } = await import('./run.ts');
  return runCommandLine(process.argv.slice(2));
}

main().then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
