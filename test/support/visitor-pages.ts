// Every page that visitors see, of one workspace whose contents are in one language. For the tests in a browser.
import { createServer, type Server } from 'node:http';
import { definePlugin, definePublicRoute } from '../../core/index.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { nodeHost } from '../../hosts/node/index.ts';
import { createTestService, type TestService } from '../../hosts/testing/index.ts';
import { blogPlugin } from '../../plugins/blog/index.ts';
import { tagSlug } from '../../plugins/blog/tags.ts';
import { giftPath, giftToken } from '../../plugins/lead-magnets/gift/token.ts';
import { importPage } from '../../plugins/pages/import/import-page.ts';
import { png } from './asset-files.ts';
import { writePage } from './fill-placeholders.ts';
import { freePort } from './free-port.ts';
import { form, signedTimeIn } from './list-bench.ts';
import { everySection } from './page-sections.ts';
import { bareStandardPlugins } from './plugins.ts';
import { urlsOf, visit } from './tracked-mail.ts';
import { type SampleLanguage, type SampleWords, sampleWords } from './visitor-words.ts';

type Ids = (typeof bareStandardPlugins)[number]['id'];
type Bench = TestService<Ids>;

/** The fields of sections whose values are texts for visitors. */
const textFields = new Set(['heading', 'text', 'title', 'label', 'value', 'consentText', 'thanks', 'alt']);
/** The fields of sections whose values are lists of texts for visitors. */
const textListFields = new Set(['columns', 'values', 'options']);

/** The same value with its words replaced. Numbers and amounts stay. */
function translated(value: unknown, words: Pick<SampleWords, 'title' | 'sentence'>, field = ''): unknown {
  if (typeof value === 'string') {
    const isText = textFields.has(field) && /\p{L}/u.test(value);
    return isText ? (field === 'text' ? words.sentence : words.title) : value;
  }
  if (Array.isArray(value))
    return value.map((one, index) =>
      textListFields.has(field) ? `${words.title} ${index + 1}` : translated(one, words),
    );
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, translated(inner, words, name)]));
}

/** A button of a page, and the fields that a visitor fills in before pressing it. */
interface PressedButton {
  /** A CSS selector. */
  readonly button: string;
  /** The values by the name of their field. (Default: none) */
  readonly fields?: Readonly<Record<string, string>>;
  /** (Default: 1) */
  readonly times?: number;
}

/** A page, and what a visitor does there before it is looked at. */
export interface VisitorPage {
  readonly name: string;
  readonly url: string;
  /** Whether its content has a language of its own. Other pages are in a language of the browser. (Default: false) */
  readonly hasContent?: boolean;
  /** (Default: nothing) */
  readonly press?: PressedButton;
}

/** A mail that the service writes itself. */
export interface VisitorMail {
  readonly name: string;
  readonly html: string;
}

export interface VisitorPages {
  readonly bench: Bench;
  readonly server: Server;
  readonly pages: readonly VisitorPage[];
}

