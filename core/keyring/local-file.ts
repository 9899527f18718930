// The key file of the local keyring. Used by local-keyring.ts only. Never overwrites an existing file.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type KeyringSecret, keysOfEnvironment } from './local-secret.ts';

/**
 * Checks an error by its code, never by its class: jest runs a program in its own realm, where Node's errors are not
 * instances of Error.
 */
const isFault = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes(String((error as NodeJS.ErrnoException | null)?.code));

function isKey(value: unknown): value is KeyringSecret {
  if (typeof value !== 'object' || value === null) return false;
  const { id, secret } = value as Partial<Record<string, unknown>>;
  return typeof id === 'string' && typeof secret === 'string';
}

/**
 * Parses JSON; undefined if it is invalid. The parser's error message quotes the file's text, so it is dropped here.
 */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The keys in `file`; undefined if there is no such file. @throws Error when it cannot be read as a key file */
export async function readKeyFile(file: string): Promise<readonly KeyringSecret[] | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isFault(error, 'ENOENT')) return undefined;
    throw error;
  }
  const content = parse(text);
  const keys = typeof content === 'object' && content !== null ? (content as { keys?: unknown }).keys : undefined;
  if (!Array.isArray(keys) || !keys.every(isKey)) {
    throw new Error(
      `The key file ${file} is damaged: it should contain {"keys":[{"id":"…","secret":"…"}]}. ` +
        'Restore it from a backup; without it, values sealed with its keys cannot be opened.',
    );
  }
  return keys;
}

/**
 * Publishes a complete file under its name, unless the name exists. If two processes do so at once, one of them succeeds,
 * and both then read the key of that file.
 */
async function publish(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if (isFault(error, 'EEXIST')) return;
    if (!isFault(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK')) throw error;
    // Not every file system has link().
    await copyFile(draft, file, constants.COPYFILE_EXCL).catch((fault: unknown) => {
      if (!isFault(fault, 'EEXIST')) throw fault;
    });
  }
}

/** The keys in `file`. A missing file is created with one new key: mode 0600, in a folder of mode 0700. */
export async function createKeyFile(file: string): Promise<readonly KeyringSecret[]> {
  try {
    return await writeKeyFile(file);
  } catch (error) {
    if (!isFault(error, 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ELOOP'))
      throw error;
    throw new Error(
      `The keyring cannot use its key file ${file}: ${(error as Error).message}. Let this process write there, or give it keys of its own: ${keysOfEnvironment}`,
      { cause: error },
    );
  }
}

async function writeKeyFile(file: string): Promise<readonly KeyringSecret[]> {
  const existing = await readKeyFile(file);
  if (existing !== undefined) return existing;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const key: KeyringSecret = { id: 'development', secret: randomBytes(32).toString('base64') };
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(`${JSON.stringify({ keys: [key] }, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await publish(draft, file);
  } finally {
    await unlink(draft).catch(() => undefined);
  }
  const written = await readKeyFile(file);
  if (written === undefined) throw new Error(`The key file ${file} vanished while it was made. Start again.`);
  return written;
}
