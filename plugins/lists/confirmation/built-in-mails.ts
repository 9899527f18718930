// The confirmation mail, and the mail with the lead magnet of a form, in the style of the brand. If a workspace publishes
// templates with their keys, its templates replace the built-in mails. Called by send-confirmations.ts and gift-mail.ts.
import { type ChosenTexts, escapeHtml } from '../../../core/unstable.ts';
import type { BrandStyle } from '../../brand/index.ts';
import type { BuiltInMail } from '../../templates/index.ts';
import type { ListTexts } from '../texts.ts';

/** The key of the template that a workspace may publish to replace the confirmation mail. */
export const confirmationTemplate = 'confirm-subscription';

/** At most 60 letters, marks, spaces, hyphens, apostrophes, and dots that no letter follows. Such text cannot become a link. */
const namePattern = /^(?!.*\.[\p{L}\p{M}])[\p{L}\p{M} .'’-]{1,60}$/u;

/**
 * The name from a form, if it is safe to show in mail; otherwise empty. A visitor may enter any address. Without this check, they could
 * have the workspace send their own text to it.
 */
export const nameFromForm = (input: string): string => (namePattern.test(input) ? input : '');

/** The key of the template for the mail with the lead magnet of a form. */
export const giftTemplate = 'lead-magnet';

const contract = {
  type: 'object',
  properties: {
    name: { type: 'string', default: '' },
    list: { type: 'string' },
    url: { type: 'string', format: 'uri' },
  },
  required: ['list', 'url'],
  additionalProperties: false,
};

const giftContract = {
  type: 'object',
  properties: { title: { type: 'string' }, url: { type: 'string', format: 'uri' } },
  required: ['title', 'url'],
  additionalProperties: false,
};

const stacks = { sans: 'Helvetica,Arial,sans-serif', serif: 'Georgia,serif', mono: 'monospace' } as const;

/** The colours and font for a workspace without a brand. */
const neutral = { paper: '#ffffff', ink: '#1d2129', act: '#1f3a5f', font: stacks.sans };

/** Replaces `{list}` and `{name}` with variables of the template. */
const withVariables = (text: string, list = '{{ list }}'): string =>
  text.replace('{list}', () => list).replace('{name}', '{{ name }}');

/** The parts of both mails, as HTML that may contain variables. */
interface Parts {
  readonly title: string;
  readonly before: string;
  readonly button: string;
  readonly after: string;
}

type ReadableOn = (colour: string) => string;
type Chosen = ChosenTexts<ListTexts>;

/** A mail with one button. `readableOn` returns the colour of text on it. */
function documentOf(look: BrandStyle | undefined, readableOn: ReadableOn, { language, texts }: Chosen, parts: Parts) {
  const { direction = 'ltr' } = texts;
  const { paper, ink, act, font } =
    look === undefined
      ? neutral
      : {
          paper: look.palette.background,
          ink: look.palette.text,
          act: look.palette.primary,
          font: stacks[look.fonts.body.fallback],
        };
  const { title, before, button, after } = parts;
  return `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title></head>
<body style="margin:0;padding:0;background-color:${paper}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px"><tr><td style="font-family:${font};font-size:16px;line-height:1.5;color:${ink}">
<h1 style="margin:0 0 16px;font-size:24px;line-height:1.25">${title}</h1>
${before}
<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td style="border-radius:8px;background-color:${act}"><a href="{{ url }}" style="display:inline-block;padding:14px 28px;font-family:${font};font-size:16px;font-weight:bold;color:${readableOn(act)};text-decoration:none">${button}</a></td></tr></table>
<p style="margin:24px 0 0">${after}</p>
</td></tr></table>
</td></tr></table>
</body></html>`;
}

/** The built-in confirmation mail, in the chosen language. */
export function builtInConfirmation(look: BrandStyle | undefined, readableOn: ReadableOn, chosen: Chosen): BuiltInMail {
  const { mail } = chosen.texts;
  return {
    subject: withVariables(mail.subject),
    previewText: mail.preview,
    html: documentOf(look, readableOn, chosen, {
      title: escapeHtml(mail.title),
      before: `{% if name != "" %}<p style="margin:0 0 16px">${withVariables(escapeHtml(mail.greeting))}</p>{% endif %}
<p style="margin:0 0 24px">${withVariables(escapeHtml(mail.request), '<strong>{{ list }}</strong>')}</p>`,
      button: escapeHtml(mail.button),
      after: escapeHtml(mail.ignore),
    }),
    text: `{% if name != "" %}${withVariables(mail.greeting)}

{% endif %}${withVariables(mail.request)}

{{ url }}

${mail.ignore}
`,
    contract,
  };
}

/** The built-in mail with the lead magnet of a form, in the chosen language. */
export function builtInGiftMail(look: BrandStyle | undefined, readableOn: ReadableOn, chosen: Chosen): BuiltInMail {
  const { leadMagnet } = chosen.texts;
  return {
    subject: '{{ title }}',
    previewText: leadMagnet.text,
    html: documentOf(look, readableOn, chosen, {
      title: '{{ title }}',
      before: `<p style="margin:0 0 24px">${escapeHtml(leadMagnet.text)}</p>`,
      button: escapeHtml(leadMagnet.button),
      after: escapeHtml(leadMagnet.validity),
    }),
    text: `${leadMagnet.text}

{{ title }}
{{ url }}

${leadMagnet.validity}
`,
    contract: giftContract,
  };
}
