// Checks the URL and the event names of a subscription. Runs before the transaction, because resolving a host name is I/O.
import {
  coreErrors,
  type ErrorDetail,
  type EventDeclaration,
  isOutgoingError,
  type PrepareContext,
  patternFault,
  type Workspace,
} from '../../core/index.ts';
import { planOfTier } from '../../core/unstable.ts';
import { errors } from './errors.ts';

type Catalogue = ReadonlyMap<string, EventDeclaration>;

/** The declared events that match a pattern. */
export function matchingEvents(catalogue: Catalogue, pattern: string): EventDeclaration[] {
  const declarations = [...catalogue.values()];
  if (pattern === '*') return declarations;
  if (!pattern.endsWith('.*')) return declarations.filter(({ type }) => type === pattern);
  return declarations.filter(({ type }) => type.startsWith(pattern.slice(0, -1)));
}

/** @throws validation_failed with the available event names; plan_required for events of a higher plan */
export function checkEvents(
  catalogue: Catalogue,
  workspace: Workspace,
  namedPatterns: readonly { readonly pattern: string; readonly path: string }[],
): void {
  const details: ErrorDetail[] = namedPatterns.flatMap(({ pattern, path }) => {
    const message = patternFault(catalogue, pattern);
    return message === undefined ? [] : [{ path, code: 'unknown_event', message }];
  });
  const [first] = details;
  if (first !== undefined) throw coreErrors.validation_failed({ summary: first.message }, { details });
  for (const { pattern } of namedPatterns) {
    if (pattern === '*') continue;
    const tiers = matchingEvents(catalogue, pattern).map(({ minimumTier = 0 }) => minimumTier);
    const requiredTier = Math.min(...tiers);
    if (tiers.length > 0 && requiredTier > workspace.plan.tier)
      throw coreErrors.plan_required({ plan: planOfTier(requiredTier), what: `A webhook for ${pattern}` });
  }
}

/** @throws webhook_url_refused with the message of the guard */
export async function checkUrl({ ports }: PrepareContext, url: string): Promise<void> {
  try {
    await ports.outgoing.check(url);
  } catch (error) {
    if (!isOutgoingError(error)) throw error;
    const details = [{ path: 'url', code: error.fault, message: error.message }];
    throw errors.webhook_url_refused({ reason: error.message }, { details, cause: error });
  }
}

/** The patterns of a body with their paths. */
export const namedEvents = (events: readonly string[]): { pattern: string; path: string }[] =>
  events.map((pattern, index) => ({ pattern, path: `events.${index}` }));
