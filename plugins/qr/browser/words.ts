// Says what is wrong with a code in the words of the form: an answer of the service names fields of the API.

/** The labels of controls whose fields have another name. */
const names: Readonly<Record<string, string>> = {
  payload: 'Text or URL',
  linkId: 'Short link',
  ssid: 'Network',
  foreground: 'Code',
  background: 'Ground',
};

/** `encodes.firstName is required.` as `First name is required.` */
export const wordsOfForm = (message: string): string =>
  message.replace(/\b(?:encodes|style|frame)\.(\w+)/g, (_, field: string) => {
    const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return names[field] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  });
