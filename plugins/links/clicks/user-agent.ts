// Reads device, platform and browser of a visitor from User-Agent and client hints, and whether the visitor is a program. Pure
// except for a bounded cache, because parsing takes a hundred times as long as a redirect.
import Bowser from 'bowser';
import { programSignOf } from '../../../core/unstable.ts';

export interface Client {
  readonly device: 'mobile' | 'tablet' | 'desktop' | 'other';
  readonly platform: 'ios' | 'android' | 'windows' | 'macos' | 'linux' | 'other';
  readonly browser: string;
  readonly bot: boolean;
}

/** The headers from which a client is read. */
export interface ClientHeaders {
  readonly userAgent: string | undefined;
  /** Sec-CH-UA-Mobile and Sec-CH-UA-Platform: browsers send them without being asked. */
  readonly mobileHint: string | undefined;
  readonly platformHint: string | undefined;
}

const platforms: Readonly<Record<string, Client['platform']>> = {
  ios: 'ios',
  android: 'android',
  windows: 'windows',
  'windows phone': 'windows',
  macos: 'macos',
  linux: 'linux',
  'chrome os': 'linux',
  'chromium os': 'linux',
};

const isDevice = (type: string | undefined): type is 'mobile' | 'tablet' | 'desktop' =>
  type === 'mobile' || type === 'tablet' || type === 'desktop';

/** Corrects devices that Bowser does not recognise, or does not recognise in every application. */
function deviceOf(userAgent: string, platformType: string | undefined): Client['device'] {
  if (/\biPad\b/.test(userAgent)) return 'tablet';
  if (isDevice(platformType)) return platformType;
  return /\bCrOS\b|\bMacOutlook\b|\bMicrosoft Outlook\b|\bms-office\b/.test(userAgent) ? 'desktop' : 'other';
}

const unknownClient: Client = { device: 'other', platform: 'other', browser: 'other', bot: true };

function parseClient({ userAgent, mobileHint, platformHint }: ClientHeaders): Client {
  if (userAgent === undefined || userAgent.trim() === '') return unknownClient;
  const { browser, os, platform } = Bowser.parse(userAgent);
  const hintedPlatform = platforms[(platformHint ?? '').replaceAll('"', '').toLowerCase()];
  const device = deviceOf(userAgent, platform.type);
  return {
    // Tablets send ?0 in the hint, so only phones can be recognised by it.
    device: mobileHint === '?1' ? (device === 'tablet' ? 'tablet' : 'mobile') : device,
    platform: hintedPlatform ?? platforms[(os.name ?? '').toLowerCase()] ?? 'other',
    browser: browser.name === undefined || browser.name === '' ? 'other' : browser.name.slice(0, 60),
    bot: programSignOf(userAgent) !== undefined,
  };
}

const maxCached = 5_000;
/** Longer headers are cut. The User-Agent of a browser is shorter. */
const maxHeaderLength = 500;
const separator = '\n';

/** Makes a reader with a cache of the last clients. */
export function createClientReader(): (headers: ClientHeaders) => Client {
  const cachedClients = new Map<string, Client>();
  return ({ userAgent, mobileHint, platformHint }) => {
    const shortened = {
      userAgent: userAgent?.slice(0, maxHeaderLength),
      mobileHint: mobileHint?.slice(0, 4),
      platformHint: platformHint?.slice(0, 20),
    };
    const key = `${shortened.userAgent}${separator}${shortened.mobileHint}${separator}${shortened.platformHint}`;
    const cachedClient = cachedClients.get(key);
    if (cachedClient !== undefined) return cachedClient;
    const client = parseClient(shortened);
    // Clears the whole cache, because tracking the order of use would cost every redirect.
    if (cachedClients.size >= maxCached) cachedClients.clear();
    cachedClients.set(key, client);
    return client;
  };
}
