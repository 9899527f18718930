// The icons of the navigation: 16 px, one stroke, decoration only. An entry without an icon shows the first letter of its title.
import { type Html, html } from '../../core/unstable.ts';

/** Paths by the title of the entry. */
const paths: Readonly<Record<string, string>> = {
  Overview: 'M2 2h5v7H2zM9 2h5v4H9zM9 8h5v6H9zM2 11h5v3H2z',
  Sends: 'M14 2 7 9M14 2 9.5 14 7 9 2 6.500z',
  Inbox: 'M2 9h3.500l1 2h3l1-2H14M2 9l2-6h8l2 6v4H2z',
  Broadcasts: 'M2 6v4h2l6 3V3L4 6zM12.500 6a3 3 0 0 1 0 4',
  Contacts: 'M8 8a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM3 14c0-2.500 2-4 5-4s5 1.500 5 4',
  Lists: 'M5.500 4H14M5.500 8H14M5.500 12H14M2 4h.500M2 8h.500M2 12h.500',
  Segments: 'M8 2a6 6 0 1 0 6 6H8zM10.500 2a4 4 0 0 1 3.500 3.500h-3.500z',
  Topics: 'M2 2h5l7 7-5 5-7-7zM5 5h.010',
  Suppressions: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM4 4l8 8',
  Sequences: 'M2 3h4v4H2zM10 9h4v4h-4zM6 5h4a2 2 0 0 1 2 2v2',
  Templates: 'M3 2h10v12H3zM5.500 5.500h5M5.500 8h5M5.500 10.500h3',
  Social:
    'M4 8a1.500 1.500 0 1 0 0 .01M12 4a1.500 1.500 0 1 0 0 .01M12 12a1.500 1.500 0 1 0 0 .01M5.500 7.300l5-2.600M5.500 8.700l5 2.600',
  'Social events': 'M9 1.500 3 9h4l-1 5.500L12.500 7h-4z',
  Pages: 'M2 3h12v10H2zM2 6h12M4.500 8.500h4M4.500 10.500h4',
  Brands:
    'M8 2a6 6 0 1 0 0 12c1.500 0 1.500-1.500 1-2s0-2 1.500-2H12a2 2 0 0 0 2-2.500A6 6 0 0 0 8 2zM5 7h.010M8 5h.010M11 7h.010',
  Members:
    'M6 8a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM1.500 13.500c0-2.500 2-4 4.500-4s4.500 1.500 4.500 4M11 3.500a2 2 0 0 1 0 4M12 10c1.500.500 2.500 1.500 2.500 3.500',
  'Plan and limits': 'M2 13a6 6 0 1 1 12 0zM8 12l3-5',
  SMS: 'M2 3h12v8H7l-3 3v-3H2zM5 6h6M5 8.500h4',
  Assets: 'M2 3h12v10H2zM2 11l4-4 3 3 2-2 3 3M10.500 6h.010',
  Events: 'M6 3 2 8l4 5M10 3l4 5-4 5',
  Domains: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM2 8h12M8 2c3 3.500 3 8.500 0 12M8 2c-3 3.500-3 8.500 0 12',
  Connectors: 'M6 4H3v3M3 4l4 4M10 12h3V9M13 12L9 8M5 12a1.500 1.500 0 1 0 0 .010M11 4a1.500 1.500 0 1 0 0 .010',
  Blog: 'M3 2h10v12H3zM5.500 5h5v2.500h-5zM5.500 10h5M5.500 12h3',
  'Lead magnets': 'M4 2v6a4 4 0 0 0 8 0V2H9.500v6a1.500 1.500 0 0 1-3 0V2zM4 4.500h2.500M9.500 4.500H12',
  Designs: 'M2 2h8v8H2zM6 6h8v8H6z',
  Creations: 'M8 1.500v4M8 10.500v4M1.500 8h4M10.500 8h4M4 4l2 2M10 10l2 2M12 4l-2 2M6 10l-2 2',
  'Content plan': 'M2 4h12v10H2zM2 7h12M5 2v3M11 2v3M5 10h2M9 10h2',
  'Market news':
    'M2 3h9v10H3.500A1.500 1.500 0 0 1 2 11.500zM11 6h3v5.500a1.500 1.500 0 0 1-3 0M4.500 6h4M4.500 8.500h4',
  Links:
    'M6.500 9.500a2.500 2.500 0 0 0 3.500 0l3-3A2.500 2.500 0 0 0 9.500 3L8 4.500M9.500 6.500a2.500 2.500 0 0 0-3.500 0l-3 3A2.500 2.500 0 0 0 6.500 13L8 11.500',
  'QR codes': 'M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h2v2H9zM12 12h2v2h-2z',
  Approvals: 'M2 8.500 6 12.500 14 4',
  Reputation: 'M8 14s-5-2.500-5-7V3l5-1.500L13 3v4c0 4.500-5 7-5 7zM6 7.500 7.500 9 10.500 6',
  Jobs: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1.500v2M8 12.500v2M1.500 8h2M12.500 8h2M3.400 3.400l1.400 1.400M11.200 11.200l1.400 1.400M3.400 12.600l1.400-1.400M11.200 4.800l1.400-1.400',
  Requests: 'M2 5h11M10 2l3 3-3 3M14 11H3M6 8l-3 3 3 3',
  Audit: 'M4 2h6l3 3v9H4zM10 2v3h3M6 8h5M6 11h5',
  Webhooks:
    'M5 4h6M5 12h6M8 4v8M3 4a1.500 1.500 0 1 0 0 .01M13 4a1.500 1.500 0 1 0 0 .01M3 12a1.500 1.500 0 1 0 0 .01M13 12a1.500 1.500 0 1 0 0 .01',
  'API keys': 'M10 2a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM7 9l-5 5M4 12l1.500 1.500',
  'Connected apps': 'M6 2v3M10 2v3M4 5h8v3a4 4 0 0 1-8 0zM8 12v2',
  'API reference': 'M5.500 4 2 8l3.500 4M10.500 4 14 8l-3.500 4',
};

/** The icon of an entry. */
export function iconOf(title: string): Html {
  const path = Object.hasOwn(paths, title) ? paths[title] : undefined;
  if (path === undefined)
    return html`<span class="letter" aria-hidden="true">${title.slice(0, 1).toUpperCase()}</span>`;
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`;
}
