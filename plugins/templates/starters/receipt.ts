// The receipt: the total first, then the items, as on a till receipt. Readers search for it later and file it.
import { brandVariables, footer, logoMarkup, northwind, textFooter } from './brand.ts';
import { line, link, optionalLine } from './fields.ts';
import { mail } from './head.ts';
import { bare, markedOrientation, sides, tracking } from './marks.ts';
import { light } from './palette.ts';
import type { StarterLayout } from './starter.ts';
import { t } from './texts.ts';

const { start, end } = markedOrientation;
const amount = `align="${end}" valign="top" width="36%"`;
const rule = (more = '') => `class="ink line" style="padding:12px 0;border-bottom:1px solid ${light.line}${more}"`;

/** An amount stays on one line, unless it is so long that it would push the item out of a small screen. */
const noWrapIfShort = (variable: string) => `{% if ${variable}.size <= 16 %};white-space:nowrap{% endif %}`;

const address = (label: string, variable: string) =>
  `{% if ${variable} != blank %}<td valign="top" width="50%" class="stack soft" style="padding:${sides('0', '16px', '16px', '0')};font-size:14px;line-height:22px;color:${light.soft}"><strong class="ink" style="color:${light.ink}">${label}</strong><br /><span dir="auto">{{${variable} | newline_to_br}}</span></td>{% endif %}`;

