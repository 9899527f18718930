// The password reset: a short letter on account security. It says what to do, then shows the request, then says what to do if the
// reader did not make the request.
import { brandVariables, footer, header, northwind, textFooter } from './brand.ts';
import { optionalLine, secretLink } from './fields.ts';
import { mail } from './head.ts';
import { light, mono } from './palette.ts';
import { requestDetails, requestExample, requestVariables, textRequestDetails } from './sign-in-request.ts';
import type { Starter } from './starter.ts';

const reason = 'You get this email because someone asked to reset the password that goes with this address.';

const body = mail(
  'Choose a new password for {{product}}',
  `  <mj-body width="520px" background-color="${light.page}" css-class="page">
${header('left')}
    <mj-wrapper background-color="${light.card}" border="1px solid ${light.line}" border-radius="12px" css-class="card">
      <mj-section padding="36px 40px 32px" css-class="inset">
        <mj-column>
          <mj-text><h1 style="margin:0;font-size:28px;line-height:36px;font-weight:700;letter-spacing:-0.4px">Choose a new password</h1></mj-text>
          <mj-text padding-top="12px">{% if name != blank %}Hello {{name}}, someone{% else %}Someone{% endif %} asked to reset the password of your {{product}} account{% if account != blank %} <strong style="word-break:break-word">{{account}}</strong>{% endif %}. If it was you, choose a new one.</mj-text>
          <mj-text padding="12px 0 24px">{% if expires_in != blank %}The link works once and expires in {{expires_in}}.{% else %}The link works once and expires soon.{% endif %} Your old password stays until you choose a new one.</mj-text>
          <mj-button href="{{url}}">Choose a new password</mj-button>
        </mj-column>
      </mj-section>
      <mj-section background-color="${light.sunk}" border-radius="0 0 11px 11px" padding="24px 40px 28px" css-class="sunk inset">
        <mj-column>
          <mj-text><h2 style="margin:0;font-size:16px;line-height:26px;font-weight:700">If this was not you</h2></mj-text>
          <mj-text mj-class="soft" padding-top="4px">Then there is nothing to do: your password stays as it is. If it happens again, please let us know.</mj-text>
${requestDetails('        <mj-spacer height="16px" />')}
        </mj-column>
      </mj-section>
    </mj-wrapper>
    <mj-section padding="24px 41px 0" css-class="outset">
      <mj-column>
        <mj-text mj-class="small">If the button doesn’t work, copy this address into your browser:</mj-text>
        <mj-text mj-class="small" font-family="${mono}" padding-top="4px" css-class="soft address mono"><span style="-webkit-user-select:all;user-select:all;word-break:break-all">{{url}}</span></mj-text>
      </mj-column>
    </mj-section>
${footer('left', reason)}
  </mj-body>
`,
);

const text = `Choose a new password

{% if name != blank %}Hello {{name}}, someone{% else %}Someone{% endif %} asked to reset the password of your {{product}} account{% if account != blank %} {{account}}{% endif %}. If it was you, choose a new one here:
{{url}}

{% if expires_in != blank %}The link works once and expires in {{expires_in}}.{% else %}The link works once and expires soon.{% endif %} Your old password stays until you choose a new one.

If it was not you, there is nothing to do: your password stays as it is. If it happens again, please let us know.
${textRequestDetails('The link was asked for from here:')}
${textFooter(reason)}`;

export const passwordReset: Starter = {
  key: 'password-reset',
  name: 'Password reset',
  category: 'system',
  delivery: 'at-least-once',
  expiresIn: 'PT1H',
  subject: 'Choose a new password for {{product}}',
  previewText:
    '{% if expires_in != blank %}The link expires in {{expires_in}}.{% else %}The link expires soon.{% endif %} Not you? Your password stays as it is.',
  body,
  text,
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