const logo = (colour: string): string =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="40"><rect width="40" height="40" rx="8" fill="${colour}"/><circle cx="70" cy="20" r="16" fill="none" stroke="${colour}" stroke-width="6"/></svg>`,
  ).toString('base64');

/** The HTML of a mail with all pictures replaced by a logo that needs no network. */
const withLogo = (html: string): string =>
  html.replaceAll(/ src="http[^"]*"/g, ` src="data:image/svg+xml;base64,${logo('#b4541a')}"`);

const broken = definePlugin({
  id: 'broken',
  publicRoutes: [
    definePublicRoute({
      http: 'GET /broken',
      description: 'A page that fails.',
      handler: async () => {
        throw new Error('This page always fails.');
      },
    }),
  ],
});

/** The objectives of pages in the words that the embedded writer understands. It cannot write Hebrew. */
const objectives = {
  event: 'A course in March',
  sale: 'Sell our product',
  leads: 'Sign-ups for the newsletter',
  contact: 'Questions',
} as const;
const purposesIn = (language: SampleLanguage) =>
  language === 'he' ? [] : (Object.keys(objectives) as (keyof typeof objectives)[]);

const email = 'ada@example.org';

/** A service, its workspace and the words of its contents. */
interface Stage {
  readonly bench: Bench;
  readonly language: SampleLanguage;
  readonly words: SampleWords;
  readonly host: string;
}

/** Creates the brand and the language setting of a workspace. Returns the asset id of a picture. */
async function createBrand({ bench, language, words }: Stage, workspaceId: string): Promise<string> {
  const { assets, brand, marketing } = bench.service.as(workspaceId);
  const { assetId } = await assets.create({
    name: 'loaf.png',
    alt: words.title,
    dataBase64: png(120, 80).toString('base64'),
  });
  const mark = await assets.create({ name: 'logo.svg', alt: words.brand, dataBase64: logo('#b4541a') });
  await brand.create({
    ...{ name: words.brand, postal_address: `${words.brand}\n10115 Berlin` },
    palette: { primary: '#0b6e4f', text: '#1d2129', background: '#fffdf5' },
    logos: { light: { assetId: mark.assetId } },
    ...{ imprint_url: 'https://example.com/imprint', privacy_url: 'https://example.com/privacy' },
  });
  await marketing.defaultsSet({ language });
  return assetId;
}

/** Publishes a page with the form of a lead magnet, and sends the form as a visitor. Returns the link in the mail to the visitor. */
async function requestLeadMagnet({ bench, language, words, host }: Stage): Promise<string> {
  const { leadMagnets, pages } = bench.service.as(bench.workspaceId);
  const chapters = [{ heading: words.title, text: words.sentence }];
  const magnet = await leadMagnets.create({ title: words.title, chapters });
  await leadMagnets.export({ id: magnet.id });
  const { id } = await pages.create({ brief: 'A page for our book.', slug: 'book', length: 'short' });
  await bench.drain();
  const fields = [{ name: 'email', type: 'email', label: words.title, required: true }] as const;
  await pages.update({
    idOrSlug: id,
    title: words.title,
    metadata: { language, title: words.title },
    sections: [
      { kind: 'lead_form', heading: words.title, form: { formId: 'book', fields, leadMagnetId: magnet.id } },
    ] as never,
  });
  await pages.publish({ idOrSlug: id });
  const send = (values: Readonly<Record<string, string>>) => {
    const posted = form(values);
    return visit(bench, '/p/book/forms/book', { ...posted, headers: { ...posted.headers, host } });
  };
  const shown = await send({});
  bench.advanceClock(3_000);
  await send({ email: 'nur@example.org', shown_at: signedTimeIn(shown.text) });
  await bench.drain();
  return urlsOf(bench.lastMailTo('nur@example.org') ?? {}).links[0] ?? '';
}

/** Publishes landing pages: with every kind of section, for each objective, and imported as HTML. Returns the URL of a preview. */
async function publishLandingPages({ bench, language, words }: Stage, assetId: string): Promise<string> {
  const calls = bench.service.as(bench.workspaceId);
  const { pages } = calls;
  const course = await pages.create({ brief: 'A page for our course.', slug: 'course', length: 'short' });
  for (const purpose of purposesIn(language)) {
    const brief = `“${words.title}”. ${words.sentence}`;
    await pages.create({ brief, objective: objectives[purpose], slug: `for-${purpose}`, length: 'long' });
  }
  await bench.drain();
  await pages.update({
    idOrSlug: course.id,
    title: words.title,
    metadata: { language, title: words.title },
    sections: translated(everySection(assetId), words) as never,
  });
  const { core } = bench.service;
  await inWorkspace(core, await readWorkspace(core, bench.workspaceId), (ctx) =>
    importPage(ctx, ctx.newId('page'), {
      ...{ title: words.title, description: words.sentence, language, slug: 'imported' },
      html: `<h1>${words.title}</h1><p>${words.sentence}</p><table><tr><th>${words.title}</th><td>1</td></tr></table><ul><li>${words.longWord}</li></ul>`,
    }),
  );
  for (const purpose of purposesIn(language)) {
    await writePage(calls, `for-${purpose}`);
    await pages.publish({ idOrSlug: `for-${purpose}` });
  }
  await pages.publish({ idOrSlug: 'imported' });
  return (await pages.publish({ idOrSlug: course.id })).previewUrl ?? '';
}

/** Publishes more posts than a page of the list shows. Returns the URL of a preview. */
async function publishPosts({ bench, words }: Stage, coverAssetId: string): Promise<string> {
  const { blog } = bench.service.as(bench.workspaceId);
  for (let count = 1; count <= 20; count += 1) {
    const { id } = await blog.create({ title: `${words.title} ${count}`, body: words.sentence });
    await blog.publish({ idOrSlug: id });
    bench.advanceClock(60_000);
  }
  const post = await blog.create({
    ...{ title: `${words.title} ${words.longWord}`, slug: 'post', excerpt: words.sentence, coverAssetId },
    body: `${words.sentence}[^1]\n\n## ${words.title}\n\n1. ${words.title}\n2. ${words.longWord}\n\n> ${words.sentence}\n\n| ${words.title} | A |\n|:--|--:|\n| ${words.title} | 1 |\n\n\`\`\`\nnpm install\n\`\`\`\n\n[^1]: ${words.sentence}`,
    tags: [words.brand],
  });
  return (await blog.publish({ idOrSlug: post.id })).previewUrl ?? '';
}

