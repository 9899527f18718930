/** The reason why a message did not arrive, in the service's own terms. */
export type SmsReason =
  | 'invalid_number'
  | 'landline'
  | 'unreachable'
  | 'blocked'
  | 'opted_out'
  | 'content'
  | 'not_permitted'
  | 'account'
  | 'sender'
  | 'expired'
  | 'unknown';
