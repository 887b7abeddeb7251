/** Shapes that controls take; apart from the components so that tools without single-file components know them. */

/** A column of LTable. */
export interface TableColumn<Row> {
  readonly key: string;
  readonly title: string;
  readonly align?: 'left' | 'right';
  readonly mono?: boolean;
  readonly width?: string;
  text?(row: Row): string | number;
}

/** An entry of LMenu; without a label it is a line between groups. */
export interface MenuItem {
  readonly label?: string;
  readonly keys?: string;
  readonly hint?: string;
  readonly disabled?: boolean;
  readonly danger?: boolean;
  run?(): void;
}

/** A choice of LSelect. */
export interface SelectOption<T> {
  readonly value: T;
  readonly label: string;
  readonly disabled?: boolean;
}
