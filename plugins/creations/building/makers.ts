// Builds each kind of item as a draft of its plugin, with the creation's id. Nothing is published, scheduled or sent.
import { coreErrors, type JobContext } from '../../../core/index.ts';
import { beginning, shortened } from '../../../core/unstable.ts';
import type { BlogService } from '../../blog/index.ts';
import type { BroadcastsService } from '../../broadcasts/index.ts';
import { plainSentences } from '../../kit/brief-sentences.ts';
import type { PagesService } from '../../pages/index.ts';
import { urlsIn } from '../strategy/form.ts';
import type { ItemKind, ItemRow } from '../tables.ts';
import { type BuildInput, briefOf, type ItemMaker, nameOf } from './build-input.ts';
import { type SequenceCalls, sequenceDraft } from './sequence-draft.ts';

const targetOf = (usedItems: readonly ItemRow[], kind: ItemKind): string | undefined =>
  usedItems.find((item) => item.kind === kind)?.target_id ?? undefined;

const sandboxReason = 'Not built in the sandbox: templates, sequences and planned emails are shared with live traffic.';

const link: ItemMaker = async (_, { creation, item, defaults }) => ({
  async store(ctx) {
    const { services } = _;
    if (!creation.may_link) throw coreErrors.insufficient_scope({ scopes: ['links:write'] });
    const utm = { ...defaults.utm, campaign: creation.utm_campaign };
    const row = await services.links.create(ctx, {
      destinationUrl: item.url ?? '',
      label: shortened(creation.name, 100),
      campaignId: creation.id,
      utm,
    });
    return { target: { kind: 'link', id: row.id }, chargesItself: true };
  },
});

/** The URL of the short link that an item uses; undefined if it uses no link. */
async function linkOf(ctx: JobContext, usedItems: readonly ItemRow[]): Promise<string | undefined> {
  const id = targetOf(usedItems, 'link');
  if (id === undefined) return undefined;
  const row = await ctx.read(({ trx }) => ctx.services.links.find(trx, id));
  return row === undefined ? undefined : ctx.services.links.urlOf(row);
}

/** A brief, with the link for readers if there is one. */
const withLink = (brief: string, url: string | undefined): string =>
  url === undefined ? brief : `${brief}\n\nThe link for readers: ${url}`;

const emailTemplate: ItemMaker = async (ctx, buildInput) => {
  if (ctx.sandbox) return { skipped: sandboxReason };
  const drafts = ctx.services.templateDrafts;
  const name = nameOf(buildInput);
  const url = await linkOf(ctx, buildInput.used);
  const isBrief = await ctx.services.writer.withoutModel(ctx);
  const prompt = isBrief ? plainBrief(buildInput) : withLink(briefOf(buildInput), url);
  const written = await drafts.composeCampaign(ctx, { prompt, url });
  return {
    async store(tx) {
      const { key } = await drafts.store(tx, written, { name });
      return { target: { kind: 'email_template', id: key } };
    },
  };
};

const plannedEmail: ItemMaker = async (ctx, buildInput) => {
  if (ctx.sandbox) return { skipped: sandboxReason };
  const { creation, item, used, defaults } = buildInput;
  if (item.at === null) return { skipped: 'It has no date.' };
  const { at } = item;
  const { listId, from } = defaults;
  const broadcasts: BroadcastsService | undefined = ctx.services.broadcasts;
  const templateKey = targetOf(used, 'email_template');
  const mail = { name: nameOf(buildInput), timezone: defaults.timezone ?? 'UTC', creationId: creation.id };
  const timeFor = (now: number): number => Math.max(at, now + 3_600_000);
  return {
    async store(tx) {
      if (listId !== null && broadcasts !== undefined) {
        const row = await broadcasts.createDraft(tx, {
          ...mail,
          templateKey: templateKey ?? null,
          sendAt: timeFor(tx.now),
          audience: { include: [{ listId }], exclude: [] },
          utm: { ...defaults.utm, campaign: creation.utm_campaign },
          ...(from === null ? {} : { from }),
        });
        return { target: { kind: 'broadcast', id: row.id } };
      }
      const row = await ctx.services.campaigns.plan(tx, {
        ...mail,
        scheduleAt: timeFor(tx.now),
        description: item.purpose,
        ...(templateKey === undefined ? {} : { templateKey }),
      });
      return { target: { kind: 'planned_email', id: row.id } };
    },
  };
};

/**
 * The source of a text if there is no model: the purpose of the item, then the brief. It is cut to the allowed length, for people
 * to rewrite.
 */
