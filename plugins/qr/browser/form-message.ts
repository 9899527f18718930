// Describes the fault of a code with the labels of the form, because responses of the service name fields of the API.

/** The labels of controls whose fields have another name. */
const names: Readonly<Record<string, string>> = {
  payload: 'Text or URL',
  linkId: 'Short link',
  ssid: 'Network',
  foreground: 'Code',
  background: 'Ground',
};

/** `encodes.firstName is required.` as `First name is required.` */
export const formMessage = (message: string): string =>
  message.replace(/\b(?:encodes|style|frame)\.(\w+)/g, (_, field: string) => {
    const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return names[field] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  });
