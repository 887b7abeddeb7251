/** The menu. Its items are commands of the window: main passes the id on and knows nothing of what they do. */
import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { MenuCommandId } from '../contract/app-api';

export interface MenuOptions {
  readonly appName: string;
  readonly send: (id: MenuCommandId) => void;
  readonly developer: boolean;
}

export function installMenu(options: MenuOptions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(options)));
}

function menuTemplate({ appName, send, developer }: MenuOptions): MenuItemConstructorOptions[] {
  const mac = process.platform === 'darwin';
  // The window's own command registry listens to the keys; the menu shows them. On macOS the menu always takes them first.
  const item = (label: string, id: MenuCommandId, accelerator?: string): MenuItemConstructorOptions => ({
    id, label, ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: mac }), click: () => send(id),
  });
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  return [
    ...(mac ? [{ label: appName, role: 'appMenu' } satisfies MenuItemConstructorOptions] : []),
    {
      label: '&File',
      submenu: [
        item('&New experiment…', 'file.new', 'CmdOrCtrl+N'),
        item('&Open…', 'file.open', 'CmdOrCtrl+O'),
        separator,
        item('&Save', 'file.save', 'CmdOrCtrl+S'),
        item('Save &as…', 'file.saveAs', 'CmdOrCtrl+Shift+S'),
        item('Save to &library', 'file.saveToLibrary'),
        separator,
        mac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    { label: '&Edit', role: 'editMenu' },
    {
      label: '&Run',
      submenu: [
        item('Run or &pause', 'run.toggle', 'Space'),
        item('&Step', 'run.step', '.'),
        item('&Restart', 'run.restart', 'CmdOrCtrl+R'),
        item('&Cancel', 'run.cancel'),
        separator,
        item('&Faster', 'run.faster', ']'),
        item('S&lower', 'run.slower', '['),
      ],
    },
    {
      label: '&View',
      submenu: [
        item('&Gallery', 'view.gallery', 'CmdOrCtrl+1'),
        item('&Library', 'view.library', 'CmdOrCtrl+2'),
        item('&Run', 'view.run', 'CmdOrCtrl+3'),
        item('Command &palette', 'view.palette', 'CmdOrCtrl+K'),
        separator,
        {
          label: '&Theme',
          submenu: [
            item('As the &system', 'view.theme.system'),
            item('&Light', 'view.theme.light'),
            item('&Dark', 'view.theme.dark'),
          ],
        },
        separator,
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'resetZoom' },
        { role: 'togglefullscreen' },
        ...(developer ? [separator, { role: 'toggleDevTools' } satisfies MenuItemConstructorOptions] : []),
      ],
    },
    { role: 'help', label: '&Help', submenu: [item('&Keys', 'help.keys', '?'), item('&About Swaplab', 'help.about')] },
  ];
}
