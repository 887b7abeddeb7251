/** Where a command writes, so that tests can listen. Texts end with their own newline. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** stderr is a terminal: progress may rewrite its line. */
  readonly terminal: boolean;
  /** Milliseconds since some fixed moment, for progress and speed only. */
  clock(): number;
}

/** Bad input or usage: one clear message on stderr, exit code 2. */
export class UsageError extends Error {
  readonly details: readonly string[];

  /** Texts from outside may stand in both: they are made fit to be printed here. */
  constructor(message: string, details: readonly string[] = []) {
    super(printable(message));
    this.name = 'UsageError';
    this.details = details.map(printable);
  }
}

export const EXIT = { ok: 0, notHeld: 1, usage: 2 } as const;

/**
 * A text from outside as a terminal may be given it: control characters, the marks that turn the direction of writing and halves of
 * surrogate pairs are written as escapes, so that no title and no file name can move the cursor or show another text than it is.
 * Newlines and tabs stay.
 */
export const printable = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same on one line. */
export const printableLine = (text: string): string => printable(text).replace(/\n/g, '\\n').replace(/\t/g, '\\t');

/** What the system says, in words: `there is no such file`. */
export const systemReason = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
};

const REASONS: Readonly<Record<string, string | undefined>> = {
  ENOENT: 'there is no such file',
  EACCES: 'access is not permitted',
  EPERM: 'access is not permitted',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is no folder',
  EEXIST: 'there is a file where a folder is needed',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  EDQUOT: 'the quota is used up',
  EFBIG: 'the file would be too large',
  EIO: 'the device reports an error',
  ENXIO: 'it is no file',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  ERR_INVALID_ARG_VALUE: 'the name is no name of a file',
};
