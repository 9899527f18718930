// Parts that several pages of sequences show: the picture, nodes, and the definition with names instead of ids.
import { type ConsoleContext, isPostriderError } from '../../../core/index.ts';
import { type Html, type HtmlPart, html, panel } from '../../../core/unstable.ts';
import type { Definition, SequenceNode } from '../definition/schema.ts';
import { nodeWords } from '../graph/describe.ts';
import { withNamesFrom } from '../graph/named-ids.ts';
import { graphImage } from '../graph/picture.ts';

/** The style of these pages: buttons beside each other, and a picture that scrolls where it is wider than the page. */
export const pageStyle =
  '.actions{display:flex;flex-wrap:wrap;gap:8px;align-items:start}.graph{overflow-x:auto;text-align:center}.graph img{max-width:none;vertical-align:top}';

/** The picture in a card. A table below it must contain the same information. */
export const graphPanel = (svg: string, title: string): Html =>
  panel(
    'Graph',
    html`<div class="graph" tabindex="0" role="region" aria-label="Picture">${graphImage(svg, title)}</div>`,
  );

/** The trigger, nodes, edges and settings of a sequence, without its other fields. */
const definitionOf = ({ trigger, nodes, edges, settings }: Definition): Definition => ({
  trigger,
  nodes,
  edges,
  settings,
});

async function nameOrNothing(read: Promise<{ readonly name: string }>): Promise<string | undefined> {
  try {
    return (await read).name;
  } catch (error) {
    if (isPostriderError(error) && error.status === 404) return undefined;
    throw error;
  }
}

/** The definition with the names of lists and segments instead of their ids, as far as the person may read them. */
export const namedDefinition = (ctx: ConsoleContext, sequence: Definition): Promise<Definition> =>
  withNamesFrom(
    {
      list: async (listId) => (ctx.mayCall('lists.read') ? nameOrNothing(ctx.calls.lists.read({ listId })) : undefined),
      segment: async (segmentId) =>
        ctx.mayCall('segments.read') ? nameOrNothing(ctx.calls.segments.read({ segmentId })) : undefined,
    },
    definitionOf(sequence),
  );

/** The page of the template or sequence that a node uses. Undefined for other nodes, and if the person may not see the page. */
function hrefOf(ctx: ConsoleContext, node: SequenceNode): string | undefined {
  if (node.kind === 'send_email' && ctx.mayCall('templates.read')) return ctx.link(`templates/${node.templateKey}`);
  return node.kind === 'enroll' ? ctx.link(`sequences/${node.sequenceKey}`) : undefined;
}

/** A node in words, with a link to the template or sequence that it uses. */
export function nodeText(ctx: ConsoleContext, node: SequenceNode): HtmlPart {
  const { title, detail } = nodeWords(node);
  const href = hrefOf(ctx, node);
  return href === undefined ? `${title} ${detail}`.trim() : html`${title} <a href="${href}">${detail}</a>`;
}
