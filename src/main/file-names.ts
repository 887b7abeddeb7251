/** File names made from titles that others wrote: a safe alphabet, no separators, no reserved names. */
export const EXPERIMENT_EXTENSION = '.swaplab.json';

const MOST_CHARACTERS = 80;
/** Names that Windows keeps for devices, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/i;

/** @returns letters, digits, dots, dashes and underscores only; never empty, never beginning with a dot */
export function safeBaseName(title: string, otherwise: string): string {
  const name = title
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, MOST_CHARACTERS)
    .replace(/[.-]+$/, '');
  return name === '' || RESERVED.test(name) ? otherwise : name;
}

/** `name` with the extension, which is not doubled. */
export function withExtension(name: string, extension: string): string {
  return name.toLowerCase().endsWith(extension) ? name : `${name}${extension}`;
}
