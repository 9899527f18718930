// The sender in all starters: the name at the top of the mail, the small print at its end, and the variables of both.
import type { ContractNode } from '../contract/node.ts';
import { light } from './palette.ts';
import { t } from './texts.ts';

/**
 * The default of `product` in the sources. In a new workspace, seed.ts replaces it by the workspace's name, so that a starter
 * can be sent before it was edited.
 */
export const placeholderProduct = 'Acme';

/** The maximum length of `product`, in characters. */
export const productLimit = 80;

export const brandVariables = {
  product: {
    type: 'string',
    minLength: 1,
    maxLength: productLimit,
    default: placeholderProduct,
    description: 'The name of your product or company, as your customers know it.',
  },
  product_url: { type: 'string', format: 'uri', description: 'Your website. The name in the small print links to it.' },
  logo_url: {
    type: 'string',
    format: 'uri',
    description: 'An image shown 32 px high in place of the name. Without one, the name stands there as text.',
  },
  support_email: {
    type: 'string',
    format: 'email',
    description: 'Where questions go. Without one, the mail asks people to reply to it.',
  },
  postal_address: {
    type: 'string',
    maxLength: 300,
    default: '',
    description: 'Your postal address in one line, for the small print.',
  },
} as const satisfies Record<string, ContractNode>;

/** The brand in the full examples of the contracts. */
export const northwind = {
  product: 'Northwind',
  product_url: 'https://northwind.example',
  support_email: 'help@northwind.example',
  postal_address: 'Northwind Supply AS, Strandgaten 12, 5013 Bergen, Norway',
} as const;

/**
 * The logo, or the name as text. A logo gets a light background in dark mode, and in any mode on a coloured band: most
 * logos need one.
 */
const createLogoMarkup = (ink: string, look: string, plate = '') =>
  `{% if logo_url %}<span class="logo"><img src="{{logo_url}}" alt="{{product}}" height="32" style="border:0;display:inline-block;height:32px;max-width:200px;vertical-align:top;width:auto${plate}" /></span>{% elsif theme.logo.url %}<span class="logo"><img src="{{theme.logo.url}}" alt="{{product}}" height="32" style="border:0;display:inline-block;height:32px;max-width:200px;vertical-align:top;width:auto${plate}" /></span>{% else %}<span class="${look}" style="font-size:18px;line-height:32px;font-weight:700;letter-spacing:-0.2px;color:${ink}">{{product}}</span>{% endif %}`;

export const logoMarkup = createLogoMarkup(light.accent, 'accent');
export const logoMarkupOnBand = createLogoMarkup(
  light.onBand,
  'on-band',
  `;padding:4px 8px;border-radius:6px;background-color:${light.onBand}`,
);

/** The name above the card. */
export const header = (align: string) => `    <mj-section padding="32px 41px 20px" css-class="outset">
      <mj-column>
        <mj-text align="${align}" line-height="32px">${logoMarkup}</mj-text>
      </mj-column>
    </mj-section>`;

/** The words about questions. */
export interface QuestionWords {
  /** @param address markup or Liquid of the address */
  write(address: string): string;
  readonly reply: string;
}

const markedQuestions: QuestionWords = {
  write: (address) => t('questions.write', { address }),
  reply: t('questions.reply'),
};

/** The small print below the card. @param reason a sentence on why this mail came */
export const footer = (
  align: string,
  reason: string,
  { write, reply } = markedQuestions,
) => `    <mj-section padding="24px 41px 48px" css-class="outset">
      <mj-column>
        <mj-text mj-class="small" align="${align}">{% if support_email %}${write(`<a href="mailto:{{support_email}}" class="soft" dir="auto" style="color:${light.soft}">{{support_email}}</a>`)}{% else %}${reply}{% endif %}</mj-text>
        <mj-text mj-class="small" align="${align}" padding-top="8px">${reason}</mj-text>
        <mj-text mj-class="small" align="${align}" padding-top="8px">{% if product_url %}<a href="{{product_url}}" class="soft" style="color:${light.soft}">{{product}}</a>{% else %}{{product}}{% endif %}{% if postal_address != blank %} · <span dir="auto">{{postal_address}}</span>{% endif %}</mj-text>
      </mj-column>
    </mj-section>`;

/** The same for a text part. */
export const textFooter = (reason: string, { write, reply } = markedQuestions) => `-- 
{% if support_email %}${write('{{support_email}}')}{% else %}${reply}{% endif %}
${reason}
{{product}}{% if postal_address != blank %} · {{postal_address}}{% endif %}{% if product_url %}
{{product_url}}{% endif %}
`;