const plainBrief = ({ creation, item }: BuildInput): string =>
  [...new Set([...plainSentences(item.purpose), ...plainSentences(creation.brief)])].join(' ');

const socialPost: ItemMaker = async (ctx, buildInput) => {
  const { creation, item, used } = buildInput;
  const channel = item.channel ?? '';
  const { services } = ctx;
  if (services.socialChannels.rulesOf(channel) === undefined)
    return { skipped: `There is no network ${channel} here.` };
  if (!ctx.sandbox && !(await ctx.read(({ trx }) => services.social.connected(trx))).has(channel))
    return { skipped: `No account is connected for ${channel}.` };
  const linkUrl = await linkOf(ctx, used);
  const refuse = () => undefined;
  const fields = { channels: [channel], ...(linkUrl === undefined ? {} : { linkUrl }) };
  const content = services.social.content({ services, refuse }, fields);
  const isBrief = await services.writer.withoutModel(ctx);
  const texts = await services.social.write(ctx, content, isBrief ? plainBrief(buildInput) : briefOf(buildInput));
  return {
    async store(tx) {
      const post = await services.social.createDraft(tx, {
        mode: 'compose',
        content: { ...content, ...texts },
        plannedAt: item.at,
        groupId: creation.id,
        creationId: creation.id,
        brief: item.purpose,
      });
      return { target: { kind: 'social_post', id: post.id } };
    },
  };
};

/** The destination of a page's buttons: the short link that the page uses; otherwise the URL in the brief. */
async function destinationOf(ctx: JobContext, { creation, used }: BuildInput): Promise<string | undefined> {
  const shortLink = await linkOf(ctx, used);
  // A service without a public URL, or in development, has no https links.
  if (shortLink?.startsWith('https://')) return shortLink;
  return used.find(({ kind }) => kind === 'link')?.url ?? urlsIn(creation.brief)[0];
}

const page: ItemMaker = async (ctx, buildInput) => {
  const pages: PagesService | undefined = ctx.services.pages;
  if (pages === undefined) return { skipped: 'The plugin of pages is not composed.' };
  const { creation, defaults } = buildInput;
  const buttonUrl = await destinationOf(ctx, buildInput);
  return {
    async store(tx) {
      const brandId = defaults.brandId ?? undefined;
      const row = await pages.createDraft(tx, {
        brief: beginning(briefOf(buildInput), 8_000),
        brandId,
        buttonUrl,
        creationId: creation.id,
      });
      return { target: { kind: 'page', id: row.id }, isBuilding: true, chargesItself: true };
    },
  };
};

const sequence: ItemMaker = async (ctx, buildInput) => {
  if (ctx.sandbox) return { skipped: sandboxReason };
  const templates = buildInput.used.flatMap(({ kind, target_id: key }) =>
    kind === 'email_template' && key !== null ? [key] : [],
  );
  if (templates.length === 0) return { skipped: 'None of its templates was built.' };
  return {
    async store(tx) {
      const sequences: SequenceCalls | undefined = tx.as().sequences;
      if (sequences === undefined) throw new Error('The plugin of sequences is not composed.');
      const { id } = await sequences.create(sequenceDraft(nameOf(buildInput), templates));
      return { target: { kind: 'sequence', id } };
    },
  };
};

const blogPost: ItemMaker = async (ctx, buildInput) => {
  const blog: BlogService | undefined = ctx.services.blog;
  if (blog === undefined) return { skipped: 'The plugin of the blog is not composed.' };
  const { creation, defaults } = buildInput;
  const brand = await ctx.read(({ trx }) => ctx.services.brands.style(trx, defaults.brandId ?? undefined));
  const isBrief = await ctx.services.writer.withoutModel(ctx);
  const url = await linkOf(ctx, buildInput.used);
  const brief = isBrief ? plainBrief(buildInput) : withLink(briefOf(buildInput), url);
  const { title, excerpt, body } = await blog.write(ctx, { brief, brand });
  const text = await blog.render(body);
  return {
    async store(tx) {
      const post = await blog.createDraft(tx, { title, excerpt, body, creationId: creation.id }, text);
      return { target: { kind: 'blog_post', id: post.id } };
    },
  };
};

/** The maker of each kind. */
export const makers: Readonly<Record<ItemKind, ItemMaker>> = {
  link,
  email_template: emailTemplate,
  planned_email: plannedEmail,
  social_post: socialPost,
  page,
  blog_post: blogPost,
  sequence,
};
