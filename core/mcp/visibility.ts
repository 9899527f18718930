// Selects the operations that a client sees: by the areas in its URL, by the option for reads only, and by the scopes
// and the leash of its key. Shared by tools, resources and prompts, so that all three hide the same operations. Pure;
// created once for each endpoint.
import type { Operation } from '../contract/declaration/operation.ts';
import type { ToolWorkflow } from '../contract/declaration/resource.ts';
import type { Admission } from '../pipeline/admit.ts';
import type { Registry } from '../pipeline/core.ts';
import { leashAllows } from '../pipeline/leash.ts';
import { mayCall } from '../pipeline/scopes.ts';
import { coreToolset, type EndpointOptions } from './url-options.ts';

/** The rights of a key: its scopes (undefined for all scopes), and the tools of its leash. */
export type KeyRights = Pick<Admission, 'scopes' | 'leash'>;

/** The visibility of operations. */
export interface Visibility {
  /** The toolsets: `core`, and the areas with at least one tool or resource, which are ids of plugins. */
  readonly areas: ReadonlySet<string>;
  /** Whether lists include an operation, with these options of the URL. */
  isOffered(operation: Operation, options: EndpointOptions): boolean;
  /**
   * Whether a tool may be called with these options of the URL. The toolset `core` leaves tools out of the list only:
   * call_tool calls them.
   */
  isCallable(operation: Operation, options: EndpointOptions): boolean;
  /** Whether a key may call the operation. */
  isAllowed(operation: Operation, rights: KeyRights): boolean;
}

/** Creates the visibility from the registry. */
export function createVisibility(registry: Registry): Visibility {
  const areaOf = new Map(
    registry.plugins.flatMap(({ id, operations }) => operations.map((operation) => [operation.id, id] as const)),
  );
  const operationsOf = (workflows: readonly ToolWorkflow[]): Set<string> =>
    new Set(workflows.flatMap(({ tools }) => tools.flatMap((name) => registry.tools.get(name)?.id ?? [])));
  /** Tools of other areas that the work of an area needs, such as create_brand, which the first web page needs. */
  const workflowOperations = new Map(
    registry.plugins.map(({ id, toolWorkflows }) => [id, operationsOf(toolWorkflows)]),
  );
  const inEveryToolset = operationsOf(
    registry.plugins.flatMap(({ toolWorkflows }) => toolWorkflows.filter(({ everyToolset }) => everyToolset)),
  );
  const operationsByArea = [
    ...[...registry.tools.values()].map(({ id }) => id),
    ...registry.resources.map(({ operation }) => operation),
  ];
  const isRefused = ({ idempotency }: Operation, { readOnly }: EndpointOptions) => readOnly && idempotency !== 'read';
  const isOffered = (operation: Operation, options: EndpointOptions): boolean => {
    const { toolsets } = options;
    if (isRefused(operation, options)) return false;
    if (toolsets === undefined || toolsets.includes(areaOf.get(operation.id) ?? '')) return true;
    if (toolsets.includes(coreToolset) && operation.tool?.inCoreToolset === true) return true;
    const areas = toolsets.filter((name) => name !== coreToolset);
    if (areas.length === 0) return false;
    return inEveryToolset.has(operation.id) || areas.some((area) => workflowOperations.get(area)?.has(operation.id));
  };
  return {
    areas: new Set([coreToolset, ...operationsByArea.map((id) => areaOf.get(id) ?? id)]),
    isOffered,
    isCallable: (operation, options) =>
      options.toolsets?.includes(coreToolset) === true ? !isRefused(operation, options) : isOffered(operation, options),
    isAllowed: (operation, { scopes, leash }) =>
      (scopes === undefined || mayCall(operation, scopes)) && (leash === undefined || leashAllows(leash, operation)),
  };
}
