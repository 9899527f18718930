// The navigation of the console: the entries that the visitor's scopes allow, by area. Pure.
import type {
  ConsoleEntry,
  ConsoleLinkDeclaration,
  ConsolePageContent,
  ConsolePageDeclaration,
  CorePorts,
} from '../../core/index.ts';

/** The areas in their order. Areas of other plugins follow. */
const areas = ['Overview', 'Messages', 'Audience', 'Automation', 'Content', 'Team', 'Developers', 'Settings'];

/**
 * The entries of the standard plugins in their order within an area, by path or address. Other entries follow in the order of composition.
 */
const entriesInOrder = [
  'sends',
  'sms',
  'broadcasts',
  '/inbox',
  'suppressions',
  'reputation',
  'contacts',
  'lists',
  'segments',
  'topics',
  'templates',
  'pages',
  'blog',
  'lead-magnets',
  'designs',
  'social',
  'social-events',
  'content-plan',
  'market-news',
  'creations',
  'assets',
  'links',
  '/qr-designer',
  'webhooks',
  'keys',
  'connected-apps',
  '/connected-apps',
  'jobs',
  'requests',
  'audit',
  'brand',
  'members',
  'plan',
  'connectors',
];

function positionOf(entry: ConsoleEntry): number {
  const position = entriesInOrder.indexOf(isPage(entry) ? entry.path : entry.url);
  return position === -1 ? entriesInOrder.length : position;
}

export const isPage = (entry: ConsoleEntry): entry is ConsolePageDeclaration => 'path' in entry;

/** What the page shows and does, imported if it is not part of the declaration. */
export const contentOf = async (page: ConsolePageDeclaration): Promise<ConsolePageContent> =>
  'load' in page ? page.load() : page;

/** Whether the navigation shows the entry: a link, or a page without an id in its path. */
const isEntry = (entry: ConsoleEntry): boolean => !isPage(entry) || !entry.path.includes('/');

/** Whether the person has every scope that the entry names. */
export const holdsAll = (
  scopes: ReadonlySet<string> | undefined,
  { scopes: needed }: Pick<ConsoleEntry, 'scopes'>,
): boolean => scopes === undefined || needed.every((scope) => scopes.has(scope));

/** One group of the navigation. */
export interface NavigationArea {
  readonly title: string;
  readonly entries: readonly ConsoleEntry[];
}

const isHidden = (
  { hidden, unless }: ConsoleLinkDeclaration,
  scopes: ReadonlySet<string> | undefined,
  ports: CorePorts,
): boolean => hidden?.(ports) === true || (unless !== undefined && holdsAll(scopes, { scopes: unless }));

/** The areas with an entry for this person. */
export function navigationFor(
  entries: readonly ConsoleEntry[],
  scopes: ReadonlySet<string> | undefined,
  ports: CorePorts,
): readonly NavigationArea[] {
  const visible = entries
    .filter((entry) => isEntry(entry) && holdsAll(scopes, entry) && (isPage(entry) || !isHidden(entry, scopes, ports)))
    .sort((one, other) => positionOf(one) - positionOf(other));
  const titles = [...new Set([...areas, ...visible.map(({ area }) => area)])];
  return titles
    .map((title) => ({ title, entries: visible.filter(({ area }) => area === title) }))
    .filter(({ entries: found }) => found.length > 0);
}

/** The first page of the console in the navigation; undefined if the person may see none. */
export const firstPage = (navigation: readonly NavigationArea[]): ConsolePageDeclaration | undefined =>
  navigation.flatMap(({ entries }) => entries.filter(isPage))[0];
