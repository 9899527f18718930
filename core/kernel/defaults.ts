// The two built-in default adapters, both without dependencies. The only place where the core names adapters.
import { localKeyring } from '../../adapters/keyring/local.ts';
import { memoryLimits } from '../../adapters/limits/memory.ts';
import type { KeyringAdapter } from '../contract/ports/keyring.ts';
import type { LimitStore } from '../contract/ports/limits.ts';

/** A key file in development; refuses in production. */
export const defaultKeyring = (): KeyringAdapter => localKeyring();

/** Counters in the memory of this process. */
export const defaultLimits = (): LimitStore => memoryLimits();
