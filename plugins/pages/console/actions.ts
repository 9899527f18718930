// The actions for a page in the console: fill in missing texts, build it again, publish it or ask for an approval, take it offline, roll
// it back, delete it.
import type { ConsoleAction, ConsoleContext } from '../../../core/index.ts';
import { actionForm, deleteAction, type Html, html } from '../../../core/unstable.ts';
import { withFilledPlaceholders } from '../../kit/missing-words.ts';
import { buildPrice, type PageResource } from '../schema.ts';
import type { Section } from '../sections/schema.ts';
import { isBuilding } from './words.ts';

/** The fields of a page that decide which forms the console shows, or that the forms mention. */
type ShownPage = Pick<
  PageResource,
  'approval' | 'composeStatus' | 'draft' | 'editor' | 'slug' | 'status' | 'title' | 'version'
>;

const idOrSlugOf = ({ params }: ConsoleContext): string => params['pageId'] ?? '';
const note = { name: 'note', label: 'Note for the members who decide', isLong: true, maxLength: 2_000 } as const;

/** The message after a publish or a rollback, which an approval policy may hold. */
const publishedMessage = 'Done: it is published, or waits for an approval. The page below says which.';

/** The texts of a page that may have placeholders, as `pages.update` takes them. */
export async function readContent(
  { calls }: ConsoleContext,
  idOrSlug: string,
): Promise<{ title: string; sections: Section[] }> {
  const { title, sections } = await calls.pages.read({ idOrSlug, sections: 'full' });
  return { title, sections: sections as Section[] };
}

/** The actions of the page. */
export const pageActions: Readonly<
  Record<'write' | 'publish' | 'ask' | 'rollBack' | 'unpublish' | 'compose' | 'delete', ConsoleAction>
> = {
  write: {
    done: 'The texts were stored in the working copy.',
    async run(ctx, { idempotencyKey, fields }) {
      const idOrSlug = idOrSlugOf(ctx);
      const content = withFilledPlaceholders(await readContent(ctx, idOrSlug), fields);
      await ctx.calls.pages.update({ idOrSlug, ...content }, { idempotencyKey });
    },
  },
  publish: {
    done: publishedMessage,
    async run(ctx, { idempotencyKey, fields: { note: given = '' } }) {
      const trimmedNote = given.trim();
      await ctx.calls.pages.publish(
        { idOrSlug: idOrSlugOf(ctx), ...(trimmedNote === '' ? {} : { note: trimmedNote }) },
        { idempotencyKey },
      );
    },
  },
  ask: {
    done: 'You have asked for an approval.',
    async run(ctx, { idempotencyKey, fields: { note: given = '' } }) {
      const { id: targetId } = await ctx.calls.pages.read({ idOrSlug: idOrSlugOf(ctx) });
      const said = given.trim();
      await ctx.calls.approvals.submit(
        { surfaceKind: 'page', targetId, ...(said === '' ? {} : { note: said }) },
        { idempotencyKey },
      );
    },
  },
  rollBack: {
    done: publishedMessage,
    async run(ctx, { idempotencyKey, fields: { version = '' } }) {
      await ctx.calls.pages.publish({ idOrSlug: idOrSlugOf(ctx), version: Number(version) }, { idempotencyKey });
    },
  },
  unpublish: {
    done: 'The page is offline.',
    async run(ctx, { idempotencyKey }) {
      await ctx.calls.pages.unpublish({ idOrSlug: idOrSlugOf(ctx) }, { idempotencyKey });
    },
  },
  compose: {
    done: 'The page is being built again. The public page does not change.',
    async run(ctx, { idempotencyKey, fields: { brief = '' } }) {
      await ctx.calls.pages.compose({ idOrSlug: idOrSlugOf(ctx), brief }, { idempotencyKey });
    },
  },
  delete: deleteAction({
    remove: (ctx, idempotencyKey) => ctx.calls.pages.delete({ idOrSlug: idOrSlugOf(ctx) }, { idempotencyKey }),
    sentence: 'The page was deleted.',
    link: { text: 'All pages', path: 'pages' },
  }),
};

function publishForm(ctx: ConsoleContext, { title, approval, status, draft }: ShownPage): Html | null {
  if (approval !== null || (status === 'published' && !draft)) return null;
  if (ctx.mayCall('pages.publish'))
    return actionForm(ctx, 'publish', {
      label: 'Publish',
      question: html`Visitors see the working copy of ${title} from now on, unless a policy makes this wait for an approval.`,
      verb: 'Publish the page',
      inputs: [note],
    });
  if (!ctx.mayCall('approvals.submit')) return null;
  return actionForm(ctx, 'ask', {
    label: 'Ask for an approval',
    question: html`A reviewer decides on the working copy of ${title}. Afterwards, somebody who may publish does that.`,
    verb: 'Ask for the approval',
    inputs: [note],
  });
}

/** The form that publishes an older version again. */
export const rollBackForm = (ctx: ConsoleContext, version: number): Html =>
  actionForm(ctx, 'rollBack', {
    label: 'Roll back',
    question: html`Visitors see version ${version} again, as the next version. The working copy stays.`,
    verb: `Roll back to version ${version}`,
    isDestructive: true,
    fields: { version: String(version) },
  });

/** The forms for the actions that the state and the person's scopes allow. */
export function actionForms(ctx: ConsoleContext, page: ShownPage): Html {
  const { title, slug, status, editor } = page;
  const unpublish =
    status === 'published' && ctx.mayCall('pages.unpublish')
      ? actionForm(ctx, 'unpublish', {
          label: 'Take offline',
          question: html`Visitors of /p/${slug} see that the page does not exist. Its versions stay.`,
          verb: 'Take the page offline',
          isDestructive: true,
        })
      : null;
  const compose =
    editor === 'current' && !isBuilding(page) && ctx.mayCall('pages.compose')
      ? actionForm(ctx, 'compose', {
          label: 'Build again',
          question: html`A new working copy of ${title} replaces all sections of the current one, for ${buildPrice} credits. The public page does not change.`,
          verb: 'Build the page again',
          inputs: [
            {
              name: 'brief',
              label: 'What the page is about, and for whom',
              isLong: true,
              isRequired: true,
              maxLength: 8_000,
            },
          ],
        })
      : null;
  const remove = ctx.mayCall('pages.delete')
    ? actionForm(ctx, 'delete', {
        label: 'Delete',
        question: html`${title}, its versions and what visitors sent with its forms are deleted.`,
        verb: 'Delete the page',
        isDestructive: true,
      })
    : null;
  return html`${isBuilding(page) ? null : publishForm(ctx, page)}${unpublish}${compose}${remove}`;
}
