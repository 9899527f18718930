// The page of one blog post in the console: its text, its public state, and its actions.
import type { ConsoleAction, ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  actionForm,
  conclusion,
  deleteAction,
  detailLayout,
  facts,
  type Html,
  html,
  idOfRow,
  moment,
  panel,
} from '../../../core/unstable.ts';
import { missingWordsForm, withFilledPlaceholders } from '../../kit/missing-words.ts';
import type { PostResource } from '../schema.ts';
import { statusPill } from './words.ts';

const idOrSlugOf = ({ params }: ConsoleContext): string => params['postId'] ?? '';

/** The texts of a post that may have placeholders. */
const contentOf = ({ title, excerpt, body }: PostResource) => ({ title, excerpt, body });

/** The actions of the page. */
export const postActions: Readonly<Record<'write' | 'publish' | 'ask' | 'unpublish' | 'delete', ConsoleAction>> = {
  write: {
    done: 'The texts were stored.',
    async run(ctx, { idempotencyKey, fields }) {
      const idOrSlug = idOrSlugOf(ctx);
      const content = withFilledPlaceholders(contentOf(await ctx.calls.blog.read({ idOrSlug })), fields);
      await ctx.calls.blog.update({ idOrSlug, ...content }, { idempotencyKey });
    },
  },
  publish: {
    done: 'Done: the post is published, or waits for an approval. The page below says which.',
    async run(ctx, { idempotencyKey }) {
      await ctx.calls.blog.publish({ idOrSlug: idOrSlugOf(ctx) }, { idempotencyKey });
    },
  },
  ask: {
    done: 'You have asked for an approval.',
    async run(ctx, { idempotencyKey }) {
      const { id: targetId } = await ctx.calls.blog.read({ idOrSlug: idOrSlugOf(ctx) });
      await ctx.calls.approvals.submit({ surfaceKind: 'blog_post', targetId }, { idempotencyKey });
    },
  },
  unpublish: {
    done: 'The post is offline.',
    async run(ctx, { idempotencyKey }) {
      await ctx.calls.blog.unpublish({ idOrSlug: idOrSlugOf(ctx) }, { idempotencyKey });
    },
  },
  delete: deleteAction({
    remove: (ctx, idempotencyKey) => ctx.calls.blog.delete({ idOrSlug: idOrSlugOf(ctx) }, { idempotencyKey }),
    sentence: 'The post was deleted.',
    link: { text: 'All posts', path: 'blog' },
  }),
};

/**
 * The form that publishes the working copy, or the form that asks for an approval of it. Null while a request is pending, or if nothing
 * has changed.
 */
function publishForm(ctx: ConsoleContext, { title, approval, status, draft }: PostResource): Html | null {
  if (approval !== null || (status === 'published' && !draft)) return null;
  if (ctx.mayCall('blog.publish'))
    return actionForm(ctx, 'publish', {
      label: 'Publish',
      question: html`${title} becomes public as it is now, unless a policy makes this wait for an approval.`,
      verb: 'Publish the post',
    });
  return ctx.mayCall('approvals.submit')
    ? actionForm(ctx, 'ask', {
        label: 'Ask for an approval',
        question: html`A reviewer decides on ${title} as it is now.`,
        verb: 'Ask for the approval',
      })
    : null;
}

function forms(ctx: ConsoleContext, post: PostResource): Html {
  const { title, status } = post;
  const unpublish =
    status === 'published' && ctx.mayCall('blog.unpublish')
      ? actionForm(ctx, 'unpublish', {
          label: 'Take offline',
          question: html`Visitors can no longer read ${title}.`,
          verb: 'Take the post offline',
          isDestructive: true,
        })
      : null;
  const remove = ctx.mayCall('blog.delete')
    ? actionForm(ctx, 'delete', {
        label: 'Delete',
        question: html`${title} is deleted for good, and its address becomes free.`,
        verb: 'Delete the post',
        isDestructive: true,
      })
    : null;
  return html`${publishForm(ctx, post)}${unpublish}${remove}`;
}

function stateSentence({ status, draft }: PostResource): Html {
  if (status === 'draft') return conclusion('wait', 'Nobody can read the post yet: it is a draft.');
  if (status === 'unpublished') return conclusion('wait', 'The post is offline.');
  return conclusion('good', draft ? 'The post is public. The text below has changed since.' : 'The post is public.');
}

function approvalWords(ctx: ConsoleContext, { approval }: PostResource): Html | string | undefined {
  if (approval === null) return undefined;
  const words = 'Waits for a decision';
  return ctx.mayCall('approvals.read')
    ? html`<a href="${ctx.link(`approvals/${approval.requestId}`)}">${words}</a>`
    : words;
}

const externalLink = (href: string | null, text: string): Html | undefined =>
  href === null ? undefined : html`<a href="${href}" target="_blank" rel="noreferrer">${text}</a>`;

export async function postPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const post = await ctx.calls.blog.read({ idOrSlug: idOrSlugOf(ctx) });
  const { coverAssetId: cover } = post;
  const postFacts = facts([
    ['Public address', externalLink(post.url, post.url ?? '')],
    ['Preview', externalLink(post.previewUrl, 'Open, for 24 hours')],
    ['Approval', approvalWords(ctx, post)],
    ['Address', post.slug],
    ['Excerpt', post.excerpt],
    ['Tags', post.tags.join(', ')],
    ['Language', post.language ?? 'The language of the blog'],
    ['Author', post.authorUid],
    [
      'Cover',
      cover === null
        ? undefined
        : ctx.mayCall('assets.read')
          ? html`<a href="${ctx.link(`assets/${cover}`)}">${cover}</a>`
          : idOfRow(cover),
    ],
    ['Description', post.seo.description],
    ['Published', post.publishedAt === null ? undefined : moment(post.publishedAt, ctx)],
    ['Created', moment(post.createdAt, ctx)],
    ['Changed', moment(post.updatedAt, ctx)],
    ['Id', idOfRow(post.id)],
  ]);
  const missing = ctx.mayCall('blog.update') ? missingWordsForm(ctx, 'the post', contentOf(post)) : null;
  const text = panel('Text (Markdown)', html`<pre class="json" tabindex="0" dir="auto">${post.body}</pre>`);
  return {
    heading: post.title,
    status: statusPill(post),
    body: detailLayout([stateSentence(post), missing, text], [panel('Post', postFacts), forms(ctx, post)]),
  };
}
