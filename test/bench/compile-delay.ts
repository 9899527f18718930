/*
 * The delay of all other work while templates are compiled: `npx tsx test/bench/compile-delay.ts`. Measures the delay of the event
 * loop while templates are compiled in the service's own thread (as before compile threads existed) and in a compile
 * thread, the first compilation of a process, and a whole publish. Runs the sources as plain JavaScript.
 */
import { spawnSync } from 'node:child_process';
import { compile } from './compile.ts';

const program = 'test/bench/compile-delay-process.ts';
const compiledFiles = compile([program]);
try {
  const modes = ['in process', 'in a thread'];
  const table = modes.map((mode) => {
    const result = spawnSync(process.execPath, [compiledFiles.pathOf(program), mode], { encoding: 'utf8' });
    if (result.status !== 0) throw new Error(result.stderr);
    return [mode, JSON.parse(result.stdout) as Record<string, number>] as const;
  });
  console.table(Object.fromEntries(table));
} finally {
  compiledFiles.remove();
}
