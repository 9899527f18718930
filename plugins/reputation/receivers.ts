// Groups the domains of recipients by whether their providers report complaints. Complaints are only compared with mail
// to domains that report them, because mail to other domains would make every rate look small.
import { createHash } from 'node:crypto';
import { parseAddress } from '../../core/index.ts';

/** The group of all reporting domains. */
export const reporting = 'reporting';

/** Providers that offer feedback loops under their domains in many countries. */
const international = /^(?:yahoo|hotmail|outlook|live)\.(?:com|co\.[a-z]{2}|com\.[a-z]{2}|[a-z]{2})$/;

/** Other domains of providers with feedback loops. */
const otherReporting: ReadonlySet<string> = new Set([
  ...['aim.com', 'aol.com', 'ymail.com', 'rocketmail.com', 'myyahoo.com', 'verizon.net'],
  ...['att.net', 'bellsouth.net', 'sbcglobal.net', 'pacbell.net', 'swbell.net', 'ameritech.net'],
  ...['msn.com', 'passport.com', 'windowslive.com'],
  ...['comcast.net', 'xfinity.com', 'cox.net', 'charter.net', 'spectrum.net', 'rr.com', 'roadrunner.com'],
  ...['mail.ru', 'bk.ru', 'inbox.ru', 'list.ru', 'internet.ru', 'yandex.ru', 'yandex.com', 'ya.ru'],
  ...['orange.fr', 'wanadoo.fr', 'sfr.fr', 'neuf.fr', 'free.fr', 'laposte.net'],
  ...['libero.it', 'virgilio.it', 'seznam.cz', 'uol.com.br', 'bol.com.br', 'terra.com.br'],
  ...['fastmail.com', 'fastmail.fm', 'telenor.no', 'bigpond.com', 'optusnet.com.au', 'synacor.com'],
]);

/** The length of a digest, in letters: enough to distinguish the recipients' domains of one workspace. */
const digestLength = 32;

/** Finds the group of an address. */
export interface Receivers {
  /**
   * `reporting` for a reporting domain. Another domain is a group of its own, named by a digest, because the domain of
   * a person's address may be the person's name. Undefined for the pseudonym of an erased person.
   */
  of(workspaceId: string, email: string): string | undefined;
}

/** @param added domains of the program. @throws TypeError for a text that is not a domain */
export function createReceivers(added: readonly string[]): Receivers {
  const reportingDomains = new Set(
    added.map((text) => {
      const domain = parseAddress(`someone@${String(text).trim()}`)?.domain;
      if (domain === undefined)
        throw new TypeError(`reputationPlugin: \`reportingDomains\` has "${text}", which is not a domain.`);
      return domain;
    }),
  );
  return {
    of(workspaceId, email) {
      const domain = parseAddress(email)?.domain;
      if (domain === undefined) return undefined;
      if (reportingDomains.has(domain) || otherReporting.has(domain) || international.test(domain)) return reporting;
      return createHash('sha256').update(`${workspaceId}\n${domain}`).digest('hex').slice(0, digestLength);
    },
  };
}
