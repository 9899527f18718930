// Icons as strokes on a grid of 20. Hidden from screen readers: the words are beside them, or on their button.
import { html, type Markup } from '../../../core/pages/browser/markup.ts';

const paths = {
  search: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12ZM13.5 13.5 17 17',
  close: 'M5 5l10 10M15 5 5 15',
  back: 'M12 4l-6 6 6 6',
  trash: 'M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6',
  desktop: 'M3 4h14v9H3zM7 16.5h6M10 13v3.5',
  mobile: 'M6.5 3h7v14h-7zM9.25 14.5h1.5',
  sun: 'M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM10 2.5v1.8M10 15.7v1.8M2.5 10h1.8M15.7 10h1.8M4.7 4.7l1.3 1.3M14 14l1.3 1.3M15.3 4.7 14 6M6 14l-1.3 1.3',
  moon: 'M16 11.8A6.5 6.5 0 0 1 8.2 4a6.5 6.5 0 1 0 7.8 7.8Z',
  copy: 'M7 7h9v9H7zM13 7V4H4v9h3',
  check: 'M4 10.5 8.2 15 16 5.5',
  external: 'M8 4H4v12h12v-4M11 4h5v5M16 4l-7 7',
  clip: 'M14.5 9.2 9.6 14a2.6 2.6 0 0 1-3.7-3.7l5.7-5.6a1.7 1.7 0 0 1 2.4 2.4L8.5 12.6',
  download: 'M10 3v9.5M6 9l4 4 4-4M4 16.5h12',
  image: 'M3 4h14v12H3zM3 13l4-4 3.5 3.5L13 10l4 4M13 7.5h.01',
  read: 'M3 8l7-4.5L17 8v8H3zM3 8l7 4.5L17 8',
  keyboard: 'M2.5 5.5h15v9h-15zM5.5 8.5h.01M8.5 8.5h.01M11.5 8.5h.01M14.5 8.5h.01M7 11.5h6',
  letter: 'M3 5h14v10H3zM3 5.5l7 5.5 7-5.5',
  file: 'M5 3h6l4 4v10H5zM11 3v4h4',
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name }: { readonly name: IconName }): Markup => html`
  <svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d=${paths[name]} /></svg>
`;
