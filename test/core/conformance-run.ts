// Runs the program of the protocol's conformance suite against a URL. Called by mcp-conformance.test.ts and oauth-conformance.test.ts.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

const program = resolve(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

// The program imports fs.globSync for a command that is not used here, and Node 20 lacks this function.
const fs = `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];`;
const address = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;
const hook = address(
  `export const resolve = (specifier, context, next) => specifier === 'fs' && context.parentURL?.includes('conformance') ? { url: ${JSON.stringify(address(fs))}, shortCircuit: true } : next(specifier, context);`,
);
const preload = address(`import { register } from 'node:module'; register(${JSON.stringify(hook)});`);

/** Runs the program and returns its output. `onOutput` is called with all output so far. */
export function runSuite(args: readonly string[], onOutput?: (text: string) => void): Promise<string> {
  return new Promise((done, reject) => {
    const options = { maxBuffer: 64 * 1_048_576, timeout: 200_000 };
    const child = execFile(
      process.execPath,
      ['--import', preload, program, ...args],
      options,
      (error, stdout, stderr) => {
        // Exit code 1 means that a scenario failed. The caller knows which failures are expected.
        if (error !== null && error.code !== 1) reject(new Error(`${error.message}\n${stderr}`));
        else done(stdout);
      },
    );
    let text = '';
    child.stdout?.on('data', (part: string) => {
      text += part;
      onOutput?.(text);
    });
  });
}

/** The result of a scenario. */
export interface ConformanceResult {
  readonly passed: number;
  readonly failed: number;
}

/** The server scenarios of a protocol revision. */
export async function scenariosOf(revision: string): Promise<readonly string[]> {
  const scenarioList = await runSuite(['list', '--server']);
  return [...scenarioList.matchAll(/^ {2}- (\S+) \[([^\]]*)\]$/gm)]
    .filter(([, , revisions = '']) => revisions.split(',').includes(revision))
    .map(([, name = '']) => name);
}

/** Runs all server scenarios against a URL. */
export async function runScenarios(url: string, revision: string): Promise<ReadonlyMap<string, ConformanceResult>> {
  const output = await runSuite(['server', '--url', url, '--suite', 'all', '--spec-version', revision]);
  const summary = output.slice(output.indexOf('=== SUMMARY ==='));
  return new Map(
    [...summary.matchAll(/^\S (\S+): (\d+) passed, (\d+) failed$/gm)].map(([, name = '', passed, failed]) => [
      name,
      { passed: Number(passed), failed: Number(failed) },
    ]),
  );
}

/** The suite's explanation of the failure of a scenario */
export async function explainFailure(url: string, revision: string, scenario: string): Promise<string> {
  const output = await runSuite(['server', '--url', url, '--scenario', scenario, '--spec-version', revision]);
  return output.slice(output.indexOf('=== Failed Checks ===')).slice(0, 3_000);
}
