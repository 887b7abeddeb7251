import ElectronStore from 'electron-store';
import type { StoreBackendFactory } from './guarded-store';

/** Stores of the app. Names of experiments may hold dots, so a key is taken as it stands. */
export const electronBackend: StoreBackendFactory = (folder, name) =>
  new ElectronStore({ cwd: folder, name, accessPropertiesByDotNotation: false, clearInvalidConfig: false });
