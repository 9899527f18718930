// The magic link: a coloured band with one button, and the full address below it for clients in which buttons do not work.
import { brandVariables, footer, logoMarkupOnBand, northwind, textFooter } from './brand.ts';
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
const reason = t('access.reason');

const body = () =>
  mail(
    t('magicLink.title'),
    `  <mj-body width="520px" background-color="${light.page}" css-class="page">
    <mj-section padding="32px 0 0"><mj-column><mj-spacer height="1px" /></mj-column></mj-section>
    <mj-section background-color="${light.band}" border-radius="12px 12px 0 0" padding="32px 41px 40px" css-class="band outset">
      <mj-column>
        <mj-text line-height="32px">${logoMarkupOnBand}</mj-text>
        <mj-text color="${light.onBand}" padding-top="40px" css-class="on-band"><h1 style="margin:0;font-size:32px;line-height:40px;font-weight:700;letter-spacing:${tracking('-0.6px')}">${t('magicLink.title')}</h1></mj-text>
        <mj-text color="${light.onBandSoft}" padding="8px 0 28px" css-class="on-band-soft">${linkValidity()}</mj-text>
        <mj-button href="{{url}}" background-color="${light.onBand}" color="${light.band}">${t('magicLink.button')}</mj-button>
      </mj-column>
    </mj-section>
    <mj-wrapper background-color="${light.card}" border="1px solid ${light.line}" border-top="0" border-radius="0 0 12px 12px" css-class="card">
      <mj-section padding="28px 40px 32px" css-class="inset">
        <mj-column>
          <mj-text mj-class="small">${t('magicLink.copy')}</mj-text>
          <mj-text mj-class="small" font-family="${mono}" padding-top="4px" css-class="soft address mono"><span style="-webkit-user-select:all;user-select:all;word-break:break-all" dir="ltr">{{url}}</span></mj-text>
          <mj-divider padding="24px 0" />
          <mj-text><h2 style="margin:0;font-size:16px;line-height:26px;font-weight:700">${t('access.notYou')}</h2></mj-text>
          <mj-text mj-class="soft" padding-top="4px">${t('magicLink.ignore')}</mj-text>
${requestDetails('        <mj-spacer height="16px" />')}
        </mj-column>
      </mj-section>
    </mj-wrapper>
${footer(start, reason)}
  </mj-body>
`,
  );

const text = `${t('magicLink.title')}

${t('magicLink.open')}
{{url}}

${linkValidity()}

${t('access.notYou')}${t('colon.beforeLines')}
${t('magicLink.ignore')}
${textRequestDetails(t('access.linkFrom'))}
${textFooter(reason)}`;

export const magicLink: StarterLayout = {
  key: 'magic-link',
  name: 'Magic link',
  category: 'system',
  delivery: 'at-most-once',
  expiresIn: 'PT15M',
  marked: () => ({
    subject: t('magicLink.title'),
    previewText: linkValidity(bare('expires_in')),
    body: body(),
    text,
  }),
  variables: {
    type: 'object',
    description: 'A link that signs its reader in.',
    required: ['url'],
    properties: {
      url: secretLink('The link that signs in.'),
      expires_in: optionalLine('How long it works: 15 minutes. Without it, the mail says: soon.', 60),
      ...requestVariables,
      ...brandVariables,
    },
    examples: [
      { url: 'https://app.acme.example/in/7Qm2xK' },
      {
        url: 'https://app.northwind.example/sign-in?token=7Qm2xKf0Wc8vTnR4yZbLdHsJ3gPaUeMi&next=%2Forders',
        expires_in: '15 minutes',
        ...requestExample,
        ...northwind,
      },
    ],
  },
};
