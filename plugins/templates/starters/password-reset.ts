// The password reset: a short letter on account security. It says what to do, then shows the request, then says what to do if the
// reader did not make the request.
import { brandVariables, footer, header, northwind, textFooter } from './brand.ts';
import { optionalLine, secretLink } from './fields.ts';
import { mail } from './head.ts';
import { bare, markedOrientation, tracking } from './marks.ts';
import { light, mono } from './palette.ts';
import {
  linkValidity,
  requestDetails,
  requestExample,
  requestVariables,
  textRequestDetails,
} from './sign-in-request.ts';
import type { StarterLayout } from './starter.ts';
import { t } from './texts.ts';

const { start } = markedOrientation;
const reason = t('passwordReset.reason');

const asked = (account: string) =>
  `{% if account != blank %}${t('passwordReset.askedFor', { account })}{% else %}${t('passwordReset.asked')}{% endif %}`;

const body = () =>
  mail(
    t('passwordReset.subject'),
    `  <mj-body width="520px" background-color="${light.page}" css-class="page">
${header(start)}
    <mj-wrapper background-color="${light.card}" border="1px solid ${light.line}" border-radius="12px" css-class="card">
      <mj-section padding="36px 40px 32px" css-class="inset">
        <mj-column>
          <mj-text><h1 style="margin:0;font-size:28px;line-height:36px;font-weight:700;letter-spacing:${tracking('-0.4px')}">${t('passwordReset.title')}</h1></mj-text>
          {% if name != blank %}<mj-text padding-top="12px">${t('hello')}</mj-text>{% endif %}
          <mj-text padding-top="12px">${asked('<strong dir="auto" style="word-break:break-word">{{account}}</strong>')}</mj-text>
          <mj-text padding="12px 0 24px">${linkValidity()} ${t('passwordReset.stays')}</mj-text>
          <mj-button href="{{url}}">${t('passwordReset.title')}</mj-button>
        </mj-column>
      </mj-section>
      <mj-section background-color="${light.sunk}" border-radius="0 0 11px 11px" padding="24px 40px 28px" css-class="sunk inset">
        <mj-column>
          <mj-text><h2 style="margin:0;font-size:16px;line-height:26px;font-weight:700">${t('access.notYou')}</h2></mj-text>
          <mj-text mj-class="soft" padding-top="4px">${t('passwordReset.nothing')}</mj-text>
${requestDetails('        <mj-spacer height="16px" />')}
        </mj-column>
      </mj-section>
    </mj-wrapper>
    <mj-section padding="24px 41px 0" css-class="outset">
      <mj-column>
        <mj-text mj-class="small">${t('passwordReset.copy')}</mj-text>
        <mj-text mj-class="small" font-family="${mono}" padding-top="4px" css-class="soft address mono"><span style="-webkit-user-select:all;user-select:all;word-break:break-all" dir="ltr">{{url}}</span></mj-text>
      </mj-column>
    </mj-section>
${footer(start, reason)}
  </mj-body>
`,
  );

const text = `${t('passwordReset.title')}

{% if name != blank %}${t('hello')}

{% endif %}${asked('{{account}}')}

${t('passwordReset.title')}${t('colon.beforeLines')}
{{url}}

${linkValidity()} ${t('passwordReset.stays')}

${t('access.notYou')}${t('colon.beforeLines')}
${t('passwordReset.nothing')}
${textRequestDetails(t('access.linkFrom'))}
${textFooter(reason)}`;

export const passwordReset: StarterLayout = {
  key: 'password-reset',
  name: 'Password reset',
  category: 'system',
  delivery: 'at-least-once',
  expiresIn: 'PT1H',
  marked: () => ({
    subject: t('passwordReset.subject'),
    previewText: `${linkValidity(bare('expires_in'))} ${t('passwordReset.preview')}`,
    body: body(),
    text,
  }),
  variables: {
    type: 'object',
    description: 'A link to choose a new password.',
    required: ['url'],
    properties: {
      url: secretLink('The link to choose a new password.'),
      name: optionalLine('Whom to greet.'),
      account: optionalLine('The name or the address that the account is known by.', 254),
      expires_in: optionalLine('How long the link works: 1 hour. Without it, the mail says: soon.', 60),
      ...requestVariables,
      ...brandVariables,
    },
    examples: [
      { url: 'https://app.acme.example/reset/7Qm2xK' },
      {
        url: 'https://app.northwind.example/reset-password?token=7Qm2xKf0Wc8vTnR4yZbLdHsJ3gPaUeMi',
        name: 'Grace',
        account: 'grace@example.com',
        expires_in: '1 hour',
        ...requestExample,
        ...northwind,
      },
    ],
  },
};
