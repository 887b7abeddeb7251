/** Files and directories of the simulated machine, and who answers when something is wrong with a path. */

/** The file system a directory belongs to: it decides what a failing open, mkdir or rmdir answers. */
export type FileSystemKind = 'proc' | 'sysctl' | 'sysfs' | 'cgroup' | 'debugfs';

export interface FileNode {
  readonly kind: 'file';
  readonly system: FileSystemKind;
  /** Absent: write-only. */
  readonly read?: () => string;
  /** Absent: read-only. Gets what one write(2) brings. @throws KernelError */
  readonly write?: (text: string) => void;
}

export interface DirNode {
  readonly kind: 'dir';
  readonly system: FileSystemKind;
  /** Names in it, in any order. */
  names(): readonly string[];
  get(name: string): Node | undefined;
  /** mkdir and rmdir of an entry; only cgroupfs has them. */
  readonly mkdir?: (name: string) => void;
  readonly rmdir?: (name: string) => void;
}

export type Node = FileNode | DirNode;

export function file(system: FileSystemKind, read?: () => string, write?: (text: string) => void): FileNode {
  return { kind: 'file', system, ...(read ? { read } : {}), ...(write ? { write } : {}) };
}

/** A directory whose entries never change. */
export function dir(system: FileSystemKind, entries: Readonly<Record<string, Node>>): DirNode {
  const map = new Map(Object.entries(entries));
  const names = [...map.keys()];
  return { kind: 'dir', system, names: () => names, get: (name) => map.get(name) };
}

/** A directory with fixed entries and others that come and go with the state of the machine. */
export function liveDir(
  system: FileSystemKind,
  fixed: Readonly<Record<string, Node>>,
  names: () => readonly string[],
  get: (name: string) => Node | undefined,
): DirNode {
  const map = new Map(Object.entries(fixed));
  return { kind: 'dir', system, names: () => [...map.keys(), ...names()], get: (name) => map.get(name) ?? get(name) };
}
