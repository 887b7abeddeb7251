/** Where the window stood: kept between starts, and never restored to a place that no screen shows. */
import { z } from 'zod';

export const windowStateSchema = z.strictObject({
  x: z.number().int().optional(),
  y: z.number().int().optional(),
  width: z.number().int().min(640).max(16384),
  height: z.number().int().min(480).max(16384),
  maximized: z.boolean(),
});

export type WindowState = z.infer<typeof windowStateSchema>;

export const DEFAULT_WINDOW_STATE: WindowState = { width: 1440, height: 900, maximized: false };

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** At least this much of the title bar must be on a screen, in pixels, so that the window can be dragged. */
const VISIBLE = 100;

/**
 * @param wanted the place of last time
 * @param screens work areas of the screens there are now; the first is the main one
 * @returns a size that fits a screen; without a place when the old one is not (or hardly) visible any more
 */
export function placeOnScreens(wanted: WindowState, screens: readonly Area[]): WindowState {
  const main = screens[0];
  if (main === undefined) return wanted;
  const { x, y } = wanted;
  const home =
    x === undefined || y === undefined
      ? undefined
      : screens.find((s) => x + wanted.width - VISIBLE >= s.x && x + VISIBLE <= s.x + s.width && y >= s.y && y + VISIBLE <= s.y + s.height);
  const screen = home ?? main;
  const size = {
    width: Math.max(640, Math.min(wanted.width, screen.width)),
    height: Math.max(480, Math.min(wanted.height, screen.height)),
    maximized: wanted.maximized,
  };
  return home === undefined ? size : { x, y, ...size };
}
