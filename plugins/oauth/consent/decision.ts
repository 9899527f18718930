// Reads the form of the consent page and converts it to a decision. A member cannot grant a scope, a side or a
// workspace that the member lacks. A form with such a value did not come from our page, so it is refused as a whole.
import type { Leash, PublicRouteContext } from '../../../core/index.ts';
import type { ConsentApproval, ConsentRequest } from '../authorize/consent-request.ts';
import type { ConsentValues } from './consent-html.ts';
import { type LeashFaults, leashFields, readLeash } from './leash.ts';
import { harmlessScopes, scopeChoices } from './scope-choices.ts';
import type { ChoosableWorkspace, SignedInVisitor } from './visitor.ts';

/** The result of reading the form. */
export type ReadDecision =
  | { readonly kind: 'deny' }
  | { readonly kind: 'approve'; readonly approval: ConsentApproval }
  /** The page is shown again, with the faults beside their fields. */
  | { readonly kind: 'faulty'; readonly values: ConsentValues; readonly faults: LeashFaults }
  /** The form asks for something that the member does not have. */
  | { readonly kind: 'refused'; readonly message: string };

/** The names of all tools, from the OpenAPI document. */
function toolNames(ctx: Pick<PublicRouteContext, 'openapi'>): ReadonlySet<string> {
  const paths = Object.values((ctx.openapi()['paths'] ?? {}) as Readonly<Record<string, object>>);
  const tools = paths.flatMap((path) => Object.values(path).map((one) => (one as { 'x-tool'?: unknown })['x-tool']));
  return new Set(tools.filter((name) => typeof name === 'string'));
}

interface SubmittedConsent {
  readonly request: ConsentRequest;
  readonly visitor: SignedInVisitor;
  readonly workspace: ChoosableWorkspace;
  readonly ceiling: Leash;
}

/** The decision that the form contains. */
export function readDecision(
  ctx: Pick<PublicRouteContext, 'ports' | 'openapi' | 'now'>,
  form: URLSearchParams,
  { request, visitor, workspace, ceiling }: SubmittedConsent,
): ReadDecision {
  if (form.get('decision') !== 'allow') return { kind: 'deny' };
  const choices = scopeChoices(ctx.ports.scopes, request.scopes, workspace.scopes);
  const offered = new Set([...harmlessScopes(choices), ...choices.risky.map(({ scope }) => scope)]);
  const scopes = [...new Set(form.getAll('scope'))];
  const lacking = scopes.find((scope) => !offered.has(scope));
  if (lacking !== undefined)
    return {
      kind: 'refused',
      message: `You cannot allow ${lacking.slice(0, 100)}: you do not have it here, or it was not asked for.`,
    };
  const chosenSide = form.get('side');
  const side = workspace.sides.find((one) => one === chosenSide);
  if (side === undefined && chosenSide !== null)
    return { kind: 'refused', message: `You have no access to this side of ${workspace.name}.` };
  const leashValues = Object.fromEntries(leashFields.map((name) => [name, form.get(name) ?? '']));
  const { leash, faults: leashFaults } = readLeash(leashValues, ceiling, ctx.now, toolNames(ctx));
  const faults = new Map(leashFaults);
  if (side === undefined) faults.set('side', 'Choose live or sandbox.');
  if (scopes.length === 0) faults.set('scope', 'Allow at least one thing, or do not allow the access.');
  if (side === undefined || faults.size > 0)
    return { kind: 'faulty', values: { side, scopes: new Set(scopes), leash: leashValues }, faults };
  return {
    kind: 'approve',
    approval: {
      member: visitor.member,
      workspaceId: workspace.id,
      sandbox: side === 'sandbox',
      scopes,
      ...(Object.keys(leash).length === 0 ? {} : { leash }),
    },
  };
}
