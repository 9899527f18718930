// The action that deletes the thing of a console page. Called by the pages of plugins.
import type { ConsoleAction, ConsoleContext } from '../contract/declaration/console.ts';
import { emptyNotice } from './console-parts.ts';

/** What is deleted, and what the person sees then. */
interface Deletion {
  /** Calls the operation. */
  readonly remove: (ctx: ConsoleContext, idempotencyKey: string) => Promise<unknown>;
  /** `The note was deleted.` */
  readonly sentence: string;
  /** The link to the list: its words, and its path below the workspace. */
  readonly way: { readonly text: string; readonly path: string };
}

/** Deletes the thing of the page. Its page does not exist any more, so a view says what was done, and leads to the list. */
export const deleteAction = ({ remove, sentence, way: { text, path } }: Deletion): ConsoleAction => ({
  async reveal(ctx, { idempotencyKey }) {
    await remove(ctx, idempotencyKey);
    return { heading: 'Deleted', body: emptyNotice(sentence, { text, href: ctx.link(path) }) };
  },
});
