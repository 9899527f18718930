// What a User-Agent and client hints say of a visitor: device, platform, browser, and whether it is a program. Pure but for a
// bounded memory of what was read, because reading one takes a hundred times as long as a redirect.
import Bowser from 'bowser';
import { programNamed } from '../../../core/unstable.ts';

/** What is known of a client. */
export interface Client {
  readonly device: 'mobile' | 'tablet' | 'desktop' | 'other';
  readonly platform: 'ios' | 'android' | 'windows' | 'macos' | 'linux' | 'other';
  readonly browser: string;
  readonly bot: boolean;
}

/** The headers of a request that tell it. */
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

/** Devices that Bowser does not tell, or not in every program on them. */
function deviceOf(userAgent: string, told: string | undefined): Client['device'] {
  if (/\biPad\b/.test(userAgent)) return 'tablet';
  if (isDevice(told)) return told;
  return /\bCrOS\b|\bMacOutlook\b|\bMicrosoft Outlook\b|\bms-office\b/.test(userAgent) ? 'desktop' : 'other';
}

const unknownClient: Client = { device: 'other', platform: 'other', browser: 'other', bot: true };

function read({ userAgent, mobileHint, platformHint }: ClientHeaders): Client {
  if (userAgent === undefined || userAgent.trim() === '') return unknownClient;
  const { browser, os, platform } = Bowser.parse(userAgent);
  const hinted = platforms[(platformHint ?? '').replaceAll('"', '').toLowerCase()];
  const told = deviceOf(userAgent, platform.type);
  return {
    // A tablet says that it is not mobile: the hint tells phones only.
    device: mobileHint === '?1' ? (told === 'tablet' ? 'tablet' : 'mobile') : told,
    platform: hinted ?? platforms[(os.name ?? '').toLowerCase()] ?? 'other',
    browser: browser.name === undefined || browser.name === '' ? 'other' : browser.name.slice(0, 60),
    bot: programNamed(userAgent) !== undefined,
  };
}

const max = 5_000;
/** Longer ones are cut: no browser has such a name. */
const longest = 500;
const separator = '\n';

/** Makes a reader with a memory of the last clients. */
export function createClientReader(): (headers: ClientHeaders) => Client {
  const known = new Map<string, Client>();
  return ({ userAgent, mobileHint, platformHint }) => {
    const cut = {
      userAgent: userAgent?.slice(0, longest),
      mobileHint: mobileHint?.slice(0, 4),
      platformHint: platformHint?.slice(0, 20),
    };
    const key = `${cut.userAgent}${separator}${cut.mobileHint}${separator}${cut.platformHint}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const client = read(cut);
    // The whole memory at once: keeping an order would cost every redirect.
    if (known.size >= max) known.clear();
    known.set(key, client);
    return client;
  };
}