const body = () =>
  mail(
    t('receipt.title'),
    `  <mj-body width="560px" background-color="${light.page}" css-class="page">
    <mj-section padding="32px 0 0"><mj-column><mj-spacer height="1px" /></mj-column></mj-section>
    <mj-wrapper background-color="${light.card}" border="1px solid ${light.line}" border-radius="12px" css-class="card">
      <mj-section padding="28px 40px" css-class="inset">
        <mj-column>
          <mj-table role="presentation">
            <tr>
              <td width="50%" valign="top" style="padding:${sides('0', '12px', '0', '0')}">${logoMarkup}</td>
              <td width="50%" valign="top" align="${end}"><h1 class="ink" style="margin:0;font-size:16px;line-height:32px;font-weight:400">${t('receipt.title', { order: `<span dir="auto" style="font-weight:400${noWrapIfShort('order')}">{{order}}</span>` })}</h1></td>
            </tr>
          </mj-table>
        </mj-column>
      </mj-section>
      <mj-section background-color="${light.sunk}" padding="28px 40px" css-class="sunk inset">
        <mj-column>
          <mj-text mj-class="soft">${t('receipt.thanks')}</mj-text>
          <mj-text font-size="44px" line-height="54px" font-weight="700" letter-spacing="${tracking('-1px')}" css-class="ink display"><span dir="auto">{{total}}</span></mj-text>
          {% if date != blank or payment_method != blank %}<mj-text mj-class="soft" padding-top="2px">{% if date != blank and payment_method != blank %}${t('receipt.onWith')}{% elsif date != blank %}${t('receipt.on')}{% else %}${t('receipt.with')}{% endif %}</mj-text>{% endif %}
        </mj-column>
      </mj-section>
      {% if items.size > 0 or summary.size > 0 %}<mj-section padding="16px 40px 0" css-class="inset">
        <mj-column>
          <mj-table>
            <thead>
              <tr>
                <th scope="col" align="${start}" class="soft line" style="padding:12px 0 8px;border-bottom:1px solid ${light.line};font-size:14px;line-height:22px;font-weight:400;color:${light.soft}">{% if items.size > 0 %}${t('receipt.item')}{% else %}${t('receipt.sum')}{% endif %}</th>
                <th scope="col" ${amount} class="soft line" style="padding:12px 0 8px;border-bottom:1px solid ${light.line};font-size:14px;line-height:22px;font-weight:400;color:${light.soft}">${t('receipt.amount')}</th>
              </tr>
            </thead>
            <tbody>
              {% for item in items %}<tr>
                <td valign="top" ${rule(`;padding-${end}:16px`)}><span dir="auto">{{item.name}}</span>{% if item.quantity %} <span class="soft" style="color:${light.soft};white-space:nowrap">× {{item.quantity}}</span>{% endif %}{% if item.note %}<br /><span class="soft" dir="auto" style="font-size:14px;line-height:22px;color:${light.soft}">{{item.note}}</span>{% endif %}</td>
                <td ${amount} ${rule(noWrapIfShort('item.price'))}><span dir="auto">{{item.price}}</span></td>
              </tr>
              {% endfor %}{% for row in summary %}<tr>
                <td valign="top" class="soft" style="padding:{% if forloop.first %}16px{% else %}4px{% endif %} [[16px 4px 0~0 4px 16px]];color:${light.soft}"><span dir="auto">{{row.label}}</span></td>
                <td ${amount} class="soft" style="padding:{% if forloop.first %}16px{% else %}4px{% endif %} 0 4px;color:${light.soft}${noWrapIfShort('row.amount')}"><span dir="auto">{{row.amount}}</span></td>
              </tr>
              {% endfor %}<tr>
                <td colspan="2" style="padding:12px 0 0;font-size:1px;line-height:1px">&nbsp;</td>
              </tr>
              <tr>
                <th scope="row" align="${start}" valign="top" class="ink ink-line" style="padding:${sides('14px', '16px', '0', '0')};border-top:2px solid ${light.ink};font-size:18px;line-height:28px;font-weight:700">${t('receipt.total')}</th>
                <td ${amount} class="ink ink-line" style="padding:14px 0 0;border-top:2px solid ${light.ink};font-size:18px;line-height:28px;font-weight:700${noWrapIfShort('total')}"><span dir="auto">{{total}}</span></td>
              </tr>
            </tbody>
          </mj-table>
        </mj-column>
      </mj-section>{% endif %}
      {% if url or invoice_url %}<mj-section padding="28px 40px 0" css-class="inset">
        <mj-column>
          {% if url %}<mj-button href="{{url}}" background-color="${light.card}" color="${light.accent}" border="1px solid ${light.accent}" css-class="button quiet-button">${t('receipt.order')}</mj-button>{% endif %}
          {% if invoice_url %}<mj-text padding-top="8px"><a href="{{invoice_url}}" class="accent tap" style="display:inline-block;padding:10px 0;line-height:24px;font-weight:600;color:${light.accent}">${t('receipt.invoice')}</a></mj-text>{% endif %}
        </mj-column>
      </mj-section>{% endif %}
      {% if billing_address != blank or shipping_address != blank %}<mj-section padding="28px 40px 0" css-class="inset">
        <mj-column>
          <mj-divider border-style="dashed" padding="0 0 24px" />
          <mj-table role="presentation">
            <tr>
              ${address(t('receipt.billedTo'), 'billing_address')}
              ${address(t('receipt.deliveredTo'), 'shipping_address')}
            </tr>
          </mj-table>
        </mj-column>
      </mj-section>{% endif %}
      <mj-section padding="24px 40px 28px" css-class="inset">
        <mj-column>
          <mj-text mj-class="small">${t('receipt.keep')}</mj-text>
        </mj-column>
      </mj-section>
    </mj-wrapper>
${footer(start, t('receipt.reason'))}
  </mj-body>
`,
  );

const between = t('colon.beforeValue');
const before = t('colon.beforeLines');

