// The document of the built-in mails: the sender's logo and colours, light and dark, one button, the sender's address. Called by
// built-in-mails.ts. Pure.
import {
  type ChosenTexts,
  directionOf,
  escapeHtml,
  fontStack,
  legalAnchors,
  readable,
  readableOn,
} from '../../../core/unstable.ts';
import type { BrandStyle } from '../../brand/index.ts';
import type { ListTexts } from '../texts.ts';

/** The sender of a mail. */
export interface MailSender {
  readonly name: string;
  /** Undefined if the workspace has no brand. */
  readonly style: BrandStyle | undefined;
}

/** The parts of a mail, as HTML that may contain variables. */
export interface MailParts {
  readonly title: string;
  readonly before: string;
  readonly button: string;
  readonly after: string;
}

const neutral = { background: '#ffffff', text: '#1d2129', primary: '#1f3a5f' } as const;
const systemFont = { family: 'Helvetica', fallback: 'sans' } as const;
const dark = { page: '#16181c', ink: '#f2f2ef', soft: '#b9bcc2', line: '#43474e' } as const;

/** A text of the sender as HTML in a Liquid template. Its opening braces are escaped, so that Liquid does not read them. */
export const senderHtml = (text: string): string => escapeHtml(text).replaceAll('{', '&#123;');

/** A text of the sender as plain text in a Liquid template. Its opening braces are escaped, so that Liquid does not read them. */
export const senderText = (text: string): string => text.replaceAll('{', () => "{{ '{' }}");

/** Dark mode by the mail program's setting, and by the attributes that Outlook on the web sets. */
const darkRules = (before: string): string => `${before}.page { background-color: ${dark.page} !important; }
${before}.ink { color: ${dark.ink} !important; }
${before}.soft, ${before}.soft a { color: ${dark.soft} !important; }
${before}.line { border-color: ${dark.line} !important; }
${before}.logo img { padding: 6px 10px; border-radius: 6px; background-color: #ffffff; }`;

function logoHtml({ name, style }: MailSender): string {
  const logo = style?.logos.light ?? style?.logos.dark;
  const words = senderHtml(name);
  if (logo == null) return `<bdi>${words}</bdi>`;
  return `<span class="logo"><img src="${senderHtml(logo.url)}" alt="${words}" height="40" style="display:inline-block;border:0;height:40px;width:auto;max-width:220px"></span>`;
}

/** Name, postal address and legal pages of the sender. */
function footerHtml({ name, style }: MailSender, language: string): string {
  const address = (style?.postal_address ?? '').split('\n').filter((line) => line !== '');
  const lines = [name, ...address].map((line) => `<bdi>${senderHtml(line)}</bdi>`).join('<br>');
  const legal =
    style === undefined
      ? ''
      : legalAnchors({ imprintUrl: style.imprint_url, privacyUrl: style.privacy_url }, language).replaceAll(
          '{',
          '&#123;',
        );
  return `${lines}${legal === '' ? '' : `<br>${legal.trim()}`}`;
}

/** Name and postal address of the sender, below the text part of a mail. */
export const footerText = ({ name, style }: MailSender): string =>
  senderText([name, ...(style?.postal_address ?? '').split('\n')].filter((line) => line !== '').join('\n'));

/** A mail with one button. */
export function mailDocument(
  sender: MailSender,
  { language, texts }: ChosenTexts<ListTexts>,
  parts: MailParts,
): string {
  const direction = texts.direction ?? directionOf(language);
  const { background: paper, text, primary: act } = sender.style?.palette ?? neutral;
  const ink = readable(text, paper);
  const font = fontStack(sender.style?.fonts.body ?? systemFont, language).replaceAll('"', "'");
  const { title, before, button, after } = parts;
  return `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${title}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
${darkRules('')}
}
</style>
<style>
${darkRules('[data-ogsc] ')}
</style>
</head>
<body class="page" dir="${direction}" style="margin:0;padding:0;background-color:${paper}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:${paper}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" dir="${direction}" style="max-width:520px"><tr><td class="ink" style="font-family:${font};font-size:16px;line-height:1.5;color:${ink};overflow-wrap:anywhere;word-break:break-word;text-align:${direction === 'rtl' ? 'right' : 'left'}">
<p style="margin:0 0 28px;font-size:18px;font-weight:bold">${logoHtml(sender)}</p>
<h1 style="margin:0 0 16px;font-size:26px;line-height:1.25"><bdi>${title}</bdi></h1>
${before}
<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td style="border-radius:8px;background-color:${act}"><a href="{{ url }}" style="display:inline-block;padding:14px 28px;border:1px solid ${act};border-radius:8px;font-family:${font};font-size:16px;font-weight:bold;color:${readableOn(act)};text-decoration:none">${button}</a></td></tr></table>
<p style="margin:24px 0 0">${after}</p>
<p class="soft line" style="margin:36px 0 0;padding:16px 0 0;border-top:1px solid #d5d7db;font-size:14px;color:${ink}">${footerHtml(sender, language)}</p>
</td></tr></table>
</td></tr></table>
</body></html>`;
}
