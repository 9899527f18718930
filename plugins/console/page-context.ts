// The context of a page of the console: calls in the person's name and with their scopes, and addresses.
import { randomUUID } from 'node:crypto';
import type { ConsoleContext, PublicRequest, PublicRouteContext } from '../../core/index.ts';
import type { PageVisitor } from '../../core/unstable.ts';
import type { FoundPage, Location } from './location.ts';
import { isPage } from './navigation.ts';
import { addressOf, outsideAddress, type Shell } from './shell.ts';

/** The name of the page in the audit. */
const pageName = 'console';

/** The parts of the query that the console itself reads. */
const ownNames: ReadonlySet<string> = new Set(['side', 'done']);

const pageQuery = ({ query }: Pick<PublicRequest, 'query'>): Record<string, string> =>
  Object.fromEntries([...query].filter(([name, value]) => !ownNames.has(name) && value.trim() !== ''));

export function createPageContext(
  context: PublicRouteContext,
  request: PublicRequest,
  visitor: PageVisitor,
  {
    shell,
    location,
    found,
    refusedForm,
  }: {
    readonly shell: Shell;
    readonly location: Location;
    readonly found: FoundPage;
    readonly refusedForm?: ConsoleContext['refusedForm'];
  },
): ConsoleContext {
  const { workspace, side, scopes } = location;
  const { member } = visitor;
  return {
    workspace,
    side,
    now: context.now,
    params: found.params,
    query: pageQuery(request),
    calls: context.calls(workspace.id, pageName, {
      sandbox: side === 'sandbox',
      ...(member === undefined ? {} : { member }),
      ...(scopes === undefined ? {} : { scopes }),
    }),
    mayCall(operationId) {
      const operation = context.ports.operations.list().find(({ id }) => id === operationId);
      if (operation === undefined) return false;
      if (operation.liveOnly && side === 'sandbox' && workspace.plan.name !== 'sandbox') return false;
      return scopes === undefined || operation.scopes.length === 0 || operation.scopes.some((one) => scopes.has(one));
    },
    declaredScopes: context.ports.scopes.declarations,
    link: (path, query) => addressOf(shell, location, path, query),
    linkOutside(url, query) {
      const entries = shell.navigation.flatMap(({ entries: found }) => found);
      const entry = entries.find((link) => !isPage(link) && link.url === url);
      return entry === undefined || isPage(entry) ? undefined : outsideAddress(shell, location, entry, query);
    },
    newIdempotencyKey: () => randomUUID(),
    refusedForm,
  };
}