const text = `${t('receipt.title')}

${t('receipt.success')}
{% if items.size > 0 %}
{% for item in items %}{{item.name}}{% if item.quantity %} × {{item.quantity}}{% endif %}${between}{{item.price}}
{% if item.note %}  {{item.note}}
{% endif %}{% endfor %}{% endif %}{% if summary.size > 0 %}
{% for row in summary %}{{row.label}}${between}{{row.amount}}
{% endfor %}{% endif %}
${t('receipt.total')}${between}{{total}}
{% if date != blank %}${t('receipt.date')}${between}{{date}}
{% endif %}{% if payment_method != blank %}${t('receipt.paidWith')}${between}{{payment_method}}
{% endif %}{% if url %}
${t('receipt.order')}${between}{{url}}
{% endif %}{% if invoice_url %}
${t('receipt.invoice')}${between}{{invoice_url}}
{% endif %}{% if billing_address != blank %}
${t('receipt.billedTo')}${before}
{{billing_address}}
{% endif %}{% if shipping_address != blank %}
${t('receipt.deliveredTo')}${before}
{{shipping_address}}
{% endif %}
${textFooter(t('receipt.reason'))}`;

export const receipt: StarterLayout = {
  key: 'receipt',
  name: 'Receipt',
  category: 'transactional',
  delivery: 'at-least-once',
  marked: () => ({
    subject: t('receipt.subject'),
    previewText: `{% if date != blank %}${t('receipt.previewOn', bare('total', 'date', 'name'))}{% else %}${t('receipt.preview', bare('total', 'name'))}{% endif %}`,
    body: body(),
    text,
  }),
  variables: {
    type: 'object',
    description: 'A receipt for a payment.',
    required: ['name', 'order', 'total'],
    properties: {
      name: line('Whom to thank.'),
      order: line('The number of the order or the invoice.'),
      total: line('The amount that was paid, with its currency: 96.50 EUR.'),
      date: optionalLine('The day of the payment, as people write it: 20 November 2026.', 50),
      url: link('The page of the order. Without one there is no button.'),
      items: {
        type: 'array',
        maxItems: 50,
        default: [],
        description: 'What was bought, in order.',
        items: {
          type: 'object',
          required: ['name', 'price'],
          properties: {
            name: line('What it is.'),
            price: line('What it costs altogether, with the currency.'),
            quantity: { type: 'integer', minimum: 1, description: 'How many of them; shown when given.' },
            note: line('A second line: size, period, serial number.'),
          },
        },
      },
      summary: {
        type: 'array',
        maxItems: 12,
        default: [],
        description: 'The lines between the items and the total: subtotal, shipping, discount, tax.',
        items: {
          type: 'object',
          required: ['label', 'amount'],
          properties: { label: line('What it is: VAT 25 %.'), amount: line('Its amount, with the currency.') },
        },
      },
      payment_method: optionalLine('What was paid with: Visa ending in 4242.', 100),
      invoice_url: link('Where the invoice can be downloaded.'),
      billing_address: optionalLine('The billing address; line breaks are kept.', 400),
      shipping_address: optionalLine('Where it goes; line breaks are kept.', 400),
      ...brandVariables,
    },
    examples: [
      { name: 'Ada', order: 'NW-1042', total: '42.00 EUR' },
      {
        name: 'Grace',
        order: 'NW-1041',
        total: '96.50 EUR',
        date: '20 November 2026',
        payment_method: 'Visa ending in 4242',
        url: 'https://northwind.example/orders/NW-1041',
        invoice_url: 'https://northwind.example/orders/NW-1041/invoice.pdf',
        items: [
          { name: 'Enamel mug, forest green', quantity: 2, price: '36.00 EUR' },
          { name: 'Wool blanket', note: 'Lambswool, 130 × 180 cm', price: '64.50 EUR' },
        ],
        summary: [
          { label: 'Subtotal', amount: '100.50 EUR' },
          { label: 'Discount, first order', amount: '−10.00 EUR' },
          { label: 'Shipping', amount: '6.00 EUR' },
          { label: 'Including VAT 25 %', amount: '19.30 EUR' },
        ],
        billing_address: 'Grace Hopper\nVestre Torggaten 4\n5015 Bergen\nNorway',
        shipping_address: 'Grace Hopper\nc/o Harbour Works\nBryggen 17\n5003 Bergen\nNorway',
        ...northwind,
      },
    ],
  },
};
