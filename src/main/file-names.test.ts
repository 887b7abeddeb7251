import { expect, it } from 'vitest';
import { safeBaseName, withExtension } from './file-names';

it.each([
  ['xswap: the cap holds, raise it, lower it', 'xswap-the-cap-holds-raise-it-lower-it'],
  ['../../etc/passwd', 'etc-passwd'],
  ['..\\..\\boot.ini', 'boot.ini'],
  ['.bashrc', 'bashrc'],
  ['\u202Egnp.exe', 'gnp.exe'],
  ['', 'experiment'],
  ['///', 'experiment'],
  ['CON', 'experiment'],
  ['lpt1', 'experiment'],
  ['Größe', 'Gro-e'],
  ['a'.repeat(300), 'a'.repeat(80)],
])('%j becomes %s', (title, name) => {
  expect(safeBaseName(title, 'experiment')).toBe(name);
});

it('does not double an extension', () => {
  expect(withExtension('a', '.swaplab.json')).toBe('a.swaplab.json');
  expect(withExtension('a.SWAPLAB.JSON', '.swaplab.json')).toBe('a.SWAPLAB.JSON');
});
