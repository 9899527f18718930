// Runs Redocly, Spectral and the TypeScript compiler as child processes on files in a temporary folder, without the network.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** The exit code and the output of a tool */
export interface LinterResult {
  readonly code: number | null;
  readonly output: string;
}

/** The tools and their working folder */
export interface Workbench {
  /** Writes a file and returns its path. Content that is not a string is written as JSON. */
  write(name: string, content: unknown): string;
  redocly(path: string): LinterResult;
  /** Also counts warnings as faults. */
  spectral(path: string): LinterResult;
  /** Compiles files of the folder in strict mode. */
  compile(files: readonly string[]): LinterResult;
  remove(): void;
}

function runTool(tool: string, args: readonly string[], cwd: string): LinterResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', tool), ...args], {
    cwd,
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' },
  });
  return { code: status, output: `${stdout}\n${stderr}` };
}

/** Creates the folder. */
export function openWorkbench(): Workbench {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const write = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  write('package.json', { type: 'module' });
  return {
    write,
    redocly: (path) =>
      runTool(
        '@redocly/cli/bin/cli.js',
        ['lint', '--config', 'test/core/openapi/redocly.yaml', '--format', 'json', path],
        root,
      ),
    spectral: (path) =>
      runTool(
        '@stoplight/spectral-cli/dist/index.js',
        ['lint', '--ruleset', 'test/core/openapi/spectral.yaml', '--fail-severity', 'warn', path],
        root,
      ),
    compile(files) {
      const compilerOptions = {
        target: 'ES2023',
        module: 'NodeNext',
        moduleResolution: 'NodeNext',
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        types: [],
      };
      const project = write('tsconfig.json', { compilerOptions, files });
      return runTool('typescript-7/bin/tsc', ['-p', project], folder);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
