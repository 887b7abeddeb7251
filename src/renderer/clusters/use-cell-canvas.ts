import { onBeforeUnmount, watch } from 'vue';
import type { Ref } from 'vue';
import { CellPixels, paintCells, paintMarks } from './paint';
import type { Marks } from './paint';

/** Enlarged from: one pixel a cell. */
class Picture {
  readonly canvas = document.createElement('canvas');
  readonly pixels = new CellPixels();

  update(marks: Marks): void {
    const { canvas, pixels } = this;
    pixels.update(marks);
    if (pixels.written === 0 || pixels.width === 0 || pixels.height === 0) return;
    if (canvas.width !== pixels.width || canvas.height !== pixels.height) Object.assign(canvas, { width: pixels.width, height: pixels.height });
    const bytes = new Uint8ClampedArray(pixels.pixels.buffer);
    canvas.getContext('2d')?.putImageData(new ImageData(bytes, pixels.width, pixels.height), 0, 0);
  }
}

/** Sets a canvas to the size of its box and clears it. */
function begin(canvas: HTMLCanvasElement | undefined, width: number, height: number): CanvasRenderingContext2D | undefined {
  const context = canvas?.getContext('2d');
  if (!canvas || !context || width === 0 || height === 0) return undefined;
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.floor(width * ratio), Math.floor(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/**
 * Two canvases, one above the other: cells, drawn when they or their places change, and marks, drawn when those move. Both at most once
 * a frame of the screen.
 */
export function useCellCanvas(
  cells: Ref<HTMLCanvasElement | undefined>, marks: Ref<HTMLCanvasElement | undefined>,
  what: () => { readonly width: number; readonly height: number; readonly scene: Marks | undefined },
): void {
  const picture = new Picture();
  let frame = 0;
  let drawn: { width: number; height: number; scene: Marks | undefined } | undefined;
  function draw(): void {
    frame = 0;
    const { width, height, scene } = what();
    const same = drawn?.width === width && drawn.height === height && drawn.scene?.map === scene?.map && drawn.scene?.layout === scene?.layout
      && drawn.scene?.wanted === scene?.wanted && drawn.scene?.colours === scene?.colours;
    if (!same) {
      const context = begin(cells.value, width, height);
      if (context && scene) {
        picture.update(scene);
        if (picture.pixels.width > 0 && picture.pixels.height > 0) paintCells(context, picture.canvas, scene);
      }
    }
    const above = begin(marks.value, width, height);
    if (above && scene) paintMarks(above, scene);
    drawn = { width, height, scene };
  }
  watch(what, () => { if (frame === 0) frame = requestAnimationFrame(draw); }, { immediate: true, flush: 'post' });
  onBeforeUnmount(() => { cancelAnimationFrame(frame); });
}
