/** What an errno means where swap is set up, for people; KernelError.why tells about the case at hand. */
import type { ErrnoName } from '../../errno';

export const ERRNO_WORDS: Readonly<Record<ErrnoName, string>> = {
  EPERM: 'The kernel does not allow this, not even to root.',
  ENOENT: 'There is no such file, device or compressor.',
  ESRCH: 'There is no process with this id.',
  EIO: 'The file cannot be written: it only shows something.',
  EAGAIN: 'Less was done than asked for; it may work later.',
  ENOMEM: 'There is not enough memory for it.',
  EACCES: 'The file is read-only or write-only, or cannot be made here.',
  EBUSY: 'Something still uses it.',
  EEXIST: 'It is there already.',
  ENODEV: 'There is no such device.',
  ENOTDIR: 'A part of the path is a file, not a directory.',
  EISDIR: 'This is a directory, not a file.',
  EINVAL: 'The value is not one that this file takes.',
  ENOSPC: 'There is no room left.',
  ERANGE: 'The number is too large for this file.',
  ENOTEMPTY: 'The directory is not empty.',
  EOPNOTSUPP: 'The kernel cannot do this in its present state.',
};
