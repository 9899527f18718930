// The visitor of the console: the member that the program's sign-in names, or in development a person at this machine.
import type { PublicRouteContext } from '../../core/index.ts';
import {
  createAccess,
  createPageGate,
  hiddenWithoutAccess,
  type PageGate,
  type PageVisitor,
  pageRefusals,
  type VisibleWorkspace,
  visibleWorkspaces,
} from '../../core/unstable.ts';
import { errors } from './errors.ts';
import type { ConsoleOptions } from './options.ts';

/** The maximum number of workspaces in the picker. */
const maxWorkspaces = 100;

/** Finds the visitor for each route of the console. Made once for each composition. */
export const createGate = ({ access, localMember }: ConsoleOptions): PageGate =>
  createPageGate({
    refusals: pageRefusals(errors, 'console'),
    localMember,
    ...(access === undefined ? {} : { accessOf: ({ ports, log }) => createAccess(access, ports.scopes, log) }),
  });

/** The reason why a service has no console; undefined if it has one. */
export const hiddenReason = ({ access }: ConsoleOptions): typeof hiddenWithoutAccess | undefined =>
  access === undefined ? hiddenWithoutAccess : undefined;

/** The workspaces for the picker: the oldest first, at most 100. */
export const workspacesOf = (
  context: PublicRouteContext,
  visitor: Pick<PageVisitor, 'workspaces'>,
): Promise<readonly VisibleWorkspace[]> => visibleWorkspaces(context, visitor, maxWorkspaces);
