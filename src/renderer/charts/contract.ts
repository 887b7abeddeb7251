/**
 * What a chart is, apart from who draws it. LinePlot.vue fills PlotProps with ECharts; another library could fill them as well:
 * it gets columns and fixed ranges, draws them into the box that PLOT_INSETS leaves, and can hand back a picture.
 * Cursor, zoom, event marks, legend, table and export are not the library's: they stand in PlotOverlay.vue and TimeChart.vue.
 */

/** A line of a chart. */
export interface ChartSeries {
  /** Column of the recorder: `meminfo.SwapTotal_kB`. */
  readonly metric: string;
  readonly name: string;
  /** 1 … 8, as in tokens.css. */
  readonly colour: number;
  /** Recorded value × scale = shown value. */
  readonly scale: number;
  /** A counter that only grows, shown as change a simulated second. */
  readonly rate?: boolean;
  /** Filled down to zero. */
  readonly area?: boolean;
  /** Drawn with dashes: tells lines apart without colour. */
  readonly dashed?: boolean;
}

/** What the “?” of a chart says. */
export interface ChartHelp { readonly text: string; readonly where: string; readonly source: string }

/** Columns ready to draw: at most two points a pixel. */
export interface PlotColumns {
  /** Simulated seconds. */
  readonly time: Float64Array;
  /** One a series, in the same order; NaN: nothing there. */
  readonly values: readonly Float64Array[];
}

export interface PlotProps {
  readonly series: readonly ChartSeries[];
  readonly columns: PlotColumns;
  /** Simulated seconds. */
  readonly from: number;
  readonly to: number;
  /** Value axis from 0 to `top` with lines every `step`. */
  readonly axis: { readonly top: number; readonly step: number };
}

/** CSS pixels around the drawn area, the same in every chart so that the time axes stand under each other. */
export const PLOT_INSETS = { left: 44, right: 12, top: 8, bottom: 20 } as const;
