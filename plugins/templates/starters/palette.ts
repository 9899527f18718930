// The colours and typefaces of the starters, once for light and once for dark. Read by the fragments and the starters. Neither
// mode has pure white or black: clients that invert colours by themselves change pure white and black the most.

export const light = {
  page: '#f3f1eb',
  card: '#fefdfb',
  sunk: '#f1f4ef',
  band: '#1c5a44',
  line: '#dddbd2',
  ink: '#1e2420',
  soft: '#59625c',
  accent: '#1c5a44',
  onAccent: '#f8fcf9',
  onBand: '#f8fcf9',
  onBandSoft: '#c9e2d6',
} as const;

export const dark = {
  page: '#131614',
  card: '#1c201e',
  sunk: '#262c28',
  band: '#1b4636',
  line: '#3d4540',
  ink: '#eceee9',
  soft: '#a9b2ac',
  accent: '#8fd4b4',
  onAccent: '#10231a',
  onBand: '#f1f8f4',
  onBandSoft: '#b9d6c8',
} as const;

export const sans = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
export const mono = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace";

/** Outlook for Windows lays out mails with Word, which uses Times New Roman if it does not know the first typeface. */
export const outlookSans = "'Segoe UI', Arial, sans-serif";
export const outlookMono = 'Consolas, monospace';
