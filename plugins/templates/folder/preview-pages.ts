// The pages of the preview: the list of templates on the left, and one template as a recipient would see it. Content of
// files is escaped. The mail itself is shown in a frame without scripts and with the same origin: only then does the
// frame's own colour scheme apply to its content.
import { escapeHtml } from '../language/escape.ts';
import { type LocalPreview, localLocales } from './local-preview.ts';
import type { TemplateFiles, TemplateFolder } from './read-folder.ts';

/** The views of a mail. */
export const views = ['desktop', 'phone', 'dark', 'text'] as const;

/** The choices that are encoded in a page's address. */
export interface PageChoice {
  readonly key: string;
  readonly view: (typeof views)[number];
  readonly locale: string | undefined;
  readonly example: number;
}

const addressOf = (kind: 'show' | 'mail', { key, view, locale, example }: PageChoice): string => {
  const query = new URLSearchParams({ view, example: String(example), ...(locale === undefined ? {} : { locale }) });
  return escapeHtml(`/${kind}/${encodeURIComponent(key)}?${query}`);
};

function page(title: string, folder: TemplateFolder, key: string | undefined, main: string): string {
  const links = folder.templates.map(({ key: name }) => {
    const current = name === key ? ' aria-current="page"' : '';
    return `<a href="/show/${encodeURIComponent(name)}"${current}>${escapeHtml(name)}</a>`;
  });
  const broken = folder.faults.map(({ message }) => `<li>${escapeHtml(message)}</li>`).join('');
  return `<!doctype html>
<html lang="en" data-changes="/changes">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/preview.css">
<script src="/preview.js" defer></script>
</head>
<body>
<nav aria-label="Templates"><h1>Templates</h1>${links.join('')}${broken === '' ? '' : `<ul class="faults">${broken}</ul>`}</nav>
<main>${main}</main>
</body>
</html>
`;
}

function choiceList(label: string, choices: readonly { name: string; address: string; chosen: boolean }[]): string {
  if (choices.length < 2) return '';
  const items = choices.map(
    ({ name, address, chosen }) =>
      `<li><a href="${address}"${chosen ? ' aria-current="true"' : ''}>${escapeHtml(name)}</a></li>`,
  );
  return `<ul aria-label="${label}">${items.join('')}</ul>`;
}

/** The page of one template. */
export function templatePage(
  folder: TemplateFolder,
  files: TemplateFiles,
  choice: PageChoice,
  preview: LocalPreview,
  examples: number,
): string {
  const languages = localLocales(files);
  const choices = [
    choiceList(
      'View',
      views.map((view) => ({
        name: view,
        address: addressOf('show', { ...choice, view }),
        chosen: view === choice.view,
      })),
    ),
    choiceList(
      'Language',
      languages.map((locale) => ({
        name: locale,
        address: addressOf('show', { ...choice, locale }),
        chosen: locale === (choice.locale ?? languages[0]),
      })),
    ),
    choiceList(
      'Example',
      Array.from({ length: examples }, (_, example) => ({
        name: `example ${example + 1}`,
        address: addressOf('show', { ...choice, example }),
        chosen: example === choice.example,
      })),
    ),
  ];
  const mailHead = preview.ok
    ? `<h2>${escapeHtml(preview.subject)}</h2><p>${escapeHtml(preview.previewText)}</p>`
    : `<h2>${escapeHtml(files.key)}</h2><p>It does not compile yet.</p>`;
  const mailView = !preview.ok
    ? `<ul class="faults">${preview.faults.map((fault) => `<li>${escapeHtml(fault)}</li>`).join('')}</ul>`
    : choice.view === 'text'
      ? `<pre>${escapeHtml(preview.text)}</pre>`
      : `<iframe sandbox="allow-same-origin" class="${choice.view === 'dark' ? 'dark' : `light ${choice.view}`}" src="${addressOf('mail', choice)}" title="The mail"></iframe>`;
  const main = `<header><div>${mailHead}</div><div class="choices">${choices.join('')}</div></header>${mailView}`;
  return page(files.key, folder, files.key, main);
}

/** The page for an empty folder, or for an address that matches no template. */
export const emptyPage = (folder: TemplateFolder, sentence: string): string =>
  page('Templates', folder, undefined, `<header><div><h2>Templates</h2><p>${escapeHtml(sentence)}</p></div></header>`);
