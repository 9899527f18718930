// The shipping notice: the steps of the delivery, beside details that help to receive the parcel. One template for three mails:
// `status` is the step that was just reached.
import { brandVariables, footer, header, northwind, textFooter } from './brand.ts';
import { line, link, optionalLine } from './fields.ts';
import { mail } from './head.ts';
import { bare, markedOrientation, sides, tracking } from './marks.ts';
import { light } from './palette.ts';
import type { StarterLayout } from './starter.ts';
import { t } from './texts.ts';

const { start, end } = markedOrientation;
const reason = t('shippingNotice.reason');

/** A text for each status. */
const byStatus = (name: 'subject' | 'headline' | 'lead' | 'preview') =>
  `{% if status == 'delivered' %}${t(`shippingNotice.delivered.${name}`)}{% elsif status == 'out_for_delivery' %}${t(`shippingNotice.out.${name}`)}{% else %}${t(`shippingNotice.shipped.${name}`)}{% endif %}`;

const steps = [
  [t('shippingNotice.packed'), 'packed_at'],
  [t('shippingNotice.shipped.step'), 'shipped_at'],
  [t('shippingNotice.out.step'), 'out_for_delivery_at'],
  [t('shippingNotice.delivered.step'), 'delivered_at'],
] as const;

/** The circle of a step. It is a separate table, so that it stays round beside a label of two lines. */
const dot = (content: string, look: string, style: string) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="border-collapse:separate"><tr><td width="26" height="26" align="center" valign="middle" class="${look}" style="border-radius:15px;font-size:14px;line-height:22px;font-weight:700;${style}">${content}</td></tr></table>`;

const reachedStep = dot(
  '✓',
  'reached accent-line',
  `border:2px solid ${light.accent};background-color:${light.accent};color:${light.onAccent}`,
);
const upcomingStep = (number: number) =>
  dot(String(number), 'soft line', `border:2px solid ${light.line};color:${light.soft}`);

/** A step of the delivery. The Liquid variable `reached` is the number of the last step that was reached. */
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
              <td width="30" valign="top">{% if reached >= ${number} %}${reachedStep}{% else %}${upcomingStep(number)}{% endif %}</td>
              <td valign="top" class="{% if reached >= ${number} %}ink{% else %}soft{% endif %}" style="padding:${sides('4px', '0', '0', '12px')};line-height:22px{% if reached < ${number} %};color:${light.soft}{% endif %}">{% if reached == ${number} %}<strong>${label}</strong>{% else %}${label}{% endif %}{% if ${time} != blank %} <span class="soft" dir="auto" style="font-size:14px;color:${light.soft}">{{${time}}}</span>{% endif %}</td>
            </tr>${connector}`;
};

const destination = `{% if status == 'delivered' %}${t('shippingNotice.wentTo')}{% else %}${t('shippingNotice.goesTo')}{% endif %}`;

/** Whether any detail is shown. The expected time is not shown after the parcel was delivered. */
const genericDetail = "carrier != blank or tracking_number != blank or eta != blank and status != 'delivered'";

const detail = (label: string, variable: string) =>
  `{% if ${variable} != blank %}<p style="margin:0 0 12px"><span class="soft" style="font-size:14px;line-height:22px;color:${light.soft}">${label}</span><br /><span dir="auto">{{${variable}}}</span></p>{% endif %}`;

