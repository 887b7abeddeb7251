/** What is wrong or doubtful in a draft, tied to the field where it is mended. */
import type { StepId } from '../draft';

export interface Problem {
  readonly step: StepId;
  /** Id of the field: `machine.ram`, `swap.row3.size`, `script.row7.program`. */
  readonly field: string;
  /** An error keeps the experiment from being made; a warning says what the kernel will do. */
  readonly level: 'error' | 'warning';
  readonly message: string;
}

/** Collects the problems of one step. */
export class Findings {
  readonly problems: Problem[] = [];
  private readonly step: StepId;

  constructor(step: StepId) {
    this.step = step;
  }

  error(field: string, message: string): void {
    this.problems.push({ step: this.step, field, level: 'error', message });
  }

  warn(field: string, message: string): void {
    this.problems.push({ step: this.step, field, level: 'warning', message });
  }

  /** Text for a file: at most so many characters, no control characters but tab and newline; `lines` false: no newline either. */
  plainText(field: string, text: string, max: number, lines: boolean): void {
    if (text.length > max) this.error(field, `expected at most ${max} characters, got ${text.length}`);
    for (const character of text) {
      const code = character.charCodeAt(0);
      if (code >= 32 && code !== 127) continue;
      if (lines && (code === 9 || code === 10)) continue;
      this.error(field, `expected ${lines ? 'plain text' : 'one line of plain text'}, got a control character (code ${code})`);
      return;
    }
  }

  /** A whole number within limits. @returns undefined when it is none (then an error was noted) or empty and optional. */
  whole(field: string, text: string, low: number, high: number, options: { optional?: boolean; what?: string } = {}): number | undefined {
    const trimmed = text.trim();
    if (trimmed === '' && options.optional) return undefined;
    const value = /^-?\d+$/.test(trimmed) ? Number(trimmed) : NaN;
    if (value >= low && value <= high) return value;
    const what = options.what ?? 'a whole number';
    this.error(field, `expected ${what} from ${low} to ${high}${trimmed === '' ? '' : `, got “${trimmed}”`}`);
    return undefined;
  }
}
