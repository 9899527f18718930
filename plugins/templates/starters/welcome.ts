// The welcome mail: a letter without a card, in large type, with the first steps as a numbered list.
import { brandVariables, footer, header, northwind, textFooter } from './brand.ts';
import { line, link, optionalLine } from './fields.ts';
import { mail } from './head.ts';
import { markedOrientation, tracking } from './marks.ts';
import { light } from './palette.ts';
import type { StarterLayout } from './starter.ts';
import { t } from './texts.ts';

const { start } = markedOrientation;
const reason = t('welcome.reason');

const ready = (account: string) =>
  `{% if account != blank %}${t('welcome.readyAs', { account })}{% else %}${t('welcome.ready')}{% endif %}`;

/** The second line of a step. It is inside the link, because a title alone is hard to hit with a thumb. */
const note = `{% if step.text %}<br /><span class="soft" dir="auto" style="color:${light.soft}">{{step.text}}</span>{% endif %}`;

const body = () =>
  mail(
    t('welcome.title'),
    `  <mj-body width="560px" background-color="${light.page}" css-class="page">
${header(start)}
    <mj-section padding="12px 41px 36px" css-class="outset">
      <mj-column>
        <mj-text css-class="ink display"><h1 style="margin:0;font-size:44px;line-height:52px;font-weight:700;letter-spacing:${tracking('-1.2px')}">${t('welcome.headline')}</h1></mj-text>
        <mj-text font-size="18px" line-height="29px" padding="16px 0 28px">${ready('<strong dir="auto" style="word-break:break-word">{{account}}</strong>')}</mj-text>
        <mj-button href="{{url}}">${t('welcome.open')}</mj-button>
      </mj-column>
    </mj-section>
    {% if steps.size > 0 %}<mj-wrapper background-color="${light.card}" border="1px solid ${light.line}" border-radius="12px" css-class="card">
      <mj-section padding="28px 40px 8px" css-class="inset">
        <mj-column>
          <mj-text><h2 style="margin:0;font-size:20px;line-height:28px;font-weight:700;letter-spacing:${tracking('-0.2px')}">${t('welcome.start')}</h2></mj-text>
        </mj-column>
      </mj-section>
      <mj-section padding="0 40px 20px" css-class="inset">
        <mj-column>
          <mj-table role="presentation">
            {% for step in steps %}<tr>
              <td width="44" valign="top" class="accent{% unless forloop.first %} line{% endunless %}" style="padding:16px 0;{% unless forloop.first %}border-top:1px solid ${light.line};{% endunless %}font-size:28px;line-height:32px;font-weight:700;color:${light.accent}">{{forloop.index}}</td>
              <td valign="top" class="ink{% unless forloop.first %} line{% endunless %}" style="padding:8px 0 6px{% unless forloop.first %};border-top:1px solid ${light.line}{% endunless %}">{% if step.url %}<a href="{{step.url}}" class="ink" style="display:block;padding:10px 0;color:${light.ink};text-decoration:none"><strong class="accent" dir="auto" style="color:${light.accent};text-decoration:underline">{{step.title}}</strong>${note}</a>{% else %}<div style="padding:10px 0"><strong dir="auto">{{step.title}}</strong>${note}</div>{% endif %}</td>
            </tr>{% endfor %}
          </mj-table>
        </mj-column>
      </mj-section>
    </mj-wrapper>{% endif %}
    {% if sender_name != blank %}<mj-section padding="32px 41px 8px" css-class="outset">
      <mj-column>
        <mj-text>${t('welcome.help')}</mj-text>
        <mj-text padding-top="16px"><strong dir="auto">{{sender_name}}</strong>{% if sender_role != blank %}<br /><span class="soft" dir="auto" style="color:${light.soft}">{{sender_role}}</span>{% endif %}</mj-text>
      </mj-column>
    </mj-section>{% endif %}
${footer(start, reason)}
  </mj-body>
`,
  );

const text = `${t('welcome.headline')}

${ready('{{account}}')}

${t('welcome.open')}${t('colon.beforeValue')}{{url}}
{% if steps.size > 0 %}
${t('welcome.start')}
{% for step in steps %}
{{forloop.index}}. {{step.title}}
{% if step.text %}   {{step.text}}
{% endif %}{% if step.url %}   {{step.url}}
{% endif %}{% endfor %}{% endif %}{% if sender_name != blank %}
${t('welcome.help')}

{{sender_name}}{% if sender_role != blank %}
{{sender_role}}{% endif %}
{% endif %}
${textFooter(reason)}`;

export const welcome: StarterLayout = {
  key: 'welcome',
  name: 'Welcome',
  category: 'transactional',
  delivery: 'at-least-once',
  marked: () => ({
    subject: t('welcome.subject'),
    previewText: `{% if steps.size > 0 %}${t('welcome.previewStart')}{% else %}${t('welcome.preview')}{% endif %}`,
    body: body(),
    text,
  }),
  variables: {
    type: 'object',
    description: 'The first mail to a person with a new account.',
    required: ['name', 'url'],
    properties: {
      name: line('Whom to greet.', 100),
      url: link('Where the product is opened.'),
      account: optionalLine('What they sign in with.', 254),
      steps: {
        type: 'array',
        maxItems: 5,
        default: [],
        description: 'What to do first, in order; two or three are plenty.',
        items: {
          type: 'object',
          required: ['title'],
          properties: {
            title: line('What to do, in a few words.', 100),
            text: line('Why, or how long it takes.', 300),
            url: link('Where it is done.'),
          },
        },
      },
      sender_name: optionalLine('The person who signs the mail.', 100),
      sender_role: optionalLine('Their role: Founder.', 100),
      ...brandVariables,
    },
    examples: [
      { name: 'Ada', url: 'https://app.acme.example' },
      {
        name: 'Grace',
        url: 'https://app.northwind.example',
        account: 'grace@example.com',
        steps: [
          {
            title: 'Add your first product',
            text: 'A name, a price and a picture are enough.',
            url: 'https://app.northwind.example/products/new',
          },
          {
            title: 'Connect your bank account',
            text: 'So that we know where your money goes.',
            url: 'https://app.northwind.example/settings/payouts',
          },
          { title: 'Invite your colleagues', text: 'Everybody gets a sign-in of their own, at no extra charge.' },
        ],
        sender_name: 'Ines Moe',
        sender_role: 'Founder of Northwind',
        ...northwind,
      },
    ],
  },
};
