// Adds UTM values to a destination. Pure. Other parameters keep their bytes and their order.
import { type Utm, utmFields } from '../schema.ts';

/** The decoded name of a parameter, so that a percent-encoded name counts as the same name. */
function nameOf(parameter: string): string {
  const [name = ''] = parameter.split('=', 1);
  return [...new URLSearchParams(`${name}=`).keys()][0] ?? '';
}

/** The Location of a redirect: the normalised destination with the UTM values that are not empty. */
export function addUtm(destination: string, utm: Utm): string {
  const url = new URL(destination);
  const utmParameters = utmFields.flatMap((field) => {
    const value = utm[field];
    return value === undefined || value === '' ? [] : [[`utm_${field}`, value] as const];
  });
  if (utmParameters.length === 0) return url.href;
  const names = new Set<string>(utmParameters.map(([name]) => name));
  const query = url.search.slice(1);
  const keptParameters = query === '' ? [] : query.split('&').filter((parameter) => !names.has(nameOf(parameter)));
  const addedParameters = utmParameters.map(
    ([name, value]) => `${name}=${encodeURIComponent(value.replace(/\p{Cs}/gu, '\ufffd'))}`,
  );
  url.search = [...keptParameters, ...addedParameters].join('&');
  return url.href;
}
