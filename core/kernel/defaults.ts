// The defaults of a service whose options lack a keyring or a limit store. Neither default needs a package.
import type { KeyringAdapter } from '../contract/ports/keyring.ts';
import type { LimitStore } from '../contract/ports/limits.ts';
import { localKeyring } from '../keyring/local-keyring.ts';
import { memoryLimits } from '../limits/memory-limits.ts';

/** A key file in development; refuses in production. */
export const defaultKeyring = (): KeyringAdapter => localKeyring();

/** Counters in the memory of this process. */
export const defaultLimits = (): LimitStore => memoryLimits();
