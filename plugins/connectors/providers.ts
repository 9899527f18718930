// The providers that the program composed, and checks of the values that it passes for them.
import { coreErrors, type ErrorDetail, z } from '../../core/index.ts';
import { checkValue, didYouMean, faultSentence } from '../../core/unstable.ts';
import type { ConnectorKind, ConnectorProvider } from './port/index.ts';
import type { ProviderPublic } from './schema.ts';

/** The composed providers. */
export interface Providers {
  hasKind(kind: ConnectorKind): boolean;
  /** The providers of this kind, in the order in which they were composed. */
  ofKind<Kind extends ConnectorKind>(kind: Kind): readonly ConnectorProvider<Kind>[];
  find<Kind extends ConnectorKind>(kind: Kind, provider: string): ConnectorProvider<Kind> | undefined;
  /** @throws validation_failed with the names of the composed providers */
  findOrThrow(kind: ConnectorKind, provider: string): ConnectorProvider;
  /** The composed providers, as the API shows them. */
  readonly catalog: readonly ProviderPublic[];
}

const jsonSchemaOf = (schema: z.ZodType): ProviderPublic['options'] => {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return jsonSchema;
};

/** Throws one error with all faults. No message repeats a value. @throws validation_failed */
export function refuseFaults(faults: readonly ErrorDetail[]): never {
  throw coreErrors.validation_failed({ summary: faults.map(faultSentence).join(' ') }, { details: faults });
}

/** Checks one part of the program's input. @throws validation_failed */
export function checkPart<S extends z.ZodType>(schema: S, value: unknown, part: string): z.output<S> {
  const checked = checkValue(schema, value, part);
  if (checked.ok) return checked.data;
  return refuseFaults(
    checked.faults.map((fault) => ({
      ...fault,
      path: fault.path === '' ? part : `${part}.${fault.path}`,
    })),
  );
}

/** @throws TypeError for two providers with the same name, or for an invalid name */
export function createProviders(input: readonly ConnectorProvider[]): Providers {
  const nameOf = (kind: string, provider: string): string => `${kind} ${provider}`;
  const byName = new Map<string, ConnectorProvider>();
  for (const definition of input) {
    const { kind, provider } = definition;
    if (!/^[a-z0-9_-]{1,40}$/.test(provider))
      throw new TypeError(
        `connectorsPlugin: "${provider}" is not a valid name of a provider. Use 1 to 40 characters of a–z, 0–9, - and _.`,
      );
    if (byName.has(nameOf(kind, provider)))
      throw new TypeError(`connectorsPlugin: the ${kind} provider ${provider} is given twice.`);
    byName.set(nameOf(kind, provider), definition);
  }
  return {
    hasKind: (kind) => input.some((definition) => definition.kind === kind),
    ofKind: <Kind extends ConnectorKind>(kind: Kind) =>
      input.filter((definition) => definition.kind === kind) as unknown as readonly ConnectorProvider<Kind>[],
    find: <Kind extends ConnectorKind>(kind: Kind, provider: string) =>
      byName.get(nameOf(kind, provider)) as ConnectorProvider<Kind> | undefined,
    findOrThrow(kind, provider) {
      const definition = byName.get(nameOf(kind, provider));
      if (definition !== undefined) return definition;
      const names = input.filter((definition) => definition.kind === kind).map((definition) => definition.provider);
      const available =
        names.length === 0 ? 'None is composed: see connectorsPlugin.' : `Available: ${names.join(', ')}.`;
      const message = `There is no ${kind} provider of this name.${didYouMean(provider, names)} ${available}`;
      return refuseFaults([{ path: 'provider', code: 'unknown_provider', message }]);
    },
    catalog: input.map(({ kind, provider, name, credentials, options }) => ({
      kind,
      provider,
      name,
      credentials: jsonSchemaOf(credentials),
      options: jsonSchemaOf(options),
    })),
  };
}
