// The log of a service: the program's logger, with people's addresses removed. Errors of vendors and databases quote addresses
// (“no such recipient: …”, “duplicate entry …”). Made in container.ts; everything is logged through it.
import type { Logger } from '../contract/ports/platform.ts';
import { type ServiceOptions, stderrLogger } from './options.ts';

/** A mail address, also within a URL. A domain ends with letters; the version of a package does not. */
const mailAddress =
  /(?:"[^"\n]{1,64}"|[^\s"'`<>()[\]{},;:=/\\@][^\s"`<>()[\]{},;:=/\\@]{0,63})(?:@|%40)(?:[\p{L}\p{N}-]{1,63}\.)+(?:xn--[a-z0-9-]{2,59}|\p{L}{2,63})/giu;
/** A phone number with its country code, in E.164 or as people write it. */
const phoneNumber = /(?:\+|%2B)\d(?:[ ().-]{0,2}\d){6,14}/gi;

/** The example address in messages of the service. Nobody can register it. */
const exampleAddress = 'name@example.com';

/** A text without mail addresses and phone numbers. */
export function withoutAddresses(text: string): string {
  const mail =
    text.includes('@') || text.includes('%40')
      ? text.replace(mailAddress, (address) => (address === exampleAddress ? address : '(address)'))
      : text;
  return mail.includes('+') || mail.includes('%2') ? mail.replace(phoneNumber, '(number)') : mail;
}

const withoutPersonalText = (value: unknown): unknown => {
  if (typeof value === 'string') return withoutAddresses(value);
  if (value instanceof Error) return withoutAddresses(value.stack ?? value.message);
  return Array.isArray(value) ? value.map(withoutPersonalText) : value;
};

const plainFields = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, withoutPersonalText(value)]));

/** The log of a service with these options. */
export function logOf({ logger = stderrLogger }: Pick<ServiceOptions<string>, 'logger'>): Logger {
  const logAt = (level: keyof Logger) => (fields: Record<string, unknown>, message: string) =>
    logger[level](plainFields(fields), withoutAddresses(message));
  return { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error') };
}
