// The shipping notice: shows where the parcel is, with the steps of its way beside the details that help to receive it. One
// template for three mails: `status` names the step that was just reached.
import { brandVariables, footer, header, northwind, textFooter } from './brand.ts';
import { line, link, optionalLine } from './fields.ts';
import { mail } from './head.ts';
import { light } from './palette.ts';
import type { Starter } from './starter.ts';

const reason = 'You get this email because of your order {{order}}.';

/** Words for each status: shipped, out for delivery, delivered. */
const byStatus = (shipped: string, outForDelivery: string, delivered: string) =>
  `{% if status == 'delivered' %}${delivered}{% elsif status == 'out_for_delivery' %}${outForDelivery}{% else %}${shipped}{% endif %}`;

const headline = byStatus('It’s on its way', 'It comes today', 'It has arrived');

const steps = [
  ['Packed', 'packed_at'],
  ['Shipped', 'shipped_at'],
  ['Out for delivery', 'out_for_delivery_at'],
  ['Delivered', 'delivered_at'],
] as const;

/** A separate table, so that it stays a circle beside a label of two lines. */
const dot = (content: string, look: string, style: string) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="border-collapse:separate"><tr><td width="26" height="26" align="center" valign="middle" class="${look}" style="border-radius:15px;font-size:14px;line-height:22px;font-weight:700;${style}">${content}</td></tr></table>`;

const done = dot(
  '✓',
  'reached accent-line',
  `border:2px solid ${light.accent};background-color:${light.accent};color:${light.onAccent}`,
);
const ahead = (number: number) =>
  dot(String(number), 'soft line', `border:2px solid ${light.line};color:${light.soft}`);

/** A step of the way; `reached` is the number of the last step that was reached. */
const step = ([label, time]: (typeof steps)[number], index: number) => {
  const number = index + 1;
  const connector =
    number === steps.length
      ? ''
      : `
            <tr>
              <td width="30" align="center" valign="top"><table role="presentation" cellpadding="0" cellspacing="0" align="center"><tr><td width="2" height="18" class="{% if reached > ${number} %}reached{% else %}ahead{% endif %}" style="font-size:1px;line-height:18px;background-color:{% if reached > ${number} %}${light.accent}{% else %}${light.line}{% endif %}">&nbsp;</td></tr></table></td>
              <td style="font-size:1px;line-height:18px">&nbsp;</td>
            </tr>`;
  return `            <tr>
              <td width="30" valign="top">{% if reached >= ${number} %}${done}{% else %}${ahead(number)}{% endif %}</td>
              <td valign="top" class="{% if reached >= ${number} %}ink{% else %}soft{% endif %}" style="padding:4px 0 0 12px;line-height:22px{% if reached < ${number} %};color:${light.soft}{% endif %}">{% if reached == ${number} %}<strong>${label}</strong>{% else %}${label}{% endif %}{% if ${time} != blank %} <span class="soft" style="font-size:14px;color:${light.soft}">{{${time}}}</span>{% endif %}</td>
            </tr>${connector}`;
};

/** An expected time is useless for a parcel that has arrived. */
const genericDetail = "carrier != blank or tracking_number != blank or eta != blank and status != 'delivered'";

const detail = (label: string, variable: string) =>
  `{% if ${variable} != blank %}<p style="margin:0 0 12px"><span class="soft" style="font-size:14px;line-height:22px;color:${light.soft}">${label}</span><br />{{${variable}}}</p>{% endif %}`;

const body = mail(
  'Order {{order}}',
  `  <mj-body width="560px" background-color="${light.page}" css-class="page">
    {% assign reached = 2 %}{% if status == 'out_for_delivery' %}{% assign reached = 3 %}{% elsif status == 'delivered' %}{% assign reached = 4 %}{% endif %}
${header('left')}
    <mj-wrapper background-color="${light.card}" border="1px solid ${light.line}" border-radius="12px" css-class="card">
      <mj-section padding="36px 40px 28px" css-class="inset">
        <mj-column>
          <mj-text mj-class="soft">Order {{order}}</mj-text>
          <mj-text padding-top="2px"><h1 style="margin:0;font-size:36px;line-height:44px;font-weight:700;letter-spacing:-0.8px">${headline}</h1></mj-text>
          <mj-text padding-top="12px">${byStatus('{{name}}, your parcel has left us.', '{{name}}, your parcel is out for delivery.', '{{name}}, your parcel was delivered. We hope you like it.')}</mj-text>
        </mj-column>
      </mj-section>
      <mj-section background-color="${light.sunk}" border-radius="{% unless tracking_url or items.size > 0 or shipping_address != blank %}0 0 11px 11px{% endunless %}" padding="28px 40px 16px" css-class="sunk inset">
        <mj-column>
          <mj-table role="presentation">
            <tr>
              <td valign="top" class="stack" style="padding:0 20px 12px 0">
          <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:separate">
