// Finds the program of a thread, and starts it. Used by plugins that work in their own threads.
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * The program `name` in the folder of the module with this address. It has the extension of the module: .ts in the
 * sources, .js in the package, .cjs next to a bundle of that kind.
 */
export function programBeside(moduleAddress: unknown, name: string): URL | undefined {
  // In a bundle, the address of the module is missing, or it is that of the bundle.
  if (typeof moduleAddress !== 'string' || !moduleAddress.startsWith('file:')) return undefined;
  const extension = /\.(?:ts|cjs)$/.exec(moduleAddress)?.[0] ?? '.js';
  return new URL(`./${name}${extension}`, moduleAddress);
}

/** Older versions of Node.js do not run TypeScript in threads, even if tsx runs it in the main thread. */
const fromSources = `const { loader, program } = require('node:worker_threads').workerData;
import(loader).then(({ register }) => {
  register();
  return import(program);
});`;

/** Starts the program; undefined if its file is missing. */
export function startThread(file: URL | string | undefined, options: WorkerOptions): Worker | undefined {
  const location = String(file ?? '');
  const path = location.startsWith('file:') ? fileURLToPath(location) : location;
  if (!existsSync(path)) return undefined;
  if (path.endsWith('.ts')) {
    const workerData = { loader: import.meta.resolve('tsx/esm/api'), program: pathToFileURL(path).href };
    return new Worker(fromSources, { ...options, eval: true, workerData });
  }
  // A thread inherits the options of the command line, and refuses to run a file with the option --input-type.
  const workerOptions = process.execArgv.some((option) => option.startsWith('--input-type')) ? { execArgv: [] } : {};
  return new Worker(pathToFileURL(path), { ...options, ...workerOptions });
}
