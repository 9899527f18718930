// The ports of the composed plugins and the program's adapters for them. The registry checks the options here;
// container.ts makes the pools.
import type { CorePorts } from '../contract/context/context.ts';
import type { AdapterChoice, PortDeclaration } from '../contract/declaration/port.ts';
import { didYouMean } from '../contract/errors/suggestion.ts';
import { optionNames } from './options.ts';
import { adapterFault, createPortPool, type PortPool } from './port-pool.ts';

/** A declared port and its plugin. */
export interface OwnedPort {
  readonly plugin: string;
  readonly declaration: PortDeclaration;
}

type OwnedPorts = ReadonlyMap<string, OwnedPort>;

/** The options of a program, unchecked. */
type ProgramOptions = Readonly<Record<string, unknown>>;

const corePorts = {
  ids: true,
  randomness: true,
  keyring: true,
  members: true,
  access: true,
  scopes: true,
  outgoing: true,
  events: true,
  customEvents: true,
  subscribers: true,
  contributions: true,
  personalData: true,
  timeline: true,
  telemetry: true,
  heldCalls: true,
  operations: true,
  consoleEntries: true,
  jobs: true,
  now: true,
  phase: true,
  service: true,
} satisfies Record<keyof CorePorts, true>;

const suiteOf = ({ suite }: PortDeclaration): string => (suite === undefined ? '' : ` Its shared tests: ${suite}.`);

/** Reports ports whose names the core uses. */
export function portNameFaults(ports: OwnedPorts): string[] {
  return [...ports].flatMap(([name, { plugin }]) =>
    Object.hasOwn(optionNames, name) || Object.hasOwn(corePorts, name)
      ? [`The port ${name} of ${plugin} has a name that the core uses. Give it another name.`]
      : [],
  );
}

/** The faults in the program's options for ports, and a fault for each unknown option. */
export function optionFaults(ports: OwnedPorts, options: ProgramOptions): string[] {
  const faults = [...ports].flatMap(([name, { plugin, declaration }]) => {
    const value = options[name];
    if (value === undefined) {
      if (declaration.default !== undefined) return [];
      return [`${plugin} needs the option ${name} of createService. ${declaration.description}${suiteOf(declaration)}`];
    }
    const fault = typeof value === 'function' ? undefined : adapterFault(value, declaration);
    return fault === undefined ? [] : [`The option ${name} of createService ${fault}.${suiteOf(declaration)}`];
  });
  for (const name of Object.keys(options)) {
    if (options[name] === undefined || Object.hasOwn(optionNames, name) || ports.has(name)) continue;
    const suggestion = didYouMean(name, [...Object.keys(optionNames), ...ports.keys()]);
    faults.push(
      `createService has no option ${name}, and no composed plugin declares a port of that name.${suggestion}`,
    );
  }
  return faults;
}

/** A pool for each port. The options were checked. */
export function createPortPools(ports: OwnedPorts, options: ProgramOptions): ReadonlyMap<string, PortPool> {
  return new Map(
    [...ports].map(([name, { declaration }]) => {
      const choice = (options[name] ?? declaration.default?.()) as AdapterChoice;
      return [name, createPortPool(name, declaration, choice)];
    }),
  );
}
