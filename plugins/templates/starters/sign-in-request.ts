// The origin of a request for a code or a link: three optional facts that help readers to recognise their own request.
import { optionalLine } from './fields.ts';
import { markedOrientation, sides } from './marks.ts';
import { light } from './palette.ts';
import { t } from './texts.ts';

const { start } = markedOrientation;

export const requestVariables = {
  requested_at: optionalLine('When it was asked for, with the time zone: 24 November 2026, 14:22 CET.', 100),
  device: optionalLine('The device of the request: Firefox on Windows.', 100),
  location: optionalLine('Roughly where, from the network address: Bergen, Norway.', 100),
} as const;

export const requestExample = {
  requested_at: '24 November 2026, 14:22 CET',
  device: 'Firefox on Windows',
  location: 'Bergen, Norway',
} as const;

const genericDetail = 'requested_at != blank or device != blank or location != blank';

const row = (label: string, variable: string) =>
  `          {% if ${variable} != blank %}<tr>
            <th scope="row" width="62" align="${start}" valign="top" class="soft" style="padding:${sides('4px', '12px', '4px', '0')};font-size:14px;line-height:24px;font-weight:400;color:${light.soft}">${label}</th>
            <td valign="top" class="ink" style="padding:4px 0;font-size:14px;line-height:24px"><span dir="auto">{{${variable}}}</span></td>
          </tr>{% endif %}`;

/** How long a link works. @param slots as in textMark */
export const linkValidity = (slots: Readonly<Record<string, string>> = {}) =>
  `{% if expires_in != blank %}${t('access.linkExpires', slots)}{% else %}${t('access.linkExpiresSoon')}{% endif %}`;

/** The facts as rows, with markup before and after them; empty when none is known. */
export const requestDetails = (before: string, after = '') => `        {% if ${genericDetail} %}
${before}
        <mj-table>
${row(t('access.time'), 'requested_at')}
${row(t('access.device'), 'device')}
${row(t('access.near'), 'location')}
        </mj-table>
${after}        {% endif %}`;

const between = t('colon.beforeValue');

/** The details for a text part; starts with an empty line. */
export const textRequestDetails = (lead: string) => `{% if ${genericDetail} %}
${lead}
{% if requested_at != blank %}${t('access.time')}${between}{{requested_at}}
{% endif %}{% if device != blank %}${t('access.device')}${between}{{device}}
{% endif %}{% if location != blank %}${t('access.near')}${between}{{location}}
{% endif %}{% endif %}`;
