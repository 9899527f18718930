// The sign-in code: only the code, large, in a typeface whose characters are easy to distinguish. The subject starts with the code,
// so that most people can read it in the notification.
import { brandVariables, footer, header, northwind, textFooter } from './brand.ts';
import { optionalLine } from './fields.ts';
import { mail } from './head.ts';
import { tracking } from './marks.ts';
import { light, mono } from './palette.ts';
import { requestDetails, requestExample, requestVariables, textRequestDetails } from './sign-in-request.ts';
import type { StarterLayout } from './starter.ts';
import { t } from './texts.ts';

/**
 * The font size of the code: the longer the code, the smaller, so that it fits one line at 320 px. The indent balances the letter
 * spacing after the last character.
 */
const codeSize =
  '{% if code.size > 8 %}font-size:28px;letter-spacing:2px;text-indent:2px{% elsif code.size > 6 %}font-size:36px;letter-spacing:4px;text-indent:4px{% else %}font-size:48px;letter-spacing:8px;text-indent:8px{% endif %}';

const reason = t('access.reason');

/** How long the code works. @param expires_in markup or Liquid of the time */
const validity = (expires_in: string) =>
  `{% if expires_in != blank %}${t('access.codeExpires', { expires_in })}{% else %}${t('access.codeExpiresSoon')}{% endif %}`;

const body = () =>
  mail(
    t('loginCode.titleFor'),
    `  <mj-body width="460px" background-color="${light.page}" css-class="page">
${header('center')}
    <mj-wrapper background-color="${light.card}" border="1px solid ${light.line}" border-radius="12px" css-class="card">
      <mj-section padding="36px 40px 24px" css-class="inset">
        <mj-column>
          <mj-text align="center"><h1 style="margin:0;font-size:22px;line-height:30px;font-weight:700;letter-spacing:${tracking('-0.2px')}">${t('loginCode.title')}</h1></mj-text>
          <mj-text align="center" mj-class="soft" padding-top="4px">${t('loginCode.enter')}</mj-text>
        </mj-column>
      </mj-section>
      <mj-section padding="0 40px 32px" css-class="inset">
        <mj-column>
          <mj-table role="presentation">
            <tr>
              <td align="center" class="sunk ink mono" style="padding:24px 8px;border-radius:10px;background-color:${light.sunk};font-family:${mono};font-weight:700;line-height:56px;${codeSize}"><span style="-webkit-user-select:all;user-select:all" dir="ltr">{{code}}</span></td>
            </tr>
          </mj-table>
          <mj-text align="center" mj-class="soft" padding-top="16px">${validity(`<strong class="ink" dir="auto" style="color:${light.ink};white-space:nowrap">{{expires_in}}</strong>`)}</mj-text>
        </mj-column>
      </mj-section>
      <mj-section padding="0 40px 32px" css-class="inset">
        <mj-column>
          <mj-divider padding="0 0 24px" />
          <mj-text><h2 style="margin:0;font-size:16px;line-height:26px;font-weight:700">${t('access.notYou')}</h2></mj-text>
          <mj-text mj-class="soft" padding-top="4px">${t('loginCode.mistyped')}</mj-text>
          <mj-text mj-class="soft" padding-top="12px">${t('loginCode.keep')}</mj-text>
${requestDetails('        <mj-spacer height="16px" />')}
        </mj-column>
      </mj-section>
    </mj-wrapper>
${footer('center', reason)}
  </mj-body>
`,
  );

const text = `${t('loginCode.is')}

${t('loginCode.enter')} ${validity('{{expires_in}}')}

${t('access.notYou')}${t('colon.beforeLines')}
${t('loginCode.mistyped')}

${t('loginCode.keep')}
${textRequestDetails(t('access.codeFrom'))}
${textFooter(reason)}`;

export const loginCode: StarterLayout = {
  key: 'login-code',
  name: 'Sign-in code',
  category: 'system',
  delivery: 'at-most-once',
  expiresIn: 'PT15M',
  marked: () => ({
    subject: t('loginCode.subject'),
    previewText: `${validity('{{expires_in}}')} ${t('loginCode.preview')}`,
    body: body(),
    text,
  }),
  variables: {
    type: 'object',
    description: 'A code to type in, to sign in or to confirm a step.',
    required: ['code'],
    properties: {
      code: {
        type: 'string',
        minLength: 4,
        maxLength: 12,
        pattern: '^[A-Za-z0-9-]+$',
        writeOnly: true,
        description: 'The code, as it is typed in: 4 to 12 letters, digits and hyphens.',
      },
      expires_in: optionalLine('How long it works: 10 minutes. Without it, the mail says: soon.', 60),
      ...requestVariables,
      ...brandVariables,
    },
    examples: [{ code: '482913' }, { code: '482913', expires_in: '10 minutes', ...requestExample, ...northwind }],
  },
};
