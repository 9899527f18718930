// The TypeScript compiler of our own checks and of most tests: version 7, which is several times faster than version 6.
// Version 6 stays installed as `typescript`, for code that uses its API, and for the test that users can use it, too.
import { join, resolve } from 'node:path';

/** The path of the program of version 7, to run with `node`. */
export const typeCompiler = join(resolve('.'), 'node_modules/typescript-7/bin/tsc');
