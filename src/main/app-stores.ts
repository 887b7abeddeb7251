/** The small stores of the app itself: settings and the window's place. */
import type { z } from 'zod';
import type { settingsPatchSchema} from '../contract/settings';
import { DEFAULT_SETTINGS, settingsSchema, type Settings } from '../contract/settings';
import { GuardedStore, type StoreBackendFactory } from './guarded-store';
import type { Notices } from './notices';
import { DEFAULT_WINDOW_STATE, windowStateSchema, type WindowState } from './window-state';

export class AppStores {
  readonly #settings: GuardedStore<Settings>;
  readonly #window: GuardedStore<WindowState>;

  /** @param folder userData */
  constructor(folder: string, backend: StoreBackendFactory, notices: Notices) {
    const common = { folder, version: 1, migrations: [], backend, notify: notices.add.bind(notices) } as const;
    this.#settings = new GuardedStore({ ...common, name: 'settings', schema: settingsSchema, initial: DEFAULT_SETTINGS });
    this.#window = new GuardedStore({ ...common, name: 'window', schema: windowStateSchema, initial: DEFAULT_WINDOW_STATE });
  }

  get settings(): Settings {
    return this.#settings.get();
  }

  changeSettings(patch: z.infer<typeof settingsPatchSchema>): Settings {
    this.#settings.set({ ...this.#settings.get(), ...withoutUndefined(patch) });
    return this.#settings.get();
  }

  get window(): WindowState {
    return this.#window.get();
  }

  set window(state: WindowState) {
    this.#window.set(state);
  }
}

function withoutUndefined<T extends object>(patch: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
