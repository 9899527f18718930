// The documentation site: README.md, docs/ and the project's other pages as they are, built by `npm run docs:site` into
// site/.vitepress/dist. A link to a page that does not exist fails the build.
import { readdirSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { readSidebar } from '../sidebar.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const folders = readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [] : [entry.name]));

/** The logo of the site and its icon in browsers: a letter on its way. */
const logo = `data:image/svg+xml,${encodeURIComponent(readFileSync(new URL('../logo.svg', import.meta.url), 'utf8').trim())}`;

/** The anchor of a heading as GitHub makes it, so that links work in both places. */
const slugify = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');

// biome-ignore lint/style/noDefaultExport: VitePress reads the default export.
export default defineConfig({
  title: 'Postrider',
  description: 'Messaging and marketing automation inside your own backend',
  lang: 'en',
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: logo }],
    ['meta', { name: 'theme-color', media: '(prefers-color-scheme: light)', content: '#ffffff' }],
    ['meta', { name: 'theme-color', media: '(prefers-color-scheme: dark)', content: '#0b100d' }],
  ],
  srcDir: root,
  srcExclude: folders.filter((name) => name !== 'docs').map((name) => `${name}/**`),
  rewrites: { 'README.md': 'index.md' },
  cacheDir: fileURLToPath(new URL('./cache', import.meta.url)),
  outDir: fileURLToPath(new URL('./dist', import.meta.url)),
  markdown: {
    anchor: { slugify },
    // The usual themes have comments that are too pale on the ground of code.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(markdown) {
      // Braces of Liquid would be expressions of Vue.
      for (const rule of ['text', 'code_inline'] as const) {
        const render = markdown.renderer.rules[rule];
        markdown.renderer.rules[rule] = (...given) => (render?.(...given) ?? '').replaceAll('{{', '&#123;&#123;');
      }
      // Tables of two columns without headings have an empty head in Markdown, which a screen reader would read as headings.
      markdown.core.ruler.push('without-empty-heads', (state) => {
        const { tokens } = state;
        const ends = tokens.flatMap(({ type }, index) => (type === 'thead_close' ? [index] : []));
        for (const end of ends.reverse()) {
          const start = tokens.findLastIndex(({ type }, index) => type === 'thead_open' && index < end);
          const isEmpty = tokens.slice(start, end).every(({ type, content }) => type !== 'inline' || content === '');
          if (isEmpty) tokens.splice(start, end - start + 1);
        }
      });
      // Links to code of the repository are no pages of the site: their text stays.
      markdown.core.ruler.push('without-code-links', ({ tokens }) => {
        for (const { children } of tokens) {
          for (const [index, token] of (children ?? []).entries()) {
            if (token.type !== 'link_open' || !/^(\.\.\/)?(examples|LICENSE)/.test(token.attrGet('href') ?? ''))
              continue;
            const end = children?.slice(index).find(({ type }) => type === 'link_close');
            for (const one of [token, end]) if (one !== undefined) Object.assign(one, { tag: 'span', attrs: null });
          }
        }
      });
    },
  },
  // Pictures in HTML are named relative to docs/, without the ./ that Vite wants.
  vite: { resolve: { alias: [{ find: /^screenshots\//, replacement: `${root}docs/screenshots/` }] } },
  // Pages link to some pictures instead of showing them.
  buildEnd: ({ outDir }) => cp(join(root, 'docs/screenshots'), join(outDir, 'docs/screenshots'), { recursive: true }),
  themeConfig: {
    logo,
    sidebar: readSidebar(root),
    outline: [2, 3],
    search: { provider: 'local' },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
});
