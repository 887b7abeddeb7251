import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONTENT_SECURITY_POLICY, isAppAddress, resolveAppFile } from './app-file';

const root = path.resolve('/opt/swaplab/out/renderer');

describe('lab:// addresses', () => {
  it.each([
    ['lab://app/', 'index.html', 'text/html; charset=utf-8'],
    ['lab://app/index.html?x=1#run', 'index.html', 'text/html; charset=utf-8'],
    ['lab://app/assets/main-a1.js', 'assets/main-a1.js', 'text/javascript; charset=utf-8'],
    ['lab://app/assets/../index.html', 'index.html', 'text/html; charset=utf-8'],
  ])('%s is %s', (address, file, contentType) => {
    expect(resolveAppFile(root, address)).toEqual({ file: path.join(root, file), contentType });
  });

  it.each([
    'lab://app/..%2f..%2fpackage.json',
    'lab://app/%2e%2e/%2e%2e/%2e%2e/main/index.js/..%2f..%2f..%2fsecret.json',
    'lab://app/..%5c..%5cmain%5cindex.js',
    'lab://app/assets%00.js',
    'lab://app/C:%5cWindows%5cwin.js',
    'lab://app/file.js:stream.js',
    'lab://app/%',
    'lab://other/index.html',
    'lab://app:80/index.html',
    'lab://user@app/index.html',
    'http://app/index.html',
    'file:///etc/passwd.json',
    'lab://app/program.exe',
    'lab://app/assets',
    'not an address',
  ])('%s is refused', (address) => {
    expect(resolveAppFile(root, address)).toBeUndefined();
  });

  it('a folder whose name only begins with dots stays inside', () => {
    expect(resolveAppFile('/a/renderer', 'lab://app/..%2frenderer-evil%2fx.js')).toBeUndefined();
  });
});

describe('senders', () => {
  it('takes messages of the app alone', () => {
    expect(isAppAddress('lab://app/index.html', undefined)).toBe(true);
    expect(isAppAddress('lab://evil/index.html', undefined)).toBe(false);
    expect(isAppAddress('http://localhost:5173/', undefined)).toBe(false);
    expect(isAppAddress('http://localhost:5173/', 'http://localhost:5173/')).toBe(true);
    expect(isAppAddress('http://localhost:5174/', 'http://localhost:5173/')).toBe(false);
    expect(isAppAddress('null', 'http://localhost:5173/')).toBe(false);
  });
});

it('the policy allows neither inline code nor eval nor anything from outside', () => {
  expect(CONTENT_SECURITY_POLICY).not.toMatch(/unsafe|https?:|\*/);
  expect(CONTENT_SECURITY_POLICY).toContain("default-src 'none'");
});
