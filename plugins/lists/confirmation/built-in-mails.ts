// The confirmation mail, and the mail with the lead magnet of a form, in the style of the brand. If a workspace publishes
// templates with their keys, its templates replace the built-in mails. Called by send-confirmations.ts and gift-mail.ts.
import { type ChosenTexts, escapeHtml } from '../../../core/unstable.ts';
import type { BuiltInMail } from '../../templates/index.ts';
import type { ListTexts } from '../texts.ts';
import { footerText, type MailSender, mailDocument } from './mail-document.ts';

/** A workspace that publishes a template with this key replaces the confirmation mail. */
export const confirmationTemplate = 'confirm-subscription';

/**
 * Letters, marks, spaces, hyphens, apostrophes, and dots, at most 60; no letter follows a dot. Mail programs cannot
 * turn such text into a link.
 */
const namePattern = /^(?!.*\.[\p{L}\p{M}])[\p{L}\p{M} .'’-]{1,60}$/u;

/**
 * The name from a form, if it is safe to show in mail; otherwise empty. A visitor may enter any address. Without this
 * check, a visitor could make the workspace send the visitor's own text to anybody.
 */
export const nameFromForm = (input: string): string => (namePattern.test(input) ? input : '');

/** A workspace that publishes a template with this key replaces the mail with the lead magnet of a form. */
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

/** Replaces `{list}` and `{name}` with variables of the template. */
const withVariables = (text: string): string => text.replace('{list}', '{{ list }}').replace('{name}', '{{ name }}');

/** The same as HTML. Names keep their own direction inside of the sentence. */
const withVariablesInHtml = (text: string): string =>
  escapeHtml(text)
    .replace('{list}', '<strong><bdi>{{ list }}</bdi></strong>')
    .replace('{name}', '<bdi>{{ name }}</bdi>');

type Chosen = ChosenTexts<ListTexts>;

/** The built-in confirmation mail, in the chosen language. */
export function builtInConfirmation(sender: MailSender, chosen: Chosen): BuiltInMail {
  const { mail } = chosen.texts;
  return {
    subject: withVariables(mail.subject),
    previewText: mail.preview,
    html: mailDocument(sender, chosen, {
      title: escapeHtml(mail.title),
      before: `{% if name != "" %}<p style="margin:0 0 16px">${withVariablesInHtml(mail.greeting)}</p>{% endif %}
<p style="margin:0 0 24px">${withVariablesInHtml(mail.request)}</p>`,
      button: escapeHtml(mail.button),
      after: escapeHtml(mail.ignore),
    }),
    text: `{% if name != "" %}${withVariables(mail.greeting)}

{% endif %}${withVariables(mail.request)}

{{ url }}

${mail.ignore}

${footerText(sender)}
`,
    contract,
  };
}

/** The built-in mail with the lead magnet of a form, in the chosen language. */
export function builtInGiftMail(sender: MailSender, chosen: Chosen): BuiltInMail {
  const { leadMagnet } = chosen.texts;
  return {
    subject: '{{ title }}',
    previewText: leadMagnet.text,
    html: mailDocument(sender, chosen, {
      title: '{{ title }}',
      before: `<p style="margin:0 0 24px">${escapeHtml(leadMagnet.text)}</p>`,
      button: escapeHtml(leadMagnet.button),
      after: escapeHtml(leadMagnet.validity),
    }),
    text: `${leadMagnet.text}

{{ title }}
{{ url }}

${leadMagnet.validity}

${footerText(sender)}
`,
    contract: giftContract,
  };
}
