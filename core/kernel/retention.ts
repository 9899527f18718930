// How long rows are kept: the declarations of the core and the composed plugins, and the program's settings, which override
// them. The registry checks the settings; container.ts resolves them.
import { type RetentionDeclaration, retentionMs } from '../contract/declaration/retention.ts';
import { didYouMean } from '../contract/errors/suggestion.ts';

/** The declarations of the core's own tables. */
export const coreRetention = {
  audit: { rows: 'Audit entries', since: 'the change', default: '90 days' },
  idempotency: {
    rows: 'Stored answers to requests with an Idempotency-Key',
    since: 'the first request',
    default: '24 hours',
  },
  jobs: { rows: 'Jobs that are done', since: 'the time they were due', default: '7 days', min: '1 hour' },
  failed_jobs: { rows: 'Jobs that have failed', since: 'the time they were due', default: '90 days', min: '1 hour' },
  requests: { rows: 'Requests with an API key', since: 'the request', default: '24 hours' },
  outbox: {
    rows: 'Events',
    since: 'the change they report',
    default: '31 days',
    // Deliveries to receivers are tried for 31 hours and 35 minutes.
    min: '2 days',
  },
} as const satisfies Readonly<Record<string, RetentionDeclaration>>;

type Declared = ReadonlyMap<string, RetentionDeclaration>;

const minMs = ({ min = '1 minute' }: RetentionDeclaration): number => retentionMs(min) ?? 0;

/** The faults of the option `retention`. */
export function retentionFaults(declared: Declared, value: unknown): string[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return ["The option retention must be an object of times by name, such as { audit: '365 days' }."];
  }
  return Object.entries(value).flatMap(([name, setting]) => {
    const declaration = declared.get(name);
    if (declaration === undefined) {
      const names = [...declared.keys()];
      return [`There is no retention.${name}.${didYouMean(name, names)} Available: ${names.join(', ')}.`];
    }
    if (setting === undefined) return [];
    const ms = retentionMs(setting);
    if (ms === undefined) {
      return [`retention.${name} must be a time such as '30 days', '12 hours' or '90 minutes', or 'forever'.`];
    }
    const { min = '1 minute' } = declaration;
    return ms < minMs(declaration) ? [`retention.${name} must be at least '${min}'.`] : [];
  });
}

/** Milliseconds by name. The settings were checked. */
export function resolveRetention(
  declared: Declared,
  values: Readonly<Record<string, unknown>> = {},
): ReadonlyMap<string, number> {
  return new Map(
    [...declared].map(([name, declaration]) => [name, retentionMs(values[name] ?? declaration.default) ?? 0]),
  );
}
