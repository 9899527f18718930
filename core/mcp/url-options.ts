// The options in the endpoint's URL, which select the tools that a client sees and the form of their definitions. Each
// query text is parsed once. Unknown names are refused: otherwise a mistyped option would be ignored silently.
import { RpcFault, rpcCodes } from './json-rpc.ts';

/** The options in the endpoint's URL. */
export interface EndpointOptions {
  /** `?templates=compact`: schemas do not have one branch for each template. */
  readonly compact: boolean;
  /** `?schemas=full`: lists have complete definitions, with the schemas of answers. */
  readonly wholeSchemas: boolean;
  /** `?readonly=1`: only tools that change nothing. */
  readonly readOnly: boolean;
  /**
   * `?toolsets=email,templates`: only tools of these areas, and tools in the workflows of these areas. `core`: only the
   * tools that most work needs. Sorted; undefined for all areas.
   */
  readonly toolsets: readonly string[] | undefined;
}

/** The toolset of the few tools that most work needs, and of the tools that find and call all other tools. */
export const coreToolset = 'core';

const trueValues = new Set(['1', 'true', '']);
const falseValues = new Set(['0', 'false']);
const maxCached = 200;

const refuse = (message: string): RpcFault => new RpcFault(rpcCodes.invalidParams, message);
const quote = (text: string): string => JSON.stringify(text.slice(0, 100));

function readFlag(name: string, value: string): boolean {
  if (trueValues.has(value)) return true;
  if (falseValues.has(value)) return false;
  throw refuse(`The option ${name} of the endpoint's URL must be 1 or 0, not ${quote(value)}.`);
}

function readToolsets(value: string, areas: ReadonlySet<string>): readonly string[] | undefined {
  const names = [...new Set(value.split(',').map((name) => name.trim()))].filter((name) => name !== '').sort();
  const unknown = names.filter((name) => !areas.has(name));
  if (unknown.length > 0) {
    throw refuse(
      `There is no toolset ${unknown.map(quote).join(', ')}. Available toolsets: ${[...areas].sort().join(', ')}.`,
    );
  }
  return names.length === 0 ? undefined : names;
}

function readQuery(query: string, areas: ReadonlySet<string>): EndpointOptions {
  let options: EndpointOptions = { compact: false, wholeSchemas: false, readOnly: false, toolsets: undefined };
  const parameters = new URLSearchParams(query);
  for (const [name, value] of parameters) {
    if (parameters.getAll(name).length > 1)
      throw refuse(
        `The endpoint's URL names ${quote(name)} more than once. Give it once; several toolsets take commas: toolsets=first,second.`,
      );
    if (name === 'readonly') options = { ...options, readOnly: readFlag(name, value) };
    else if (name === 'toolsets') options = { ...options, toolsets: readToolsets(value, areas) };
    else if (name === 'templates' && (value === 'compact' || value === 'full')) {
      options = { ...options, compact: value === 'compact' };
    } else if (name === 'schemas' && (value === 'input' || value === 'full')) {
      options = { ...options, wholeSchemas: value === 'full' };
    } else if (name === 'templates') {
      throw refuse(`The option templates of the endpoint's URL must be compact or full, not ${quote(value)}.`);
    } else if (name === 'schemas') {
      throw refuse(`The option schemas of the endpoint's URL must be input or full, not ${quote(value)}.`);
    } else {
      throw refuse(`The endpoint's URL takes toolsets, readonly, schemas and templates, not ${quote(name)}.`);
    }
  }
  return options;
}

/** Parses the options of a request's URL; `areas` are the existing toolsets. @throws RpcFault */
export function createOptionsReader(areas: ReadonlySet<string>): (url: string) => EndpointOptions {
  const cache = new Map<string, EndpointOptions>();
  return (url) => {
    const queryStart = url.indexOf('?');
    const query = queryStart === -1 ? '' : url.slice(queryStart + 1);
    const cached = cache.get(query);
    if (cached !== undefined) return cached;
    const options = readQuery(query, areas);
    if (cache.size >= maxCached) cache.clear();
    cache.set(query, options);
    return options;
  };
}
