// The invitation, styled as a ticket. The name of the team or product is printed large. The inviting person and the role are
// below the perforation.
import { brandVariables, footer, header, northwind, textFooter } from './brand.ts';
import { line, optionalLine, secretLink } from './fields.ts';
import { mail } from './head.ts';
import { roundAt, sides, tracking } from './marks.ts';
import { light } from './palette.ts';
import type { StarterLayout } from './starter.ts';
import { t } from './texts.ts';

const place = '{% if team != blank %}{{team}}{% else %}{{product}}{% endif %}';
const reason = t('invitation.reason');

/** The inviting person gets a line of their own, so that an address is not split. */
const ticketField = (label: string, content: string, width: string) =>
  `<td valign="top" width="${width}"${width === '100%' ? ' colspan="2"' : ''} class="stack ink" style="padding:${sides('0', '16px', '16px', '0')};line-height:24px"><span class="soft" style="font-size:14px;line-height:22px;color:${light.soft}">${label}</span><br /><strong dir="auto">${content}</strong></td>`;

const body = () =>
  mail(
    t('invitation.title', { place }),
    `  <mj-body width="560px" background-color="${light.page}" css-class="page">
${header('center')}
    <mj-wrapper background-color="${light.card}" border-radius="12px" css-class="card">
      <mj-section padding="44px 40px 32px" css-class="inset">
        <mj-column>
          <mj-text align="center" mj-class="soft">{% if name != blank %}${t('invitation.leadFor')}{% else %}${t('invitation.lead')}{% endif %}</mj-text>
          <mj-text align="center" padding-top="4px" css-class="ink display"><h1 style="margin:0;font-size:44px;line-height:52px;font-weight:700;letter-spacing:${tracking('-1.2px')}">${place}</h1></mj-text>
          {% if message != blank %}<mj-text align="center" font-size="18px" line-height="28px" padding-top="16px"><div dir="auto">${t('quoted', { message: '{{message | newline_to_br}}' })}</div></mj-text>{% endif %}
          <mj-button href="{{url}}" align="center" padding-top="28px">${t('invitation.accept')}</mj-button>
        </mj-column>
      </mj-section>
      <mj-section>
        <mj-column>
          <mj-table role="presentation" font-size="1px" line-height="24px">
            <tr>
              <td width="12" height="24" class="notch" style="border-radius:${roundAt('end', '12px')};background-color:${light.page}">&nbsp;</td>
              <td style="padding:0 12px"><div class="line" style="border-top:2px dashed ${light.line};font-size:1px;line-height:1px">&nbsp;</div></td>
              <td width="12" height="24" class="notch" style="border-radius:${roundAt('start', '12px')};background-color:${light.page}">&nbsp;</td>
            </tr>
          </mj-table>
        </mj-column>
      </mj-section>
      <mj-section padding="20px 40px 20px" css-class="inset">
        <mj-column>
          <mj-table role="presentation">
            <tr>
              ${ticketField(t('invitation.by'), `{{inviter}}{% if inviter_email %}<br /><span class="soft" style="font-size:14px;line-height:22px;font-weight:400;word-break:break-word;color:${light.soft}">{{inviter_email}}</span>{% endif %}`, '100%')}
            </tr>
            {% if role != blank or expires_on != blank %}<tr>
              {% if role != blank %}${ticketField(t('invitation.role'), '{{role}}', '50%')}{% endif %}
              {% if expires_on != blank %}${ticketField(t('invitation.until'), '{{expires_on}}', '50%')}{% endif %}
            </tr>{% endif %}
          </mj-table>
        </mj-column>
      </mj-section>
    </mj-wrapper>
${footer('center', reason)}
  </mj-body>
`,
  );

/** The inviting person with their address. */
const inviter = '{{inviter}}{% if inviter_email %} ({{inviter_email}}){% endif %}';

const text = `${t('invitation.title', { place })}

{% if role != blank %}${t('invitation.invitesAs', { inviter })}{% else %}${t('invitation.invites', { inviter })}{% endif %}
{% if message != blank %}
${t('quoted')}
{% endif %}
${t('invitation.accept')}${t('colon.beforeLines')}
{{url}}
{% if expires_on != blank %}
${t('invitation.until')}${t('colon.beforeValue')}{{expires_on}}
{% endif %}
${textFooter(reason)}`;

export const invitation: StarterLayout = {
  key: 'invitation',
  name: 'Invitation',
  category: 'transactional',
  delivery: 'at-least-once',
  marked: () => ({
    subject: t('invitation.subject', { place }),
    previewText: `{% if message != blank %}{{message | squish | truncate: 120}}{% elsif role != blank %}${t('invitation.previewAs', { role: '{{role}}' })}{% else %}${t('invitation.preview')}{% endif %}`,
    body: body(),
    text,
  }),
  variables: {
    type: 'object',
    description: 'An invitation from one person to another.',
    required: ['url', 'inviter'],
    properties: {
      url: secretLink('Where the invitation is accepted.'),
      inviter: line('The person who invites.', 100),
      inviter_email: { type: 'string', format: 'email', description: 'Their address, so that people can check.' },
      name: optionalLine('The person who is invited.', 100),
      team: optionalLine('What they are invited to: a team, a project. Without it, the product itself.', 100),
      role: optionalLine('What they will be there: Editor.', 60),
      message: optionalLine('A word from the person who invites; line breaks are kept.', 600),
      expires_on: optionalLine('The last day of the invitation: 30 November 2026.', 60),
      ...brandVariables,
    },
    examples: [
      { url: 'https://app.acme.example/join/7Qm2xK', inviter: 'Grace' },
      {
        url: 'https://app.northwind.example/join/7Qm2xKf0Wc8v',
        inviter: 'Grace Hopper',
        inviter_email: 'grace@northwind.example',
        name: 'Ada',
        team: 'Harbour Works',
        role: 'Editor',
        message: 'The drawings for the new pier are in there.\nHave a look at the second sheet first.',
        expires_on: '30 November 2026',
        ...northwind,
      },
    ],
  },
};
