/** A failure that was foreseen: its message is one sentence that says what is missing and what to do. */
export class Stop extends Error {
  constructor(sentence, options) {
    super(sentence, options);
    this.name = 'Stop';
  }
}

/** File system errors that any step may meet, as a sentence; undefined for others. `error.code` as Node gives it. */
export function fileSystemSentence(error) {
  const where = error?.path ?? error?.dest ?? 'a file';
  switch (error?.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `There is no room left on the disk (writing ${where}): free some space and run the command again.`;
    case 'EROFS':
      return `${where} is on a read-only file system: use a copy of Swaplab in a folder that can be written.`;
    case 'EACCES':
    case 'EPERM':
      return `${where} may not be written by this user: change its owner, or use a copy of Swaplab in a folder of your own.`;
    default:
      return undefined;
  }
}

/** What to print for an error that ended a task. */
export function explain(error) {
  if (error instanceof Stop) return error.message;
  return fileSystemSentence(error) ?? error?.stack ?? String(error);
}
