// The Grafana dashboard of the documentation, checked against Grafana's schema: the types that Grafana publishes from it.
// full-run: slow
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { root } from '../support/bundle.ts';
import { typeCompiler } from '../support/type-compiler.ts';

const test = suite('the Grafana dashboard');

/** All panels are time series of Prometheus metrics. In JSON, enum values are plain strings. */
const typedSource = (dashboard: string): string => `
import type { Dashboard, FieldConfig, FieldConfigSource, Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import type { Dataquery } from '@grafana/grafana-foundation-sdk/prometheus';
import type { FieldConfig as GraphConfig, Options } from '@grafana/grafana-foundation-sdk/timeseries';
type Plain<T> = 0 extends 1 & T ? T : T extends string ? \`\${T}\` : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
type Fields = Omit<FieldConfigSource, 'defaults'> & { defaults: Omit<FieldConfig, 'custom'> & { custom?: Partial<GraphConfig> } };
type Graph = Omit<Panel, 'type' | 'targets' | 'options' | 'fieldConfig'> & {
  type: 'timeseries';
  targets: Omit<Dataquery, '_implementsDataqueryVariant'>[];
  options: Options;
  fieldConfig: Fields;
};
export const dashboard: Plain<Omit<Dashboard, 'panels'> & { panels: Graph[] }> = ${dashboard};
`;

/** The schema's errors for a dashboard; empty if it is valid. */
function faultsOf(dashboard: string): string {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'grafana-'));
  try {
    const file = join(folder, 'dashboard.ts');
    writeFileSync(file, typedSource(dashboard));
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'];
    const { stdout } = spawnSync(process.execPath, [typeCompiler, ...options, file], { cwd: folder, encoding: 'utf8' });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const dashboard = readFileSync(join(root, 'docs/grafana-dashboard.json'), 'utf8');

test('the dashboard is valid', () => {
  assert.is(faultsOf(dashboard), '');
});

test('a field that Grafana does not have and an unknown value are detected', () => {
  const unknownField = dashboard.replace('"legendFormat"', '"legend_format"');
  const unknownValue = dashboard.replace('"displayMode": "list"', '"displayMode": "lines"');
  assert.match(faultsOf(unknownField), 'legend_format');
  assert.match(faultsOf(unknownValue), '"lines"');
});

test.run();
