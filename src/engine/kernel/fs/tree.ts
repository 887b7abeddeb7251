/**
 * The machine's files: /proc, /sys, cgroupfs and debugfs behind the calls that programs make. A failing call answers what
 * Linux 6.18 answers root at the same place (test-data/captures/paths-6.18.txt).
 */
import { KernelError } from '../../errno';
import type { FsKernel } from './kernel';
import { dir } from './node';
import type { DirNode, Node } from './node';
import { procDir } from './proc';
import { sysDir } from './sysfs';

/** Longest write(2) that reaches a file in one piece (PAGE_SIZE of kernfs). */
const WRITE_MOST = 4096;

export interface FileTree {
  /** What `cat path` prints. @throws KernelError ENOENT, ENOTDIR, EISDIR, EACCES */
  read(path: string): string;
  /**
   * What `printf %s text > path` does; the caller adds the newline that echo would.
   * @throws KernelError the file's own, or ENOENT, ENOTDIR, EISDIR, EACCES, EIO
   */
  write(path: string, text: string): void;
  /** Names in a directory, sorted as `ls` does in the C locale. @throws KernelError ENOENT, ENOTDIR */
  list(path: string): readonly string[];
  /** @throws KernelError EEXIST, ENOENT, ENOTDIR, EINVAL, EPERM outside cgroupfs */
  mkdir(path: string): void;
  /** @throws KernelError ENOENT, ENOTDIR, EBUSY, EPERM outside cgroupfs */
  rmdir(path: string): void;
  /** Is there such a file or directory? */
  exists(path: string): boolean;
  /** Can it be written, and read? False for directories and for what is not there. */
  access(path: string): { readonly readable: boolean; readonly writable: boolean };
}

function parts(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

class Tree implements FileTree {
  private readonly root: DirNode;

  constructor(kernel: FsKernel) {
    this.root = dir('sysfs', { proc: procDir(kernel), sys: sysDir(kernel) });
  }

  /** The directory of the last part, the part, and what is there (if anything). */
  private resolve(path: string): { parent: DirNode; name: string; node: Node | undefined } {
    if (!path.startsWith('/')) throw new KernelError('ENOENT', `${path}: give the whole path, from /`);
    const names = parts(path);
    let parent: DirNode = this.root;
    let node: Node | undefined = this.root;
    let name = '';
    for (const [index, part] of names.entries()) {
      if (node === undefined) throw new KernelError('ENOENT', `there is no /${names.slice(0, index).join('/')}`);
      if (node.kind === 'file') throw new KernelError('ENOTDIR', `/${names.slice(0, index).join('/')} is a file`);
      parent = node;
      name = part;
      node = node.get(part);
    }
    if (path.endsWith('/') && node?.kind === 'file') throw new KernelError('ENOTDIR', `/${names.join('/')} is a file`);
    return { parent, name, node };
  }

  read(path: string): string {
    const { node } = this.resolve(path);
    if (node === undefined) throw new KernelError('ENOENT', `there is no ${path} on this machine`);
    if (node.kind === 'dir') throw new KernelError('EISDIR', `${path} is a directory`);
    // cgroupfs lets root open the file and refuses the read itself.
    if (node.read === undefined) throw new KernelError(node.system === 'cgroup' ? 'EINVAL' : 'EACCES', `${path} can only be written`);
    return node.read();
  }

  write(path: string, text: string): void {
    // open(2) with O_CREAT takes a slash at the end for a directory, whatever is there.
    const slash = path.length > 1 && path.endsWith('/');
    const { parent, node } = this.resolve(slash ? path.slice(0, -1) : path);
    if (slash) throw new KernelError('EISDIR', `${path} names a directory`);
    if (node === undefined) {
      if (parent.system === 'proc' || parent.system === 'sysctl') throw new KernelError('ENOENT', `there is no ${path} on this machine`);
      throw new KernelError('EACCES', `there is no ${path}; the shell tries to create it, and this file system lets nobody create files`);
    }
    if (node.kind === 'dir') throw new KernelError('EISDIR', `${path} is a directory`);
    if (node.write === undefined) {
      const code = node.system === 'proc' ? 'EIO' : node.system === 'cgroup' ? 'EINVAL' : 'EACCES';
      throw new KernelError(code, `${path} can only be read`);
    }
    // Without a byte there is no write(2): the file is only opened.
    for (let at = 0; at < text.length; at += WRITE_MOST) node.write(text.slice(at, at + WRITE_MOST));
  }

  list(path: string): readonly string[] {
    const { node } = this.resolve(path);
    if (node === undefined) throw new KernelError('ENOENT', `there is no ${path} on this machine`);
    if (node.kind === 'file') throw new KernelError('ENOTDIR', `${path} is a file`);
    return [...node.names()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  }

  mkdir(path: string): void {
    const { parent, name, node } = this.resolve(path);
    if (node !== undefined) throw new KernelError('EEXIST', `${path} exists already`);
    if (parent.mkdir !== undefined) return parent.mkdir(name);
    if (parent.system === 'proc' || parent.system === 'sysctl') throw new KernelError('ENOENT', 'nobody can create directories in /proc');
    throw new KernelError('EPERM', 'directories can be created below /sys/fs/cgroup only');
  }

  rmdir(path: string): void {
    const { parent, name, node } = this.resolve(path);
    if (node === undefined) throw new KernelError('ENOENT', `there is no ${path} on this machine`);
    if (node.kind === 'file') throw new KernelError('ENOTDIR', `${path} is a file`);
    if (node.mkdir !== undefined && parent.rmdir === undefined) throw new KernelError('EBUSY', `${path} is where the file system is mounted`);
    if (parent.rmdir !== undefined) return parent.rmdir(name);
    throw new KernelError('EPERM', 'directories can be removed below /sys/fs/cgroup only');
  }

  exists(path: string): boolean {
    try {
      return this.resolve(path).node !== undefined;
    } catch (error) {
      if (error instanceof KernelError) return false;
      throw error;
    }
  }

  access(path: string): { readonly readable: boolean; readonly writable: boolean } {
    if (!this.exists(path)) return { readable: false, writable: false };
    const { node } = this.resolve(path);
    return { readable: node?.kind === 'file' && node.read !== undefined, writable: node?.kind === 'file' && node.write !== undefined };
  }
}

/** The files of a machine: views over `kernel`, without a state of their own beyond what no layer keeps. */
export function createFileTree(kernel: FsKernel): FileTree {
  return new Tree(kernel);
}