${steps.map(step).join('\n')}
          </table>
              </td>
              {% if ${genericDetail} %}<td width="44%" valign="top" class="stack stack-space ink" style="line-height:24px">
                {% if eta != blank and status != 'delivered' %}<p style="margin:0 0 12px"><span class="soft" style="font-size:14px;line-height:22px;color:${light.soft}">Expected</span><br /><strong>{{eta}}</strong></p>{% endif %}${detail('Carrier', 'carrier')}${detail('Tracking number', 'tracking_number')}
              </td>{% endif %}
            </tr>
          </mj-table>
        </mj-column>
      </mj-section>
      {% if tracking_url or items.size > 0 or shipping_address != blank %}<mj-section padding="28px 40px 12px" css-class="inset">
        <mj-column>
          {% if tracking_url %}<mj-button href="{{tracking_url}}" padding-bottom="24px">Track the parcel</mj-button>{% endif %}
          {% if items.size > 0 %}<mj-text padding-bottom="4px"><h2 style="margin:0;font-size:16px;line-height:26px;font-weight:700">In the parcel</h2></mj-text>
          <mj-table padding-bottom="24px">
            {% for item in items %}<tr>
              <td valign="top" class="ink line" style="padding:10px 16px 10px 0;border-bottom:1px solid ${light.line}">{{item.name}}</td>
              <td width="56" align="right" valign="top" class="soft line" style="padding:10px 0;border-bottom:1px solid ${light.line};color:${light.soft}">{% if item.quantity %}× {{item.quantity}}{% endif %}</td>
            </tr>{% endfor %}
          </mj-table>{% endif %}
          {% if shipping_address != blank %}<mj-text mj-class="small" padding-bottom="24px"><strong class="ink" style="color:${light.ink}">${byStatus('It goes to', 'It goes to', 'It went to')}</strong><br />{{shipping_address | newline_to_br}}</mj-text>{% endif %}
        </mj-column>
      </mj-section>{% endif %}
    </mj-wrapper>
${footer('left', reason)}
  </mj-body>
`,
);

const text = `Order {{order}}: ${headline}

${byStatus('{{name}}, your parcel has left us.', '{{name}}, your parcel is out for delivery.', '{{name}}, your parcel was delivered. We hope you like it.')}
{% if tracking_url or delivered_at != blank or ${genericDetail} %}
{% if delivered_at != blank %}Delivered: {{delivered_at}}
{% endif %}{% if eta != blank and status != 'delivered' %}Expected: {{eta}}
{% endif %}{% if carrier != blank %}Carrier: {{carrier}}
{% endif %}{% if tracking_number != blank %}Tracking number: {{tracking_number}}
{% endif %}{% if tracking_url %}Track the parcel: {{tracking_url}}
{% endif %}{% endif %}{% if items.size > 0 %}
In the parcel:
{% for item in items %}- {{item.name}}{% if item.quantity %} × {{item.quantity}}{% endif %}
{% endfor %}{% endif %}{% if shipping_address != blank %}
${byStatus('It goes to:', 'It goes to:', 'It went to:')}
{{shipping_address}}
{% endif %}
${textFooter(reason)}`;

export const shippingNotice: Starter = {
  key: 'shipping-notice',
  name: 'Shipping notice',
  category: 'transactional',
  delivery: 'at-least-once',
  subject: `Order {{order}}: ${byStatus('it’s on its way', 'it comes today', 'it has arrived')}`,
  previewText: byStatus(
    'Your parcel has left us.{% if eta != blank %} Expected {{eta}}.{% endif %}',
    'Your parcel is out for delivery.{% if eta != blank %} Expected {{eta}}.{% endif %}',
    'Your parcel was delivered. We hope you like it.',
  ),
  body,
  text,
  variables: {
    type: 'object',
    description: 'News of a parcel.',
    required: ['name', 'order'],
    properties: {
      name: line('The recipient of the parcel.', 100),
      order: line('The number of the order.', 60),
      status: {
        type: 'string',
        enum: ['shipped', 'out_for_delivery', 'delivered'],
        default: 'shipped',
        description: 'The step that was just reached. It changes the subject, the headline and the timeline.',
      },
      eta: optionalLine('When it is expected: Thursday, 26 November.', 60),
      carrier: optionalLine('The carrier that delivers it.', 60),
      tracking_number: optionalLine('The carrier’s number.', 60),
      tracking_url: link('Where the parcel is tracked. Without one there is no button.'),
      packed_at: optionalLine('When it was packed: 24 Nov, 10:12.', 40),
      shipped_at: optionalLine('When it was handed to the carrier.', 40),
      out_for_delivery_at: optionalLine('When it went on the last tour.', 40),
      delivered_at: optionalLine('When it was handed over.', 40),
      items: {
        type: 'array',
        maxItems: 50,
        default: [],
        description: 'What is in the parcel.',
        items: {
          type: 'object',
          required: ['name'],
          properties: {
            name: line('What it is.'),
            quantity: { type: 'integer', minimum: 1, description: 'How many of them.' },
          },
        },
      },
      shipping_address: optionalLine('Where it goes; line breaks are kept.', 400),
      ...brandVariables,
    },
    examples: [
      { name: 'Ada', order: 'NW-1042' },
      {
        name: 'Grace',
        order: 'NW-1041',
        status: 'shipped',
        eta: 'Thursday, 26 November',
        carrier: 'Fjordpost',
        tracking_number: 'FP 4471 9028 3310',
        tracking_url: 'https://fjordpost.example/track/447190283310',
        packed_at: '24 Nov, 10:12',
        shipped_at: '24 Nov, 16:40',
        items: [{ name: 'Enamel mug, forest green', quantity: 2 }, { name: 'Wool blanket' }],
        shipping_address: 'Grace Hopper\nc/o Harbour Works\nBryggen 17\n5003 Bergen\nNorway',
        ...northwind,
      },
    ],
  },
};
