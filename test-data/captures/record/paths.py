#!/usr/bin/env python3
"""Asks a running Linux what open, mkdir and rmdir answer root on /proc, /sys and cgroup v2, and leaves nothing behind.

One line a call: call, path ({cgroup} stands for the mount point of cgroup v2), ok or errno. "create" opens as the shell does for `>`.
"""
import errno, os, sys

CGROUP = sys.argv[1] if len(sys.argv) > 1 else '/sys/fs/cgroup/unified'


def call(name, path):
    full = path.replace('{cgroup}', CGROUP)
    try:
        if name == 'mkdir':
            os.mkdir(full)
        elif name == 'rmdir':
            os.rmdir(full)
        elif name == 'list':
            os.listdir(full)
        elif name == 'read':
            fd = os.open(full, os.O_RDONLY)
            try:
                os.read(fd, 100)
            finally:
                os.close(fd)
        else:
            fd = os.open(full, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            try:
                os.write(fd, b'\xff\n')
            finally:
                os.close(fd)
        answer = 'ok'
    except OSError as e:
        answer = errno.errorcode[e.errno]
    print(name, path.replace('\n', '\\n'), answer, sep='\t')


for path in ['/proc/meminfo', '/proc/swaps', '/proc/vmstat', '/proc/cmdline', '/proc/version', '/proc/nope', '/proc/swaps/x', '/proc/sys/vm', '/proc/sys/vm/nope', '/proc/sys/kernel/osrelease',
             '/proc/999999999/status', '/sys/block/zram0/mm_stat', '/sys/block/zram0/nope', '/sys/block/zram99/mm_stat', '/sys/block/zram0/mm_stat/x', '/sys/kernel/mm/nope', '/sys/kernel/mm',
             '/sys/kernel/mm/transparent_hugepage/hpage_pmd_size', '/sys/module/zswap/parameters', '/sys/module/zswap/parameters/nope', '/sys/block/zram0/mm_stat/']:
    for name in ['read', 'create', 'list']:
        call(name, path)
for path in ['/sys/block/zram0/reset', '/sys/class/zram-control/hot_remove']:
    call('read', path)
for name, path in [
        ('mkdir', '{cgroup}'), ('rmdir', '{cgroup}'), ('mkdir', '{cgroup}/sl'), ('mkdir', '{cgroup}/sl'), ('mkdir', '{cgroup}/sl/'), ('mkdir', '{cgroup}/no/x'), ('mkdir', '{cgroup}/sl/a'),
        ('rmdir', '{cgroup}/sl'), ('rmdir', '{cgroup}/nope'), ('rmdir', '{cgroup}/sl/cgroup.procs'), ('mkdir', '{cgroup}/sl/cgroup.procs'),
        ('mkdir', '{cgroup}/sl/cgroup.procs/x'), ('rmdir', '{cgroup}/sl/cgroup.procs/x'), ('mkdir', '{cgroup}/a\nb'), ('create', '{cgroup}/sl/nope'), ('read', '{cgroup}/sl/nope'), ('create', '{cgroup}/sl/cgroup.controllers'),
        ('create', '{cgroup}/sl/a'), ('read', '{cgroup}/sl'), ('list', '{cgroup}/sl/cgroup.procs'), ('rmdir', '{cgroup}/sl/a'), ('rmdir', '{cgroup}/sl'), ('rmdir', '{cgroup}/sl'),
        ('mkdir', '/sys/kernel/mm/foo'), ('rmdir', '/sys/kernel/mm/transparent_hugepage'), ('mkdir', '/proc/foo'), ('rmdir', '/proc/sys'), ('mkdir', '/proc/sys/vm/foo'), ('mkdir', '/sys/block/zram0')]:
    call(name, path)
