// The keyring in this process. It is built into the core, because a service without another keyring uses it.
export {
  type KeyringFile,
  type KeyringKeys,
  type LocalKeyringOptions,
  localKeyring,
} from '../../core/keyring/local-keyring.ts';
export type { KeyringSecret } from '../../core/keyring/local-secret.ts';
