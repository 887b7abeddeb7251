import { describe, expect, it } from 'vitest';
import { placeOnScreens, type WindowState } from './window-state';

const laptop = { x: 0, y: 0, width: 1920, height: 1080 };
const second = { x: 1920, y: 0, width: 2560, height: 1440 };
const state: WindowState = { x: 2000, y: 100, width: 1440, height: 900, maximized: false };

describe('the window comes back', () => {
  it('to its place', () => {
    expect(placeOnScreens(state, [laptop, second])).toEqual(state);
  });

  it('to the main screen when its own is gone', () => {
    expect(placeOnScreens(state, [laptop])).toEqual({ width: 1440, height: 900, maximized: false });
  });

  it('smaller when the screen shrank', () => {
    expect(placeOnScreens({ ...state, x: 0, y: 0, width: 4000, height: 3000 }, [laptop])).toEqual({
      x: 0, y: 0, width: 1920, height: 1080, maximized: false,
    });
  });

  it('without a place when its title bar is above every screen', () => {
    expect(placeOnScreens({ ...state, x: 10, y: -50 }, [laptop])).not.toHaveProperty('y');
  });
});
