/** The errors that Linux answers with. Numbers are those of x86-64 (include/uapi/asm-generic/errno-base.h, errno.h). */
export const ERRNO = {
  EPERM: [1, 'Operation not permitted'],
  ENOENT: [2, 'No such file or directory'],
  ESRCH: [3, 'No such process'],
  EIO: [5, 'Input/output error'],
  EAGAIN: [11, 'Resource temporarily unavailable'],
  ENOMEM: [12, 'Cannot allocate memory'],
  EACCES: [13, 'Permission denied'],
  EBUSY: [16, 'Device or resource busy'],
  EEXIST: [17, 'File exists'],
  ENODEV: [19, 'No such device'],
  ENOTDIR: [20, 'Not a directory'],
  EISDIR: [21, 'Is a directory'],
  EINVAL: [22, 'Invalid argument'],
  ENOSPC: [28, 'No space left on device'],
  ERANGE: [34, 'Numerical result out of range'],
  ENOTEMPTY: [39, 'Directory not empty'],
  EOPNOTSUPP: [95, 'Operation not supported'],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrnoName = keyof typeof ERRNO;

/** What a system call or a write to /proc or /sys fails with. `why` is Swaplab's own explanation, for people. */
export class KernelError extends Error {
  readonly code: ErrnoName;
  readonly errno: number;
  readonly why: string;
  constructor(code: ErrnoName, why = '') {
    super(ERRNO[code][1]);
    this.name = 'KernelError';
    this.code = code;
    this.errno = ERRNO[code][0];
    this.why = why;
  }
}