/** Sends mails to people whose language is that of the contents. Returns the URLs in these mails, and their HTML. */
async function sendMails({ bench, language, words }: Stage) {
  const { contacts, email: mail, lists, templates, topics } = bench.service.as(bench.workspaceId);
  const { listId, subscribeUrl } = await lists.create({
    ...{ name: words.title, visibility: 'public', optin: 'double', description: words.sentence },
  });
  await topics.create({ key: 'news', name: words.title, description: words.sentence, default: 'subscribed' });
  const contact = await contacts.upsert({ email, attributes: { locale: language, first_name: words.brand } });
  await lists.membersAdd({ listId, contactIds: [contact.id] });
  await bench.drain();
  const confirmation = bench.lastMailTo(email);
  await templates.create({
    ...{ key: 'letter', mode: 'html', category: 'marketing', topicKey: 'news', subject: words.title },
    body: `<p>${words.sentence} <a href="%unsubscribe_url%">X</a></p>`,
  });
  await templates.publish({ key: 'letter' });
  await mail.send({ template: 'letter', to: email });
  await bench.drain();
  const { core } = bench.service;
  const gift = { email: 'bob@example.org', language, label: words.title, url: 'https://example.com/book.pdf' };
  await inWorkspace(core, await readWorkspace(core, bench.workspaceId), (ctx) =>
    core.services.lists.sendGift(ctx, gift),
  );
  await bench.drain();
  const { links } = urlsOf(bench.lastMailTo(email) ?? {});
  return {
    ...{ listId, subscribe: subscribeUrl ?? '', confirm: urlsOf(confirmation ?? {}).links[0] ?? '' },
    ...{ unsubscribe: links[0] ?? '', preferences: links.at(-1) ?? '' },
    mails: [
      { name: 'confirmation', html: withLogo(confirmation?.html ?? '') },
      { name: 'lead magnet', html: withLogo(bench.lastMailTo(gift.email)?.html ?? '') },
    ],
  };
}

async function makeLinks({ bench }: Stage): Promise<void> {
  const { links } = bench.service.as(bench.workspaceId);
  const to = 'https://example.com/spring';
  for (const slug of ['secret', 'guarded']) await links.create({ destinationUrl: to, slug, password: 'tulip-7' });
  const soon = new Date(bench.now() + 1_000).toISOString();
  await links.create({ destinationUrl: to, slug: 'late', expiresAt: soon });
  const { linkId } = await links.create({ destinationUrl: to, slug: 'old' });
  await links.archive({ linkId });
  bench.advanceClock(2_000);
}

/** Opens a service whose two workspaces have a brand. */
async function openStage(language: SampleLanguage, publicUrl: string, listId: () => string | undefined) {
  const own = blogPlugin({ subscribeList: (id) => (id === bench.workspaceId ? listId() : undefined) });
  const plugins = [...bareStandardPlugins.map((plugin) => (plugin.id === 'blog' ? own : plugin)), broken];
  const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const bench: Bench = await createTestService<Ids>({
    ...{ publicUrl, logger },
    plugins: plugins as typeof bareStandardPlugins,
  });
  const stage: Stage = { bench, language, words: sampleWords[language], host: `${language}.localhost` };
  const assetId = await createBrand(stage, bench.workspaceId);
  await createBrand(stage, bench.foreignWorkspaceId);
  await bench.service.workspaces.update(bench.workspaceId, { contentHost: stage.host });
  return { stage, assetId };
}

/** The mails that the service writes itself to people with this language. */
export async function visitorMails(language: SampleLanguage): Promise<readonly VisitorMail[]> {
  const { stage } = await openStage(language, 'https://example.com', () => undefined);
  try {
    return (await sendMails(stage)).mails;
  } finally {
    await stage.bench.close();
  }
}

