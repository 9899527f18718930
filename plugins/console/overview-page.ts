// The overview of a workspace in the console: the parts that the composed plugins contribute, as far as the person may see them.
import {
  type ConsoleContext,
  type ConsoleEntry,
  type ConsolePageDeclaration,
  type ConsoleView,
  isPostriderError,
  type PublicRouteContext,
} from '../../core/index.ts';
import { emptyNotice, type Html, html, panel, pill, wordsForPeople } from '../../core/unstable.ts';
import { holdsAll } from './navigation.ts';
import type { FirstStep, OverviewPart } from './overview.ts';

/** The parts of the standard plugins in their order. Other parts follow in the order of composition. */
const partsInOrder = [
  'keys',
  'brand',
  'templates',
  'contacts',
  'email',
  'reputation',
  'approvals',
  'webhooks',
  'jobs',
  'workspace',
];

/** A workspace is new for this time, in milliseconds. */
const newMs = 30 * 86_400_000;

function positionOf(pluginId: string): number {
  const position = partsInOrder.indexOf(pluginId);
  return position === -1 ? partsInOrder.length : position;
}

/** If the API refuses a call of a part, the part shows the refusal, and the other parts are shown. */
async function rendered(ctx: ConsoleContext, { render, isWide = false }: OverviewPart): Promise<Html | null> {
  const content = await render?.(ctx).catch((error: unknown) => {
    if (!isPostriderError(error) || error.status >= 500) throw error;
    return html`<p class="quiet">${wordsForPeople(error.message)}</p>`;
  });
  return content === undefined || content === null
    ? null
    : html`<div class="part${isWide ? ' wide' : ''}">${content}</div>`;
}

async function firstSteps(ctx: ConsoleContext, parts: readonly OverviewPart[]): Promise<Html | null> {
  if (ctx.now - ctx.workspace.createdAt > newMs) return null;
  const steps = parts.flatMap(({ firstStep }) => firstStep ?? []);
  const states = await Promise.all(
    steps.map(async (step): Promise<[FirstStep, boolean]> => [step, await step.isDone(ctx)]),
  );
  if (states.every(([, isDone]) => isDone)) return null;
  const items = states.map(
    ([{ text, path }, isDone]) =>
      html`<li>${isDone ? pill('Done', 'good') : pill('Open', 'wait')} <a href="${ctx.link(path)}">${text}</a></li>`,
  );
  return html`<div class="part wide">${panel('First steps', html`<ul class="steps">${items}</ul>`)}</div>`;
}

async function overview(ctx: ConsoleContext, parts: readonly OverviewPart[]): Promise<ConsoleView> {
  const all = [await firstSteps(ctx, parts), ...(await Promise.all(parts.map((part) => rendered(ctx, part))))];
  const shown = all.filter((part) => part !== null);
  const body =
    shown.length === 0
      ? emptyNotice('Nothing needs your attention. Open an area to see what it holds.')
      : html`<div class="overview">${shown}</div>`;
  return { heading: 'Overview', body };
}

const style =
  '.overview{display:grid;gap:16px;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr))}.part{min-width:0}.wide{grid-column:1/-1}.steps{display:grid;gap:8px}';

const overviewPage = (parts: readonly OverviewPart[]): ConsolePageDeclaration => ({
  area: 'Overview',
  path: 'overview',
  title: 'Overview',
  scopes: [],
  style,
  render: (ctx) => overview(ctx, parts),
});

/** The pages and links of the composed plugins, and before them the overview, if the person may see a part of it. */
export function entriesFor(
  { contributions, consoleEntries }: PublicRouteContext['ports'],
  scopes: ReadonlySet<string> | undefined,
): readonly ConsoleEntry[] {
  const parts = [...contributions('console.overview')]
    .filter(([, part]) => holdsAll(scopes, part))
    .sort(([one], [other]) => positionOf(one) - positionOf(other))
    .map(([, part]) => part);
  return parts.some(({ render }) => render !== undefined) ? [overviewPage(parts), ...consoleEntries] : consoleEntries;
}
