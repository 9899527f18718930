// The mail that asks a person to confirm, in the style of the brand. A workspace's published template of this key takes its
// place. Called by ask.ts.
import type { BrandLook } from '../../brand/index.ts';
import type { BuiltInMail } from '../../templates/index.ts';

/** The key of the template that a workspace may publish in its place. */
export const confirmationTemplate = 'confirm-subscription';

/** At most 60 letters, marks, spaces, hyphens, apostrophes, and dots that no letter follows: nothing that becomes a link. */
const nameForm = /^(?!.*\.[\p{L}\p{M}])[\p{L}\p{M} .'’-]{1,60}$/u;

/**
 * The name that a form gave, as mail may say it; empty where it may be anything but a name. A visitor may give any address, and
 * would else have the workspace send their own words to it.
 */
export const nameFromForm = (given: string): string => (nameForm.test(given) ? given : '');

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

const stacks = { sans: 'Helvetica,Arial,sans-serif', serif: 'Georgia,serif', mono: 'monospace' } as const;

/** Where the workspace has no brand. */
const neutral = { paper: '#ffffff', ink: '#1d2129', act: '#1f3a5f', font: stacks.sans };

/** The built-in text. `onAct`: the colour of text on the button. */
export function builtInConfirmation(look: BrandLook | undefined, readableOn: (colour: string) => string): BuiltInMail {
  const { paper, ink, act, font } =
    look === undefined
      ? neutral
      : {
          paper: look.palette.background,
          ink: look.palette.text,
          act: look.palette.primary,
          font: stacks[look.fonts.body.fallback],
        };
  return {
    subject: 'Please confirm: {{ list }}',
    previewText: 'One click, and you are subscribed.',
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Please confirm</title></head>
<body style="margin:0;padding:0;background-color:${paper}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px"><tr><td style="font-family:${font};font-size:16px;line-height:1.5;color:${ink}">
<h1 style="margin:0 0 16px;font-size:24px;line-height:1.25">Please confirm</h1>
{% if name != "" %}<p style="margin:0 0 16px">Hello {{ name }},</p>{% endif %}
<p style="margin:0 0 24px">You, or someone using your address, signed up for <strong>{{ list }}</strong>. Please confirm that you want to receive it.</p>
<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td style="border-radius:8px;background-color:${act}"><a href="{{ url }}" style="display:inline-block;padding:14px 28px;font-family:${font};font-size:16px;font-weight:bold;color:${readableOn(act)};text-decoration:none">Confirm</a></td></tr></table>
<p style="margin:24px 0 0">If this was not you, you can ignore this email: you will not hear from us again. The link is valid for 30 days.</p>
</td></tr></table>
</td></tr></table>
</body></html>`,
    text: `{% if name != "" %}Hello {{ name }},

{% endif %}You, or someone using your address, signed up for {{ list }}. Please confirm that you want to receive it:

{{ url }}

If this was not you, you can ignore this email: you will not hear from us again. The link is valid for 30 days.
`,
    contract,
  };
}
