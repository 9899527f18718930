// The location that a request of the console names: the workspace and the page in its path, the side in its query. Pure, apart from
// the look-up of the workspace.
import {
  type ConsolePageDeclaration,
  coreErrors,
  type PublicRequest,
  type PublicRouteContext,
  type WorkspaceSide,
} from '../../core/index.ts';
import { type PageVisitor, type VisibleWorkspace, visibleWorkspace } from '../../core/unstable.ts';

/** A workspace and a side that the visitor may see. */
export interface Location extends VisibleWorkspace {
  readonly side: WorkspaceSide;
}

const routeNotFound = ({ url }: Pick<PublicRequest, 'url'>): Error =>
  coreErrors.route_not_found({ path: url.split('?', 1)[0]?.slice(0, 200) ?? '' });

/** The workspace on the side that the query names. (Default: its first side) @throws route_not_found for a side that it lacks */
export function sideOf(visible: VisibleWorkspace, request: PublicRequest): Location {
  const requested = request.query.get('side');
  const side = visible.sides.find((candidate) => candidate === (requested ?? visible.sides[0]));
  if (side === undefined) throw routeNotFound(request);
  return { ...visible, side };
}

/** @throws workspace_not_found, and route_not_found for a side that the visitor may not see */
export const locationOf = async (
  context: PublicRouteContext,
  request: PublicRequest,
  visitor: PageVisitor,
): Promise<Location> => sideOf(await visibleWorkspace(context, visitor, request.params['workspace'] ?? ''), request);

/** A page and the parameters of its path. */
export interface FoundPage {
  readonly page: ConsolePageDeclaration;
  readonly params: Readonly<Record<string, string>>;
}

const isParameter = (segment: string): boolean => segment.startsWith('{');

function paramsIn(path: string, segments: readonly string[]): Record<string, string> | undefined {
  const pattern = path.split('/');
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (isParameter(part)) params[part.slice(1, -1)] = segment;
    else if (part !== segment) return undefined;
  }
  return params;
}

/** The number of parameters of the path, so that `notes/new` is tried before `notes/{noteId}`. */
const parameterCount = (path: string): number => path.split('/').filter(isParameter).length;

/** The page at these segments. */
export function findPage(pages: readonly ConsolePageDeclaration[], segments: readonly string[]): FoundPage | undefined {
  return pages
    .flatMap((page) => {
      const params = paramsIn(page.path, segments);
      return params === undefined ? [] : [{ page, params }];
    })
    .sort((one, other) => parameterCount(one.page.path) - parameterCount(other.page.path))[0];
}

/** The segments of a request's path below the workspace. */
export const segmentsOf = ({ params }: Pick<PublicRequest, 'params'>): string[] =>
  segmentNames.flatMap((name) => params[name] ?? []);

/** The names of the path's parameters below the workspace: a page has at most four segments. */
export const segmentNames = ['one', 'two', 'three', 'four'] as const;

/** @throws route_not_found */
export function pageAt(pages: readonly ConsolePageDeclaration[], request: PublicRequest): FoundPage {
  const found = findPage(pages, segmentsOf(request));
  if (found === undefined) throw routeNotFound(request);
  return found;
}
