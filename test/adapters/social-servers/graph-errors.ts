// Errors as Meta's Graph API writes them.
import { refusalText } from '../../../plugins/social/testing/index.ts';
import { ApiRefusal, type ServedNetwork, type ServedResponse } from './network-server.ts';

export function graphError(status: number, code: number, message: string, more: object = {}): ServedResponse {
  const error = { message, type: 'OAuthException', code, fbtrace_id: 'AbCdEf', ...more };
  return { status, body: { error } };
}

/** The API's error for an object that does not exist. */
export const graphGone = (id: string): ApiRefusal =>
  new ApiRefusal(
    graphError(400, 100, `Unsupported request. Object with ID '${id}' does not exist.`, { error_subcode: 33 }),
  );

const usage = { '17841400000000000': [{ type: 'pages', estimated_time_to_regain_access: 12 }] };

export const graphRefusals: ServedNetwork['refusals'] = {
  rejected: graphError(400, 100, 'Invalid parameter', { error_user_msg: refusalText, is_transient: false }),
  limited: {
    ...graphError(400, 32, 'Page request limit reached'),
    headers: { 'x-business-use-case-usage': JSON.stringify(usage) },
  },
  disconnected: graphError(401, 190, 'Error validating access token', { error_subcode: 460 }),
};

/** Times as the API writes them. */
export const graphTime = (at: number): string => new Date(at).toISOString().replace(/\.\d{3}Z$/, '+0000');
