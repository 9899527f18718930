// The action that deletes the resource that a console page shows. Called by the pages of plugins.
import type { ConsoleAction, ConsoleContext } from '../contract/declaration/console.ts';
import { emptyNotice } from './console-parts.ts';

/** The deletion of a resource, and the view that the person gets afterwards. */
interface Deletion {
  /** Calls the operation. */
  readonly remove: (ctx: ConsoleContext, idempotencyKey: string) => Promise<unknown>;
  /** `The note was deleted.` */
  readonly sentence: string;
  /** The link to the list: its text, and its path below the workspace. */
  readonly link: { readonly text: string; readonly path: string };
}

/** Deletes the resource. Its page does not exist any more, so the result is a view with a sentence and a link to the list. */
export const deleteAction = ({ remove, sentence, link: { text, path } }: Deletion): ConsoleAction => ({
  async reveal(ctx, { idempotencyKey }) {
    await remove(ctx, idempotencyKey);
    return { heading: 'Deleted', body: emptyNotice(sentence, { text, href: ctx.link(path) }) };
  },
});
