import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, describe, expect, it } from 'vitest';
import { useTimeAxis } from './time-axis';

describe('time axis', () => {
  beforeEach(() => { setActivePinia(createPinia()); });

  it('follows the run, but not while a stretch is chosen or the pointer drags', () => {
    const axis = useTimeAxis();
    axis.follow(0, 100, 1);
    expect(axis.shown).toEqual({ from: 0, to: 100 });
    axis.zoom({ from: 20, to: 40 });
    axis.follow(0, 200, 1);
    expect(axis.shown).toEqual({ from: 20, to: 40 });
    axis.showAll();
    expect(axis.shown).toEqual({ from: 0, to: 200 });
    axis.dragging = true;
    axis.follow(0, 300, 1);
    expect(axis.shown).toEqual({ from: 0, to: 200 });
  });
  it('keeps a stretch inside what is recorded and no narrower than four buckets', () => {
    const axis = useTimeAxis();
    axis.follow(0, 100, 1);
    axis.zoom({ from: 99, to: 99.5 });
    expect(axis.shown).toEqual({ from: 96, to: 100 });
    axis.zoom({ from: -50, to: 500 });
    expect(axis.zoomed).toBe(false);
  });
  it('goes back by buckets and lets go of the past when it is forward at the end', () => {
    const axis = useTimeAxis();
    axis.follow(0, 10, 2);
    axis.back();
    axis.back();
    expect(axis.cursor).toBe(6);
    expect(axis.lookingBack).toBe(true);
    axis.forward();
    axis.forward();
    expect(axis.lookingBack).toBe(false);
    for (let i = 0; i < 20; i += 1) axis.back();
    expect(axis.cursor).toBe(0);
  });
  it('forgets a cursor and a stretch that a restart has put in the future', () => {
    const axis = useTimeAxis();
    axis.follow(0, 100, 1);
    axis.pin(90);
    axis.zoom({ from: 50, to: 60 });
    axis.follow(0, 10, 1);
    expect([axis.lookingBack, axis.zoomed]).toEqual([false, false]);
  });
});