/** Opens a service with all of these pages. */
export async function openVisitorPages(language: SampleLanguage): Promise<VisitorPages> {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  let listId: string | undefined;
  const { stage, assetId } = await openStage(language, publicUrl, () => listId);
  const { bench, words, host } = stage;
  const mailed = await sendMails(stage);
  listId = mailed.listId;
  const gift = await requestLeadMagnet(stage);
  const preview = await publishLandingPages(stage, assetId);
  const postPreview = await publishPosts(stage, assetId);
  await makeLinks(stage);
  const { keyring } = bench.service.core.ports;
  const expired = giftPath(giftToken(keyring, { id: 'lm_01ARZ3NDEKTSV4RRFFQ69G5FAV', sandbox: false }, bench.now()));

  const server = createServer(nodeHost(bench.service));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const localUrl = (url: string): string => url.replace(`https://${host}/`, `http://${host}:${port}/`);
  const on = (path: string): string => `http://${host}:${port}${path}`;
  // These requests exceed the rate limit, so the next request gets the page for too many requests.
  for (let count = 0; count < 31; count += 1)
    await fetch(`${publicUrl}/p/${bench.workspaceId}/robots.txt`, { redirect: 'manual' });

  const content = (name: string, url: string, press?: PressedButton): VisitorPage => ({
    ...{ name, url: localUrl(url), hasContent: true },
    ...(press === undefined ? {} : { press }),
  });
  const page = (name: string, url: string, press?: PressedButton): VisitorPage => ({
    ...content(name, url, press),
    hasContent: false,
  });
  const typed = { email: 'ada@example', name: words.brand };
  return {
    ...{ bench, server },
    pages: [
      content('landing page', on('/p/course')),
      ...purposesIn(language).map((purpose) => content(`landing page ${purpose}`, on(`/p/for-${purpose}`))),
      content('imported page', on('/p/imported')),
      content('landing page preview', preview),
      content('thanks', on('/p/course?sent=signup#form-signup')),
      content('form faults', on('/p/course'), { button: '#form-signup button', fields: typed }),
      page('no landing page', on('/p/none')),
      content('blog', on('/blog')),
      content('blog second page', on('/blog?page=2')),
      content('blog tag', on(`/blog/tags/${encodeURIComponent(tagSlug(words.brand))}`)),
      content('blog empty', `${publicUrl}/p/${bench.foreignWorkspaceId}/blog`),
      content('post', on('/blog/post')),
      content('post preview', postPreview),
      page('no post', on('/blog/none')),
      page('subscribe', mailed.subscribe),
      page('subscribe faults', mailed.subscribe, { button: 'form button', fields: typed }),
      page('subscribed', `${mailed.subscribe}?sent`),
      page('no list', on('/lists/none')),
      page('confirm', mailed.confirm),
      page('confirmed', mailed.confirm, { button: 'form button' }),
      page('confirmed with a lead magnet', gift, { button: 'form button' }),
      page('confirm of an incomplete link', on('/c/x')),
      page('confirmed of an incomplete link', on('/c/x'), { button: 'form button' }),
      page('preferences', mailed.preferences),
      page('preferences saved', mailed.preferences, { button: 'button[value=save]' }),
      page('preferences stopped', mailed.preferences, { button: 'button[value=stop]' }),
      page('preferences of an incomplete link', on('/preferences/x')),
      page('unsubscribe', mailed.unsubscribe),
      page('unsubscribed', mailed.unsubscribe, { button: 'form button[value=unsubscribe]' }),
      page('unsubscribed from all', mailed.unsubscribe, { button: 'form button[value=stop]' }),
      page('unsubscribe of an incomplete link', on('/u/x')),
      page('dead link of a mail', on('/t/c/x')),
      page('file of an incomplete link', on('/gifts/x')),
      page('file of an expired link', on(expired)),
      page('password', `${publicUrl}/l/secret`),
      page('wrong password', `${publicUrl}/l/secret`, { button: 'form button', fields: { password: 'rose' } }),
      page('too many passwords', `${publicUrl}/l/guarded`, {
        ...{ button: 'form button', fields: { password: 'rose' }, times: 6 },
      }),
      page('expired link', `${publicUrl}/l/late`),
      page('archived link', `${publicUrl}/l/old`),
      page('unknown link', `${publicUrl}/l/none`),
      page('unknown link of the sender', on('/l/none')),
      page('no picture', on('/media/x')),
      page('unknown path', on('/nothing-here')),
      page('too many requests', `${publicUrl}/p/${bench.workspaceId}/robots.txt`),
      page('failure', on('/broken')),
      // These pages are last, because they use up the forms that a visitor may send in a minute.
      content('form sent too often', on('/p/course'), { button: '#form-signup button', fields: typed, times: 6 }),
      page('subscribe too often', mailed.subscribe, { button: 'form button', fields: typed }),
    ],
  };
}
