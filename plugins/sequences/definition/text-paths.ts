// The values that texts of a sequence may read: contact, event and the variables of the run. Publishing refuses a path
// that can never have a value, because in every run the text would fail or the value would be left out. Pure.
import { didYouMean } from '../../../core/unstable.ts';
import type { Definition } from './schema.ts';

/** The paths that a text reads, as lists of names. A computed name is `*`. @throws if the text cannot be parsed */
export type ReadPaths = (body: string) => readonly (readonly string[])[];

export const contactNames = ['id', 'external_id', 'email', 'subscribed', 'attributes'];
const eventNames = ['type', 'metadata', 'data'];
export const scopeRoots = ['contact', 'event', 'variables'];

const isKnown = (name: string | undefined, names: readonly string[]): boolean =>
  name === undefined || name === '*' || name === '[]' || names.includes(name);

/** The names of a run's variables; undefined if the run accepts any variable. */
function variableNames({ variables }: Definition['settings']): readonly string[] | undefined {
  const { properties, additionalProperties } = (variables ?? { additionalProperties: true }) as {
    properties?: Readonly<Record<string, unknown>>;
    additionalProperties?: unknown;
  };
  return additionalProperties === true ? undefined : Object.keys(properties ?? {});
}

/** The reason why a text cannot read the path; undefined if it can. */
export function pathFault(path: readonly string[], settings: Definition['settings']): string | undefined {
  const [root = '', name, ...rest] = path;
  const dottedName = [name, ...rest].join('.');
  if (root === 'contact') {
    if (isKnown(name, contactNames)) return undefined;
    return `contact has no ${name}. Did you mean contact.attributes.${dottedName}?`;
  }
  if (root === 'event') {
    if (isKnown(name, eventNames)) return undefined;
    return `event has no ${name}. Did you mean event.metadata.${dottedName}, of an event of your own, or event.data.${dottedName}, of one of the service?`;
  }
  if (root === 'variables') {
    const names = variableNames(settings);
    if (names === undefined || isKnown(name, names)) return undefined;
    return `settings.variables declares no ${name}.${didYouMean(name ?? '', names)}`;
  }
  if (root === '*' || root === '[]') return undefined;
  const dottedPath = path.join('.');
  const suggestion =
    didYouMean(root, scopeRoots) || ` Did you mean contact.attributes.${dottedPath}, or variables.${dottedPath}?`;
  return `there is no ${root}: texts read contact, event and variables.${suggestion}`;
}
