#!/usr/bin/env python3
"""Asks a running Linux what it answers to odd writes, and restores every value. Root, cgroup v1 memory controller, zram0 unused.

One line a write: file, text (JSON), ok or errno, what reads back (JSON, or the errno of the read).
"""
import errno, json, os, sys


def read(path):
    try:
        with open(path) as f:
            return json.dumps(f.read())
    except OSError as e:
        return errno.errorcode[e.errno]


def write(path, text, show=True):
    try:
        fd = os.open(path, os.O_WRONLY | os.O_TRUNC)
        try:
            if text:
                os.write(fd, text.encode())
            answer = 'ok'
        finally:
            os.close(fd)
    except OSError as e:
        answer = errno.errorcode[e.errno]
    if show:
        print(path, json.dumps(text), answer, read(path), sep='\t')
    return answer


def series(path, texts, restore=None):
    for text in texts:
        write(path, text)
    if restore is not None:
        assert write(path, restore, False) == 'ok'


NUMBERS = ['22\n', '22\n\n', '-0\n', '-1\n', '0x\n', '0x18\n', '08\n', '031\n', '0\0', '+\n', '+23\n', '++1\n', '', '\n', ' 21\n', '26 \n', '\t5\n',
           '5\n5\n', '5\0junk', '12x\n', '1e2\n', '4294967295\n', '4294967296\n', '18446744073709551615\n', '18446744073709551616\n',
           '9223372036854775807\n', '9223372036854775808\n', '99999999999999999999\n', 'abc\n', '1.5\n', '0xFF\n', '0XfF\n', '0b1\n', '1_0\n']
zswap = '/sys/module/zswap/parameters/'
series(zswap + 'max_pool_percent', NUMBERS + ['101\n', '0\n'], '20\n')
series(zswap + 'accept_threshold_percent', ['101\n', '0\n', 'x\n'], '90\n')
write(zswap + 'enabled', '1\n', False)
BOOLS = ['y\n', 'N\n', 'on\n', 'OFF\n', 'of\n', 'o', 'o\n', 't\n', 'F\n', 'true\n', 'nope\n', '1x\n', '0x1\n', '2\n', ' 1\n', '\n', '', '-1\n', 'Y']
series(zswap + 'enabled', BOOLS, '1\n')
series(zswap + 'compressor', ['bogus\n', '', '\n', ' lzo \n', 'lzo-rle\n', 'LZO\n', 'lzo'], 'lzo\n')
write(zswap + 'enabled', '0\n', False)
series(zswap + 'shrinker_enabled', ['x\n', 'y\n', 'n\n'], 'N\n')
SYSCTL = ['60\n', '-1\n', '201\n', '200\n', '0\n', '-0\n', '', '\n', '  \n', ' 61\n', '\t62\n', '\x0b63\n', '64 \n', '65\t\n', '66x\n', '67,\n', '0x41\n', '067\n', '08\n',
          '0x\n', '+66\n', '68 69\n', '61\n62\n', '- 1\n', '61.5\n', 'abc\n', '4294967297\n', '9223372036854775807\n', '18446744073709551616\n', '99999999999999999999\n',
          '00000000000000000061\n', '000000000000000000061\n', '-9999999999\n', '61\0', '61\x0062', '2e1\n']
series('/proc/sys/vm/swappiness', SYSCTL, '60\n')
series('/proc/sys/vm/page-cluster', ['31\n', '32\n', '99\n', '-1\n', '0\n', '3\n'], '3\n')
thp = '/sys/kernel/mm/transparent_hugepage/'
series(thp + 'hugepages-64kB/enabled', ['always', 'always\n', 'inherit\n', 'madvise\n', 'Always\n', ' never\n', 'never \n', 'never\n\n', 'bogus\n', '', '\n', 'alw\n', '[never]\n', 'never\0x', '1\n'], 'never\n')
before = open(thp + 'enabled').read()
series(thp + 'enabled', ['always\n', 'never\n', 'inherit\n', '\n', 'madvise\n'], before[before.index('[') + 1:before.index(']')] + '\n')
zram = '/sys/block/zram0/'
for text in ['', '\n', ' 5\n', '+5\n', '-1\n', '0\n', 'K\n', 'k5\n', '5K\n', '5kx\n', '5Kx\n', '0x\n', '010\n', '0x100000\n', '1048576x\n', '4097\n', '1M\n', '1m\n', '1MB\n', '1MiB\n', '1.5M\n',
             '1e\n', '16E\n', '1P\n', 'abc\n', '18446744073709551615\n', '18446744073709551616\n', '99999999999999999999\n']:
    write(zram + 'disksize', text)
    write(zram + 'reset', '1\n')
write(zram + 'disksize', '1M\n')
series(zram + 'disksize', ['2M\n', '0\n', 'x\n'])
series(zram + 'comp_algorithm', ['lzo\n', 'nope\n'])
series(zram + 'reset', ['0\n', 'abc\n', '\n', '', '65536\n', '0x1\n', '-1\n', ' 1\n', '01\n', '2\n', '1\n'])
series(zram + 'comp_algorithm', ['lzo', '', '\n', ' lzo\n', 'lzo \n', 'lzo\n\n', 'nope\n', 'lzo-rle\n'], 'lzo-rle\n')
series('/sys/class/zram-control/hot_remove', ['x\n', '7\n', '-1\n', '', '\n', '0x1\n', ' 1\n', '99999999999\n'])
group = '/sys/fs/cgroup/memory/swaplab_record'
os.mkdir(group)
series(group + '/memory.limit_in_bytes',
       ['48M', '  48M  \n', '48m\n', 'K\n', '0x\n', '08\n', '010000\n', '0x1000\n', '+5\n', '-5\n', '1e\n', '1e6\n', '\n', '', '   \n', '48 M\n', '48MB\n', '1.5M\n', '1m1\n', '4097\n', '-1\n', '\x0b1M\x0c\n',
        '99999999999999999999\n', '18446744073709551615\n', '18446744073709551616\n', '9223372036854775807\n', '9223372036854775808\n', '9223372036854771711\n', '16E\n', '8E\n', '7E\n', '17E\n', '1T\n', '1P\n', '1k\n', '4095\n',
        'abc\n', '1G\0x\n'])
os.rmdir(group)
