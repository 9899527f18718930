// Where the program of a compile thread lies, and how it is started there. Called by compile-thread.ts.
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { WorkerOptions } from 'node:worker_threads';
import { Worker } from 'node:worker_threads';

/** The thread's program. Beside this file it has the same extension: .ts in the sources, .js in the package. */
function programBesideThis(): URL | undefined {
  // A bundler leaves no address of this file, or that of the bundle.
  const here: unknown = import.meta.url;
  if (typeof here !== 'string' || !here.startsWith('file:')) return undefined;
  return new URL(`./compile-worker${here.endsWith('.ts') ? '.ts' : '.js'}`, here);
}

/** Older versions of Node.js run no TypeScript in threads, even where tsx runs it in the main one. */
const fromSources = `const { loader, program } = require('node:worker_threads').workerData;
import(loader).then(({ register }) => {
  register();
  return import(program);
});`;

/**
 * Starts the program; undefined where its file is missing.
 * @param file its place, where it is not beside this file
 */
export function startWorker(file: URL | string | undefined, options: WorkerOptions): Worker | undefined {
  const given = String(file ?? programBesideThis() ?? '');
  const path = given.startsWith('file:') ? fileURLToPath(given) : given;
  if (!existsSync(path)) return undefined;
  if (path.endsWith('.ts')) {
    const workerData = { loader: import.meta.resolve('tsx/esm/api'), program: pathToFileURL(path).href };
    return new Worker(fromSources, { ...options, eval: true, workerData });
  }
  // A thread inherits the options of the command line, and refuses to run a file with this one.
  const inherited = process.execArgv.some((option) => option.startsWith('--input-type')) ? { execArgv: [] } : {};
  return new Worker(pathToFileURL(path), { ...options, ...inherited });
}
