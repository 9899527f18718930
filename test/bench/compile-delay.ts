/*
 * How long compiling templates delays everything else: `npx tsx test/bench/compile-delay.ts`. Measures the delay of the event
 * loop while templates are compiled in the service's own thread (as before compile threads existed) and in a compile
 * thread, the first compilation of a process, and a whole publish. Runs the sources as plain JavaScript.
 */
import { spawnSync } from 'node:child_process';
import { compile } from './compile.ts';

const program = 'test/bench/compile-delay-process.ts';
const compiled = compile([program]);
try {
  const modes = ['in process', 'in a thread'];
  const table = modes.map((mode) => {
    const run = spawnSync(process.execPath, [compiled.pathOf(program), mode], { encoding: 'utf8' });
    if (run.status !== 0) throw new Error(run.stderr);
    return [mode, JSON.parse(run.stdout) as Record<string, number>] as const;
  });
  console.table(Object.fromEntries(table));
} finally {
  compiled.remove();
}
