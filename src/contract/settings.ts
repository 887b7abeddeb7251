/** Settings of the app: what is kept between starts beside files, library and the window's place. */
import { z } from 'zod';

const fields = {
  /** `system`: as the desktop says. */
  theme: z.enum(['system', 'light', 'dark']),
  /** Simulated seconds a wall-clock second; `max`: as fast as possible. */
  speed: z.union([z.number().positive().max(1e6), z.literal('max')]),
  /** Unit of the xswap limit editor. */
  limitUnit: z.enum(['pages', 'MiB']),
  /** Width of the run screen's side panel and height of its bottom panel in CSS pixels. */
  sidePanelWidth: z.number().int().min(200).max(1200),
  bottomPanelHeight: z.number().int().min(120).max(1200),
};

export const settingsSchema = z.strictObject(fields);

export type Settings = z.infer<typeof settingsSchema>;

export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  speed: 'max',
  limitUnit: 'pages',
  sidePanelWidth: 320,
  bottomPanelHeight: 240,
};

/** A change of some settings. Unknown keys are refused. */
export const settingsPatchSchema = settingsSchema.partial();
