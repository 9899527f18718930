// Country codes: ISO 3166-1 alpha-2, and the user-assigned code XK for Kosovo. Called wherever a caller names a country. Pure.

const codes: ReadonlySet<string> = new Set(
  [
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI',
    'CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ',
    'GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS',
    'LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG',
    'PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK',
    'TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW',
  ]
    .join(' ')
    .split(' '),
);

/** Codes that people write by mistake (reserved codes, withdrawn codes, language codes), and the codes that they mean. */
const corrections: Readonly<Record<string, string>> = {
  UK: 'GB',
  EN: 'GB, or US',
  EL: 'GR',
  JA: 'JP',
  KO: 'KR',
  ZH: 'CN',
  DA: 'DK',
  CS: 'CZ',
  SU: 'RU',
  YU: 'RS, or ME',
  AN: 'CW, SX or BQ',
  TP: 'TL',
  ZR: 'CD',
  BU: 'MM',
  DD: 'DE',
  FX: 'FR',
  AC: 'SH',
  TA: 'SH',
};

/** Whether the text is a country code in capital letters. */
export const isCountry = (code: string): boolean => codes.has(code);

/** A sentence about why a text is not a country code, with the right format; undefined if it is a country code. */
export function countryFault(text: string): string | undefined {
  if (isCountry(text)) return undefined;
  const code = text.toUpperCase();
  const quoted = JSON.stringify(text.slice(0, 40));
  if (isCountry(code)) return `Write ${code} in place of ${quoted}.`;
  const correction = Object.hasOwn(corrections, code) ? corrections[code] : undefined;
  return correction === undefined
    ? `${quoted} is not a country code of ISO 3166-1: write two letters, such as DE.`
    : `${quoted} is not a country code of ISO 3166-1: write ${correction}.`;
}
