// The keyring that lives in this process. The core has it built in, since a service without another keyring uses it.
export {
  type KeyringFile,
  type KeyringKeys,
  type LocalKeyringOptions,
  localKeyring,
} from '../../core/keyring/local-keyring.ts';
export type { KeyringSecret } from '../../core/keyring/local-secret.ts';
