// Makes a process, and those that it starts, import the better-sqlite3 in the folder POSTRIDER_TEST_DRIVER. For
// runtimes.test.ts, by NODE_OPTIONS; plain JavaScript, because Node loads it before anything else.
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';

const folder = pathToFileURL(`${process.env.POSTRIDER_TEST_DRIVER}/`).href;
const paths = {
  'better-sqlite3': { url: `${folder}lib/index.js`, format: 'commonjs', shortCircuit: true },
  'better-sqlite3/package.json': { url: `${folder}package.json`, shortCircuit: true },
};
const hook = `const places = ${JSON.stringify(paths)};
export const resolve = async (specifier, context, next) => places[specifier] ?? next(specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