const body = () =>
  mail(
    t('shippingNotice.order'),
    `  <mj-body width="560px" background-color="${light.page}" css-class="page">
    {% assign reached = 2 %}{% if status == 'out_for_delivery' %}{% assign reached = 3 %}{% elsif status == 'delivered' %}{% assign reached = 4 %}{% endif %}
${header(start)}
    <mj-wrapper background-color="${light.card}" border="1px solid ${light.line}" border-radius="12px" css-class="card">
      <mj-section padding="36px 40px 28px" css-class="inset">
        <mj-column>
          <mj-text mj-class="soft">${t('shippingNotice.order')}</mj-text>
          <mj-text padding-top="2px"><h1 style="margin:0;font-size:36px;line-height:44px;font-weight:700;letter-spacing:${tracking('-0.8px')}">${byStatus('headline')}</h1></mj-text>
          <mj-text padding-top="12px">${byStatus('lead')}</mj-text>
        </mj-column>
      </mj-section>
      <mj-section background-color="${light.sunk}" border-radius="{% unless tracking_url or items.size > 0 or shipping_address != blank %}0 0 11px 11px{% endunless %}" padding="28px 40px 16px" css-class="sunk inset">
        <mj-column>
          <mj-table role="presentation">
            <tr>
              <td valign="top" class="stack" style="padding:${sides('0', '20px', '12px', '0')}">
          <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:separate">
${steps.map(step).join('\n')}
          </table>
              </td>
              {% if ${genericDetail} %}<td width="44%" valign="top" class="stack stack-space ink" style="line-height:24px">
                {% if eta != blank and status != 'delivered' %}<p style="margin:0 0 12px"><span class="soft" style="font-size:14px;line-height:22px;color:${light.soft}">${t('shippingNotice.expected')}</span><br /><strong dir="auto">{{eta}}</strong></p>{% endif %}${detail(t('shippingNotice.carrier'), 'carrier')}${detail(t('shippingNotice.number'), 'tracking_number')}
              </td>{% endif %}
            </tr>
          </mj-table>
        </mj-column>
      </mj-section>
      {% if tracking_url or items.size > 0 or shipping_address != blank %}<mj-section padding="28px 40px 12px" css-class="inset">
        <mj-column>
          {% if tracking_url %}<mj-button href="{{tracking_url}}" padding-bottom="24px">${t('shippingNotice.track')}</mj-button>{% endif %}
          {% if items.size > 0 %}<mj-text padding-bottom="4px"><h2 style="margin:0;font-size:16px;line-height:26px;font-weight:700">${t('shippingNotice.content')}</h2></mj-text>
          <mj-table padding-bottom="24px">
            {% for item in items %}<tr>
              <td valign="top" class="ink line" style="padding:${sides('10px', '16px', '10px', '0')};border-bottom:1px solid ${light.line}"><span dir="auto">{{item.name}}</span></td>
              <td width="56" align="${end}" valign="top" class="soft line" style="padding:10px 0;border-bottom:1px solid ${light.line};color:${light.soft}">{% if item.quantity %}× {{item.quantity}}{% endif %}</td>
            </tr>{% endfor %}
          </mj-table>{% endif %}
          {% if shipping_address != blank %}<mj-text mj-class="small" padding-bottom="24px"><strong class="ink" style="color:${light.ink}">${destination}</strong><br /><span dir="auto">{{shipping_address | newline_to_br}}</span></mj-text>{% endif %}
        </mj-column>
      </mj-section>{% endif %}
    </mj-wrapper>
${footer(start, reason)}
  </mj-body>
`,
  );

const between = t('colon.beforeValue');
const before = t('colon.beforeLines');

const text = `${byStatus('subject')}

${byStatus('lead')}
{% if tracking_url or delivered_at != blank or ${genericDetail} %}
{% if delivered_at != blank %}${t('shippingNotice.delivered.step')}${between}{{delivered_at}}
{% endif %}{% if eta != blank and status != 'delivered' %}${t('shippingNotice.expected')}${between}{{eta}}
{% endif %}{% if carrier != blank %}${t('shippingNotice.carrier')}${between}{{carrier}}
{% endif %}{% if tracking_number != blank %}${t('shippingNotice.number')}${between}{{tracking_number}}
{% endif %}{% if tracking_url %}${t('shippingNotice.track')}${between}{{tracking_url}}
{% endif %}{% endif %}{% if items.size > 0 %}
${t('shippingNotice.content')}${before}
{% for item in items %}- {{item.name}}{% if item.quantity %} × {{item.quantity}}{% endif %}
{% endfor %}{% endif %}{% if shipping_address != blank %}
${destination}${before}
{{shipping_address}}
{% endif %}
${textFooter(reason)}`;

export const shippingNotice: StarterLayout = {
  key: 'shipping-notice',
  name: 'Shipping notice',
  category: 'transactional',
  delivery: 'at-least-once',
  marked: () => ({
    subject: byStatus('subject'),
    previewText: `${byStatus('preview')}{% if eta != blank and status != 'delivered' %} ${t('shippingNotice.expectedAt', bare('eta'))}{% endif %}`,
    body: body(),
    text,
  }),
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
