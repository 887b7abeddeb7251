import type { EChartsCoreOption } from 'echarts/core';
import { PLOT_INSETS } from './contract';
import type { PlotProps } from './contract';
import type { Palette } from './palette';
import { tickStep, tickText, timeTick, timeTicks } from './scale';

/** The ECharts option of one drawing: columns by name in a dataset, fixed ranges, nothing that moves or asks for the pointer. */
export function lineOption(props: PlotProps, palette: Palette): EChartsCoreOption {
  const step = tickStep(props.to - props.from);
  const label = { color: palette.text, fontSize: 10, fontFamily: palette.font };
  const source: Record<string, Float64Array> = { t: props.columns.time };
  props.series.forEach((_, index) => { source[`v${index}`] = props.columns.values[index] ?? new Float64Array(0); });
  return {
    animation: false,
    backgroundColor: 'transparent',
    grid: { ...PLOT_INSETS, containLabel: false, outerBoundsMode: 'none' },
    dataset: { source, dimensions: ['t', ...props.series.map((_, index) => `v${index}`)] },
    xAxis: {
      type: 'value', min: props.from, max: props.to, silent: true,
      axisLine: { lineStyle: { color: palette.line } }, axisTick: { show: false }, splitLine: { show: false },
      axisLabel: { ...label, hideOverlap: true, customValues: timeTicks(props.from, props.to), formatter: (v: number) => timeTick(v, step) },
    },
    yAxis: {
      type: 'value', min: 0, max: props.axis.top, interval: props.axis.step, silent: true,
      axisLine: { show: false }, axisTick: { show: false }, splitLine: { lineStyle: { color: palette.line } },
      axisLabel: { ...label, formatter: tickText },
    },
    series: props.series.map((line, index) => {
      const colour = palette.series[line.colour - 1] ?? palette.ink;
      return {
        type: 'line', name: line.name, encode: { x: 't', y: `v${index}` }, silent: true, showSymbol: false, connectNulls: false,
        lineStyle: { color: colour, width: 1.6, type: line.dashed ? [5, 3] : 'solid' }, itemStyle: { color: colour }, z: 3 + index,
        ...(line.area ? { areaStyle: { color: colour, opacity: 0.12 } } : {}),
      };
    }),
  };
}
