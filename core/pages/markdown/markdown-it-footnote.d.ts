// The package has no types of its own, and third-party types are for an older markdown-it.
declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it';

  function footnotes(markdown: MarkdownIt): void;

  // biome-ignore lint/style/noDefaultExport: the package has a default export
  export { footnotes as default };
}
